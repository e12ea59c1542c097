import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask } from '../test/factories.ts'
import { request, startServer, type TestServer } from '../test/server.ts'

const rate = async (server: TestServer, uuid: string, body: object = { rating: 4 }, address = '198.18.3.7') => {
  const headers = { 'x-forwarded-for': address }
  const reply = await request(server.url, 'POST', `/t/${uuid}/feedback`, { body, headers })
  return reply.body.error?.code ?? 'done'
}

async function anEndedTask(server: TestServer, awb: string) {
  const { body } = await server.post('/tasks', aTask({ awb }))
  const driver = (await server.post('/drivers', { name: 'Ana', phone: '0712345678', teams: [await aTeam(server)] }))
    .body
  await server.put(`/containers/drivers/${driver.user.id}`, { tasks: [awb] })
  await server.put(`/tasks/awb/${awb}/forceComplete`, {})
  return body.task
}
const aTeam = async (server: TestServer) => (await server.post('/teams', { name: 'North' })).body.team.id

test('a customer rates a task once, after its end, and the office and webhooks see it', async (t) => {
  const server = await startServer(t, { WAYBILL_TRUST_PROXY: 'true' })
  const { uuid: open } = (await server.post('/tasks', aTask())).body.task
  assert.equal(await rate(server, open), 'TASK_NOT_ENDED')
  const { uuid, id } = await anEndedTask(server, 'A-1')

  assert.equal(await rate(server, uuid, { rating: 6 }), 'VALIDATION_FAILED')
  assert.equal(await rate(server, uuid, { rating: 4, comment: 'Friendly' }), 'done')
  assert.equal(await rate(server, uuid, { rating: 1 }), 'FEEDBACK_GIVEN')

  const { task } = (await server.get(`/tasks/${id}`)).body
  const [{ createdAt, ...feedback }] = task.feedbacks
  assert.deepEqual([feedback, task.feedbacks.length], [{ id, rating: 4, comment: 'Friendly' }, 1])
  const last = task.timelines.at(-1)
  assert.deepEqual(
    [last.event, last.actor.name, last.data],
    ['TASK_UPDATED', 'Customer', { previous: { feedbacks: [] } }],
  )
  assert.equal(last.occurredAt, createdAt)
  const { events } = (await server.get('/events')).body
  assert.equal(events.at(-1).data.task.feedbacks[0].rating, 4)
})

test('of two ratings at the same time one counts', async (t) => {
  const server = await startServer(t, { WAYBILL_TRUST_PROXY: 'true' })
  const { uuid } = await anEndedTask(server, 'A-2')
  const answers = await Promise.all([1, 2, 3].map((rating) => rate(server, uuid, { rating })))
  assert.deepEqual(answers.sort(), ['FEEDBACK_GIVEN', 'FEEDBACK_GIVEN', 'done'])
})

test('wrong tokens say nothing, and however many came from an address, the right one works there', async (t) => {
  const server = await startServer(t, { WAYBILL_TRUST_PROXY: 'true' })
  const { uuid } = await anEndedTask(server, 'A-3')
  const { awb } = (await server.post('/tasks', aTask({ awb: 'GONE' }))).body.task
  const { uuid: deleted } = (await server.get(`/tasks/awb/${awb}`)).body.task
  await server.delete(`/tasks/awb/${awb}`)
  const from = (token: string) => rate(server, token, { rating: 5 }, '198.18.3.99')
  assert.deepEqual([await from('nobody'), await from(deleted)], ['TASK_NOT_FOUND', 'TASK_NOT_FOUND'])
  const wrong = await Promise.all(Array.from({ length: 40 }, (_, at) => from(`nobody-${at}`)))
  assert.deepEqual(new Set(wrong), new Set(['TASK_NOT_FOUND']))
  assert.equal(await from(uuid), 'done')
})
