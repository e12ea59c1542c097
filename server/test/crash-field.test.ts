import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUpOf } from './clean-up.ts'
import { startDurable, startGate, startProcess } from './crash.ts'
import { makePng } from './pictures.ts'
import { until } from './until.ts'

/* A photo that was acknowledged is there, whatever is killed; one that was not can be sent again under the same id. */

const key = 'crash-suite-key-of-the-first-organisation'
const rounds = 2

async function call(url: string, method: string, path: string, { token = key, ...given }: Call = {}) {
  const { body, bytes } = given
  const response = await fetch(url + path, {
    method,
    headers: { authorization: token, 'content-type': bytes ? 'image/png' : 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    ...(bytes && { body: bytes }),
    signal: AbortSignal.timeout(20_000),
  })
  assert.ok(response.ok, `${method} ${path} answered ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

interface Call {
  token?: string
  body?: object
  bytes?: Uint8Array<ArrayBuffer>
}

const read = async (...request: Parameters<typeof call>) => JSON.parse(new TextDecoder().decode(await call(...request)))
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Processes that a process has started; none where the system does not tell. */
const childrenOf = async (pid: number) =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')).split(' ').filter(Boolean)
const isGone = (pid: string) =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    (text) => / Z /.test(text),
    () => true,
  )

test('an acknowledged photo survives the death of everything', { timeout: 240_000 }, async (t) => {
  const cleanUp = cleanUpOf(t)
  const WAYBILL_DATA = await mkdtemp(join(tmpdir(), 'waybill-crash-files-'))
  cleanUp.defer(() => rm(WAYBILL_DATA, { recursive: true, force: true }))
  const database = await startDurable()
  cleanUp.defer(database.stop)
  const gate = await startGate(database)
  cleanUp.defer(gate.close)
  const start = () => startProcess(gate.url, { WAYBILL_API_KEY: key, WAYBILL_DATA, WAYBILL_GEOCODER: 'off' })
  let server = await start()
  cleanUp.defer(() => server.kill())

  const { team } = await read(server.url, 'POST', '/api/v1/teams', { body: { name: 'North' } })
  const driver = { name: 'Ana', phone: '0712345678', teams: [team.id] }
  const { user } = await read(server.url, 'POST', '/api/v1/drivers', { body: driver })
  const { code } = await read(server.url, 'POST', `/api/v1/drivers/${user.id}/invite`)
  const { token } = await read(server.url, 'POST', '/api/v1/driver/login', { body: { phone: driver.phone, code } })

  const acknowledged = new Map<string, string>()
  const unanswered: [id: string, bytes: Uint8Array<ArrayBuffer>][] = []
  const send = async (id: string, bytes: Uint8Array<ArrayBuffer>) => {
    await call(server.url, 'PUT', `/api/v1/driver/files/${id}`, { token, bytes })
    acknowledged.set(id, hashOf(await call(server.url, 'GET', `/files/${id}`, { token })))
  }
  let shade = 0
  /** Sends one photo after the other until it is no longer answered. */
  const keepSending = async () => {
    for (;;) {
      shade += 1
      const [id, bytes] = [randomUUID(), makePng(40 + (shade % 50), 30, { shade: shade % 256, alpha: 90 })]
      try {
        await send(id, bytes)
      } catch {
        unanswered.push([id, bytes])
        return
      }
    }
  }

  for (let round = 1; round <= rounds; round += 1) {
    const senders = [1, 2, 3].map(keepSending)
    const wanted = acknowledged.size + 5 + round
    await until('some photos', () => acknowledged.size >= wanted)
    const children = await childrenOf(server.pid)
    database.kill()
    await server.kill()
    await Promise.all(senders)
    for (const pid of children) await until('the process that reads pictures to end', () => isGone(pid))
    await database.startAgain()
    server = await start()

    for (const [id, hash] of acknowledged)
      assert.equal(hashOf(await call(server.url, 'GET', `/files/${id}`, { token })), hash, `photo ${id}`)
    for (const [id, bytes] of unanswered.splice(0)) await send(id, bytes)
  }
  t.diagnostic(`${acknowledged.size} photos, ${rounds} deaths`)
})
