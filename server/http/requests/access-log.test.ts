import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { aTask } from '../../test/factories.ts'
import { addPerson, aPassword, signIn } from '../../test/people.ts'
import { request, startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { openLines } from './log-lines.ts'

async function makeFolder(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-lines-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

interface Line {
  method: string
  route: string | null
  status: number
  ms: number
  bytes: number | null
  address: string
  companyId: number | null
  actor: { type: string; id: number } | null
}

const readLines = async (path: string): Promise<Line[]> =>
  (await readFile(path, 'utf8').catch(() => ''))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

test('every request has a line: how it came, by its route, and whose it was, and no secret is in it', async (t) => {
  const path = join(await makeFolder(t), 'access.log')
  const server = await startServer(t, { WAYBILL_ACCESS_LOG: path })
  const ana = await addPerson(server, 'admin')
  const { task } = (await server.post('/tasks', aTask({ awb: 'SECRET-AWB' }))).body
  await server.get('/tasks?q=hidden-words')
  await request(server.url, 'GET', `/t/${task.uuid}`, { headers: { accept: 'text/html' } })
  await signIn(server.url, ana.email)
  await signIn(server.url, 'nobody@example.org', 'wrong password')
  await ana.get('/session')
  await request(server.url, 'GET', '/nowhere/hidden-path')
  await request(server.url, 'GET', '/api/v1/tasks', { key: 'wrong-key-of-somebody' })

  const seen = (lines: Line[]) =>
    lines.map(({ method, route, status, companyId, actor }) =>
      [method, route, status, companyId, actor && `${actor.type} ${actor.id}`].join(' '),
    )
  const lines = await until('eight lines', async () => {
    const found = await readLines(path)
    return found.length >= 8 && found
  })
  const keyId = lines[0]?.actor?.id
  const { organisationId: id } = server
  assert.deepEqual(seen(lines), [
    `POST /api/v1/tasks 200 ${id} API ${keyId}`,
    `GET /api/v1/tasks 200 ${id} API ${keyId}`,
    'GET /t/:uuid 200  ',
    'POST /api/v1/session 200  ',
    'POST /api/v1/session 401  ',
    `GET /api/v1/session 200 ${id} ADMIN ${ana.id}`,
    'GET  404  ',
    'GET /api/v1/tasks 401  ',
  ])
  for (const { ms, bytes, address } of lines)
    assert.ok(ms >= 0 && typeof bytes === 'number' && bytes > 0 && address === '127.0.0.1')
  const text = await readFile(path, 'utf8')
  const secrets = [server.key, task.uuid, 'SECRET-AWB', 'hidden', ana.email, ana.cookie, aPassword, 'nobody', 'wrong']
  for (const secret of secrets) assert.ok(!text.includes(secret), secret)
})

test('lines that cannot be written are dropped beyond a bound, and a line says how many; nobody waits', async (t) => {
  const folder = await makeFolder(t)
  const path = join(folder, 'later', 'access.log')
  const troubles: string[] = []
  const lines = openLines(path, ({ message }) => troubles.push(message))
  const long = 'x'.repeat(1_000)
  for (let number = 0; number < 2_000; number += 1) lines.add({ number, long })
  await until('the trouble', () => troubles.length > 0)
  await mkdir(join(folder, 'later'))
  const written = await until('the lines', async () => {
    const found = (await readLines(path)) as unknown as { number?: number; dropped?: number }[]
    return found.some(({ dropped }) => dropped) && found
  })
  const numbers = written.flatMap(({ number }) => number ?? [])
  const dropped = written.find((line) => line.dropped)?.dropped ?? 0
  assert.deepEqual(numbers, [...numbers.keys()], 'the first, in order')
  assert.equal(numbers.length + dropped, 2_000)
  assert.ok(dropped > 500 && numbers.length > 500)
  assert.equal(troubles.length, 1)

  // Moved away, as for rotating: it begins anew.
  await rename(path, `${path}.1`)
  lines.add({ number: 1 })
  await lines.close()
  assert.equal((await readLines(path)).length, 1)
})
