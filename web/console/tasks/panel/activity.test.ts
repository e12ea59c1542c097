import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask, makeDriver } from '../../../../server/test/factories.ts'
import { startServer } from '../../../../server/test/server.ts'
import type { Formats } from '../../../api/time.ts'
import { sayIn } from '../../../words/words.ts'
import { activityOf } from './activity.ts'
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
