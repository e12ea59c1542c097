import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask } from '../../test/factories.ts'
import { startServer } from '../../test/server.ts'

const awbs = Array.from({ length: 60 }, (_, n) => `A-${n}`)

test('sixty who ask for a task at the same time get each their own, and know at once what was written before', async (t) => {
  const server = await startServer(t)
  const other = await startServer(t)
  const { body } = await server.post('/tasks/bulkCreate', { tasks: awbs.map((awb) => aTask({ awb })) })
  await other.post('/tasks', aTask({ awb: 'A-0', details: 'Of somebody else' }))
  const ids = body.results.map(({ data }: { data: { id: number } }) => data.id)
  await server.post('/tasks/awb/A-1/notes', { note: 'Ring twice' })
  await server.delete('/tasks/awb/A-2')

  const replies = await Promise.all([
    ...awbs.map((awb) => server.get(`/tasks/awb/${awb}`)),
    ...ids.map((id: number) => server.get(`/tasks/${id}`)),
    other.get('/tasks/awb/A-0'),
    other.get(`/tasks/${ids[0]}`),
    // What was written is seen by whoever asks after the answer to it.
    ...[3, 4, 5].map(async (n) => {
      await server.put(`/tasks/awb/A-${n}`, { details: `Changed ${n}` })
      return server.get(`/tasks/awb/A-${n}`)
    }),
  ])

  const found = replies.map(({ status, body }) => (status === 200 ? body.task : body.error.code))
  const byAwb = found.slice(0, 60)
  const byId = found.slice(60, 120)
  const [theirs, hidden, ...changed] = found.slice(120)
  for (const [n, awb] of awbs.entries())
    if (n === 2) assert.deepEqual([byAwb[n], byId[n]], ['TASK_NOT_FOUND', 'TASK_NOT_FOUND'])
    else assert.deepEqual([byAwb[n].awb, byId[n].awb, byId[n].id], [awb, awb, ids[n]])
  assert.equal(byAwb[1].notes[0].note, 'Ring twice')
  assert.deepEqual(
    byAwb[1].timelines.map(({ event }: { event: string }) => event),
    ['TASK_CREATED', 'TASK_UPDATED'],
  )
  assert.equal(theirs.details, 'Of somebody else')
  assert.equal(hidden, 'TASK_NOT_FOUND')
  assert.deepEqual(
    changed.map(({ details }) => details),
    ['Changed 3', 'Changed 4', 'Changed 5'],
  )
})
