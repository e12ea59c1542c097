import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask, makeDriver } from '../../test/factories.ts'
import { startServer, type TestServer } from '../../test/server.ts'

const taskOf = async (server: TestServer, awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task
const close = async (server: TestServer, tasks: string[], closed?: boolean) => {
  const { status, body, text } = await server.post('/tasks/bulkClose', {
    tasks,
    ...(closed !== undefined && { closed }),
  })
  assert.equal(status, 200, text)
  return body.results
}

async function withFailed(server: TestServer, ...awbs: string[]) {
  await server.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })
  const driver = await makeDriver(server)
  for (const awb of awbs) {
    await server.post('/tasks', aTask({ awb, userId: driver.id }))
    await server.put(`/tasks/awb/${awb}/forceComplete`, { success: false })
  }
}

test('failed tasks are left as they are, once, and wait for a decision again when that is taken back', async (t) => {
  const server = await startServer(t)
  await withFailed(server, 'A-1', 'A-2')
  await server.post('/tasks', aTask({ awb: 'OPEN' }))

  const results = await close(server, ['A-1', 'OPEN', 'NONE', 'A-1'])
  assert.deepEqual(
    results.map(({ awb, success, error }: { awb: string; success: boolean; error?: { code: string } }) => [
      awb,
      success,
      error?.code,
    ]),
    [
      ['A-1', true, undefined],
      ['OPEN', false, 'TASK_NOT_FAILED'],
      ['NONE', false, 'TASK_NOT_FOUND'],
      ['A-1', true, undefined],
    ],
  )
  const closed = await taskOf(server, 'A-1')
  assert.deepEqual([closed.statusId, results[0].data.closedAt], [10, closed.closedAt])
  assert.deepEqual(closed.timelines.at(-1).data.previous, { closedAt: null })
  assert.equal((await taskOf(server, 'A-2')).closedAt, null)

  const before = (await server.triggers('A-1')).length
  await close(server, ['A-1'])
  assert.equal((await server.triggers('A-1')).length, before, 'it was left already')
  assert.equal((await taskOf(server, 'A-1')).closedAt, closed.closedAt)

  await close(server, ['A-1'], false)
  const again = await taskOf(server, 'A-1')
  assert.equal(again.closedAt, null)
  assert.deepEqual(again.timelines.at(-1).data.previous, { closedAt: closed.closedAt })
})

test('what was left can still be tried again, brought back and corrected, and is not left any more', async (t) => {
  const server = await startServer(t)
  await withFailed(server, 'AGAIN', 'BACK', 'RIGHT')
  await close(server, ['AGAIN', 'BACK', 'RIGHT'])

  await server.post('/tasks/awb/AGAIN/reattempt', {})
  await server.post('/tasks/awb/BACK/return', {})
  await server.post('/tasks/awb/RIGHT/correct', { statusId: 9, reason: 'The neighbour had it' })

  for (const awb of ['AGAIN', 'BACK', 'RIGHT']) assert.equal((await taskOf(server, awb)).closedAt, null, awb)
  const [again, back, right] = await close(server, ['AGAIN', 'BACK', 'RIGHT'])
  assert.deepEqual(
    [again, back, right].map(({ error }) => error.code),
    ['TASK_REATTEMPTED', 'TASK_RETURNED', 'TASK_NOT_FAILED'],
  )
  assert.match(again.error.message, /AGAIN-2/)
})
