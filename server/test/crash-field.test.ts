import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Succeeded } from '../../core/task-status.ts'
import { checkCash } from '../cash/check.ts'
import { openDatabase } from '../db/db.ts'
import { cleanUpOf } from './clean-up.ts'
import { startDurable, startGate, startProcess } from './crash.ts'
import { aTask } from './factories.ts'
import { makePng } from './pictures.ts'
import { amountsOf, tellNumbers } from './proofs.ts'
import { patienceMs, until } from './until.ts'

/*
 * What a phone was told is done is there, once, whatever is killed: photos, and ops with their notes, payments and moves.
 * What it heard nothing of it sends again, under the same ids.
 */

const key = 'crash-suite-key-of-the-first-organisation'
const rounds = amountsOf('crash-field').deaths
const price = 120
/** Who dies, in turn. */
const dying = [['database', 'server'], ['database'], ['server']] as const

async function call(
  url: string,
  method: string,
  path: string,
  { token = key, ...given }: Call = {},
): Promise<Uint8Array> {
  const { body, bytes } = given
  const response = await fetch(url + path, {
    method,
    headers: { authorization: token, 'content-type': bytes ? 'image/png' : 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    ...(bytes && { body: bytes }),
    signal: AbortSignal.timeout(patienceMs),
  })
  // One device that is asked for all it ever sent may have to wait, as a real one would.
  if (response.status === 429) {
    await sleep(Number(response.headers.get('retry-after')) * 1_000)
    return call(url, method, path, { token, ...given })
  }
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

test('what a phone was told is done survives the death of everything', async (t) => {
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

  const tasks = Array.from({ length: 150 + rounds * 50 }, (_, at) => aTask({ awb: `C-${at}`, totalPrice: price }))
  const made = await read(server.url, 'POST', `/api/v1/drivers/${user.id}/tasks/bulkCreate`, { body: { tasks } })
  const waiting: number[] = made.results.map(({ data }: { data: { id: number } }) => data.id)
  const done = new Map<Visit, string>()
  const unheard: Visit[] = []
  /** Sends what was done at one task, and returns what came of it. */
  const sync = async ({ ops }: Visit): Promise<string> => {
    const body = { deviceTime: new Date().toISOString(), ops }
    return JSON.stringify((await read(server.url, 'POST', '/api/v1/driver/sync', { token, body })).results)
  }
  /** Visits one task after the other until the server stops answering. */
  const keepVisiting = async () => {
    for (;;) {
      const visit = visitTo(waiting.shift() as number)
      try {
        await send(visit.fileId, makePng(20, 20, { shade: visit.taskId % 256 }))
        done.set(visit, await sync(visit))
      } catch {
        unheard.push(visit)
        return
      }
    }
  }

  for (let round = 1; round <= rounds; round += 1) {
    const senders = [keepSending(), keepSending(), keepVisiting(), keepVisiting()]
    const wanted = acknowledged.size + 5 + round
    const visited = done.size + 3 + round
    await until('some photos and visits', () => acknowledged.size >= wanted && done.size >= visited)
    const victims = dying[(round - 1) % dying.length] as readonly string[]
    const children = await childrenOf(server.pid)
    if (victims.includes('database')) database.kill()
    if (victims.includes('server')) await server.kill()
    await Promise.all(senders)
    if (victims.includes('database')) await database.startAgain()
    if (victims.includes('server')) {
      for (const pid of children) await until('the process that reads pictures to end', () => isGone(pid))
      server = await start()
    }
    const isReady = () => fetch(`${server.url}/ready`).then(({ ok }) => ok)
    await until('the server to be ready', isReady)

    for (const [id, hash] of acknowledged)
      assert.equal(hashOf(await call(server.url, 'GET', `/files/${id}`, { token })), hash, `photo ${id}`)
    for (const [id, bytes] of unanswered.splice(0)) await send(id, bytes)
    for (const visit of unheard.splice(0)) {
      await send(visit.fileId, makePng(20, 20, { shade: visit.taskId % 256 }))
      done.set(visit, await sync(visit))
    }
    for (const [visit, answer] of done) {
      assert.deepEqual(
        JSON.parse(answer).map(({ success }: { success: boolean }) => success),
        visit.ops.map(() => true),
        answer,
      )
      assert.equal(await sync(visit), answer, 'a repeat is answered like the first')
      const { task } = await read(server.url, 'GET', `/api/v1/tasks/${visit.taskId}`)
      const { payments } = await read(server.url, 'GET', `/api/v1/tasks/${visit.taskId}/payments`)
      assert.deepEqual(
        {
          statusId: task.statusId,
          notes: task.notes.map(({ note, image }: { note: string; image: string | null }) => [note, image]),
          left: task.leftToBePaid,
          paid: payments.map(({ amount }: { amount: number }) => amount),
        },
        { statusId: Succeeded, notes: [[visit.note, `/files/${visit.fileId}`]], left: 0, paid: [price] },
        'all of it, once',
      )
    }
  }
  const direct = openDatabase({ url: gate.url, connections: 1, onIdleError: () => {} })
  cleanUp.defer(direct.close)
  const { summary, faults } = await checkCash(direct.of(1), 1)
  assert.deepEqual(faults, [], 'money adds up')
  assert.match(summary, new RegExp(`^${done.size} payments of drivers, ${done.size * price} in all`))
  tellNumbers(t, 'crash-field', { deaths: rounds, photos: acknowledged.size, visits: done.size, ops: done.size * 4 })
})

type Visit = ReturnType<typeof visitTo>

/** What a driver does at a task. */
function visitTo(taskId: number) {
  const [fileId, note] = [randomUUID(), `Left with the neighbour of ${taskId}`]
  const op = (type: string, given: object = {}) => ({
    opId: randomUUID(),
    type,
    taskId,
    occurredAt: new Date().toISOString(),
    ...given,
  })
  const ops = [
    op('start'),
    op('photo', { fileId, note }),
    op('payment', { amount: price, method: 'cash' }),
    op('complete'),
  ]
  return { taskId, fileId, note, ops }
}
