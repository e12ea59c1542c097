import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { aTask, makeDriver, signIn } from '../../../../server/test/factories.ts'
import { photo } from '../../../../server/test/pictures.ts'
import { request, startServer } from '../../../../server/test/server.ts'
import type { Formats } from '../../../api/time.ts'
import { sayIn } from '../../../test/words.ts'
import { activityOf } from './activity.ts'
import { reportedWordOf, wordOf } from './activity-words.ts'
import { addedNotes, tellChanges } from './change-words.ts'

const formats = { dateTime: String, money: (amount: number) => `${amount} lei`, duration: String } as unknown as Formats

test('the activity of a task shows each action once, with the values before and after', async (t) => {
  const server = await startServer(t)
  const ana = await makeDriver(server, { name: 'Ana' })
  const vlad = await makeDriver(server, { name: 'Vlad' })
  const { body } = await server.post('/tasks', aTask({ awb: 'A-1', details: 'one', userId: ana.id }))
  await server.put('/tasks/awb/A-1', { details: 'two', totalPrice: 50, address: { city: 'Iași' } })
  await server.put(`/containers/drivers/${vlad.id}`, { tasks: ['A-1'] })
  await server.put('/tasks/awb/A-1', { details: 'three' })
  await server.post('/tasks/awb/A-1/notes', { note: 'Ring twice' })
  await server.put('/tasks/awb/A-1/forceComplete', { success: false, failureReason: 'Nobody' })

  const { task } = (await server.get(`/tasks/${body.task.id}`)).body
  const story = activityOf(task)
  assert.deepEqual(
    story.map(({ event, driver }) => [event, driver]),
    [
      ['TASK_FAILED', 'Vlad'],
      ['TASK_UPDATED', 'Vlad'],
      ['TASK_UPDATED', 'Vlad'],
      ['TASK_ASSIGNED', 'Vlad'],
      ['TASK_UPDATED', 'Ana'],
      ['TASK_CREATED', 'Ana'],
    ],
  )
  const told = story.map(({ changes }) =>
    tellChanges(changes, sayIn('en'), formats).map(({ label, before, after }) => `${label}: ${before} → ${after}`),
  )
  assert.deepEqual(told[0], ['Reason:  → Nobody'])
  assert.deepEqual(addedNotes(story[1]!.changes), ['Ring twice'])
  assert.deepEqual(told[2], ['Details: two → three'])
  assert.deepEqual(told[3], ['Driver: Ana → Vlad'])
  assert.deepEqual(told[4]?.toSorted(), [
    'Address precision: exact → not found',
    'City:  → Iași',
    'Collected by driver: No → Yes',
    'Details: one → two',
    'Price:  → 50 lei',
  ])
  assert.deepEqual(told[5], [])
})

test('an arrival, an acceptance and a plan are called what they are, and only an edit is called one', async (t) => {
  const server = await startServer(t)
  await server.put('/company', { settings: { driverAutoAcceptOrders: false } })
  const ana = await makeDriver(server, { name: 'Ana' })
  const key = await signIn(server, ana)
  const { id } = (await server.post('/tasks', aTask({ awb: 'A-1', userId: ana.id }))).body.task
  const verb = (name: string) => request(server.url, 'POST', `/api/v1/driver/tasks/${id}/${name}`, { key, body: {} })
  await verb('accept')
  await server.post(`/drivers/${ana.id}/tasks/optimizeTodayTasks`, {})
  await verb('start')
  await verb('arrive')
  await server.put('/tasks/awb/A-1', { details: 'Ring twice' })

  const { task } = (await server.get(`/tasks/${id}`)).body
  assert.deepEqual(
    activityOf(task).map((activity) => [activity.actor.name, wordOf(activity, false)]),
    [
      ['Test key', 'TASK_UPDATED'],
      ['Ana', 'TASK_ARRIVED'],
      ['Ana', 'TASK_START'],
      ['Test key', 'TASK_PLANNED'],
      ['Ana', 'TASK_ACCEPTED'],
      ['Test key', 'TASK_CREATED_FOR'],
    ],
  )
})

test('a picture that arrives, and a report that became a conflict, have their own words', async (t) => {
  const server = await startServer(t)
  const ana = await makeDriver(server, { name: 'Ana' })
  const vlad = await makeDriver(server, { name: 'Vlad' })
  const key = await signIn(server, ana)
  const { id } = (await server.post('/tasks', aTask({ awb: 'A-1', userId: ana.id }))).body.task
  const sync = (op: object) => {
    const occurredAt = new Date().toISOString()
    const body = { deviceTime: occurredAt, ops: [{ opId: randomUUID(), taskId: id, occurredAt, ...op }] }
    return request(server.url, 'POST', '/api/v1/driver/sync', { key, body })
  }
  const fileId = randomUUID()
  await sync({ type: 'photo', fileId })
  const headers = { 'content-type': 'image/jpeg' }
  await request(server.url, 'PUT', `/api/v1/driver/files/${fileId}`, { key, raw: photo, headers })
  await server.put(`/containers/drivers/${vlad.id}`, { tasks: ['A-1'] })
  await sync({ type: 'complete' })
  await sync({ type: 'start' })
  const [conflict] = (await server.get('/conflicts')).body.conflicts
  await server.post(`/conflicts/${conflict.id}/settle`, { apply: false })

  const told = activityOf((await server.get(`/tasks/${id}`)).body.task).map((activity) => [
    wordOf(activity, addedNotes(activity.changes).length > 0),
    reportedWordOf(activity.remark),
  ])
  assert.deepEqual(told, [
    ['TASK_KEPT', 'did_complete'],
    ['TASK_REPORTED_LATE', 'did_start'],
    ['TASK_CONFLICT', 'did_complete'],
    ['TASK_ASSIGNED', undefined],
    ['TASK_PICTURE_ARRIVED', undefined],
    ['TASK_NOTED', undefined],
    ['TASK_CREATED_FOR', undefined],
  ])
})
