import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask, makeDriver, makeTeam } from '../test/factories.ts'
import { startServer, type TestServer } from '../test/server.ts'

const awbs = async (server: TestServer, query = '') => {
  const { body } = await server.get(`/tasks${query}`)
  return body.tasks.map((task: { awb: string }) => task.awb)
}

test('pages follow each other without a gap or a repetition', async (t) => {
  const server = await startServer(t)
  const names = Array.from({ length: 7 }, (_, index) => `P-${index}`)
  await server.post('/tasks/bulkCreate', { tasks: names.map((awb) => aTask({ awb })) })

  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await server.get(`/tasks?limit=3${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.tasks.map((task: { awb: string }) => task.awb))
    cursor = body.nextCursor
  } while (cursor)
  assert.deepEqual(seen, names)
  assert.deepEqual(await awbs(server), names)
})

test('tasks of several states come in one order, page by page', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  for (const [index, awb] of ['A', 'B', 'C', 'D', 'E', 'F'].entries())
    await server.post('/tasks', aTask({ awb, ...(index % 2 === 0 && { userId: driver.id }) }))
  await server.put('/tasks/awb/E/forceComplete', {})

  assert.deepEqual(await awbs(server, '?statusId=6,1,6'), ['A', 'B', 'C', 'D', 'F'])
  const first = (await server.get('/tasks?statusId=9,1&limit=2')).body
  const rest = await awbs(server, `?statusId=9,1&limit=2&cursor=${first.nextCursor}`)
  assert.deepEqual([...first.tasks.map(({ awb }: { awb: string }) => awb), ...rest], ['B', 'D', 'E', 'F'])
})

test("a driver's tasks follow each other page by page, open ones first", async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const names = ['A', 'B', 'C', 'D', 'E']
  await server.post(`/drivers/${driver.id}/tasks/bulkCreate`, { tasks: names.map((awb) => aTask({ awb })) })
  for (const awb of ['A', 'C']) await server.put(`/tasks/awb/${awb}/forceComplete`, {})

  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await server.get(`/drivers/${driver.id}/tasks?limit=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.tasks.map((task: { awb: string }) => task.awb))
    cursor = body.nextCursor
  } while (cursor)
  assert.deepEqual(seen, ['B', 'D', 'E', 'A', 'C'])
})

test('filters narrow a list down', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const team = await makeTeam(server)
  await server.post('/tasks', aTask({ awb: 'ONE', userId: driver.id, completeAfter: '2026-03-01 09:00' }))
  await server.post(
    '/tasks',
    aTask({ awb: 'TWO', teamId: team.id, completeAfter: '2026-03-02 09:00', details: '100% silk' }),
  )
  await server.post('/tasks', aTask({ awb: 'THREE', customer: { name: 'Maria' }, completeBefore: '2026-03-03 09:00' }))

  assert.deepEqual(await awbs(server, '?statusId=6'), ['ONE'])
  assert.deepEqual(await awbs(server, '?statusId=1,6'), ['ONE', 'TWO', 'THREE'])
  assert.deepEqual(await awbs(server, `?userId=${driver.id}`), ['ONE'])
  assert.deepEqual(await awbs(server, `?teamId=${team.id}`), ['TWO'])
  assert.deepEqual(await awbs(server, '?awb=THREE'), ['THREE'])
  assert.deepEqual(await awbs(server, '?q=maria'), ['THREE'])
  assert.deepEqual(await awbs(server, '?q=0%25%20s'), ['TWO'])
  assert.deepEqual(await awbs(server, '?q=_'), [])
  assert.deepEqual(await awbs(server, '?from=2026-03-02&to=2026-03-02%2023:59'), ['TWO'])
  assert.deepEqual(await awbs(server, '?updatedAfter=2999-01-01'), [])
})

test('a filter that makes no sense is told so', async (t) => {
  const server = await startServer(t)
  const cases: [query: string, field: string][] = [
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['statusId=open', 'statusId'],
    ['from=yesterday', 'from'],
    ['userId=x', 'userId'],
  ]
  for (const [query, field] of cases) {
    const { status, body } = await server.get(`/tasks?${query}`)
    assert.deepEqual([status, body.error.field], [400, field], query)
  }
})

test('a task is found by its id and by its awb, whatever characters that has', async (t) => {
  const server = await startServer(t)
  for (const awb of ['a b', '100%', 'q?x#y', '"quoted"', "o'neill", '📦-1', '1+1=2']) {
    const { task } = (await server.post('/tasks', aTask({ awb }))).body
    assert.deepEqual((await server.get(`/tasks/awb/${encodeURIComponent(awb)}`)).body.task, task)
    assert.deepEqual((await server.get(`/tasks/${task.id}`)).body.task, task)
  }
})
