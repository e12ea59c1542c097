import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { sql } from '../db/sql.ts'
import { aTask, letDaysPass, makeDriver, signIn } from '../test/factories.ts'
import { request, startServer } from '../test/server.ts'

type Given = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

const home = { code: 'NOBODY_HOME', label: 'Nobody at home', labels: { ro: 'Nimeni acasă' } }

/** A driver with a task, an office with a reason, and short ways to fail. */
async function aFailure(t: TestContext, given: Given = {}) {
  const server = await startServer(t)
  const place = { ...server, ...(await server.another()) }
  const { reason } = (await place.post('/reasons', { ...home, ...given })).body
  const driver = await makeDriver(place)
  const key = await signIn(place, driver)
  const { task } = (await place.post('/tasks', aTask({ awb: 'A-1', userId: driver.id }))).body as Wire
  await letDaysPass(place)
  const sync = async (...ops: Given[]): Promise<Wire> => {
    const deviceTime = new Date().toISOString()
    const sent = ops.map((op) => ({ opId: randomUUID(), taskId: task.id, occurredAt: deviceTime, ...op }))
    return (await request(server.url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime, ops: sent } })).body
  }
  return {
    server: place,
    reason: reason as Wire,
    sync,
    /** What came of failing: the code of a refusal, or why the task failed. */
    async fail(given: Given) {
      const body = { reasonCode: 'NOBODY_HOME', ...given }
      const reply = await request(server.url, 'POST', `/api/v1/driver/tasks/${task.id}/fail`, { key, body })
      return reply.body.error ?? [reply.body.task.cancelReason, reply.body.task.cancelReasonCode]
    },
    look: async (): Promise<Wire> => (await place.get('/tasks/awb/A-1')).body.task,
  }
}

test('reasons are created, listed, changed and deleted; their codes stay', async (t) => {
  const { server, reason } = await aFailure(t)
  assert.deepEqual(
    [reason.code, reason.label, reason.labels, reason.photoRequired, reason.noteRequired],
    ['NOBODY_HOME', 'Nobody at home', { ro: 'Nimeni acasă' }, false, false],
  )
  assert.equal((await server.post('/reasons', home)).body.error.code, 'REASON_TAKEN')
  assert.equal((await server.post('/reasons', { code: 'EMPTY' })).body.error.field, 'label')
  assert.equal((await server.post('/reasons', { code: 'RO', labels: { ro: 'Ploaie' } })).body.reason.label, 'Ploaie')
  for (const labels of [{ ro: '' }, { Romanian: 'Ploaie' }, { ro: 7 }, { ro: 'a\0b' }, []])
    assert.equal((await server.post('/reasons', { ...home, code: 'X', labels })).body.error.code, 'VALIDATION_FAILED')
  assert.equal((await server.post('/reasons', { ...home, code: 'a b' })).body.error.field, 'code')

  const changed = (await server.put(`/reasons/${reason.id}`, { noteRequired: true, code: 'OTHER' })).body.reason
  assert.deepEqual([changed.code, changed.label, changed.noteRequired], ['NOBODY_HOME', 'Nobody at home', true])
  assert.equal((await server.delete(`/reasons/${reason.id}`)).status, 200)
  assert.equal((await server.delete(`/reasons/${reason.id}`)).body.error.code, 'REASON_NOT_FOUND')
  assert.equal((await server.post('/reasons', home)).status, 200)
  const { reasons } = (await server.get('/reasons')).body
  assert.deepEqual(
    reasons.map(({ code }: Wire) => code),
    ['RO', 'NOBODY_HOME'],
  )
})

test('a driver fails a task for a reason, and the task says so in words and by code', async (t) => {
  const { sync, fail, look, reason } = await aFailure(t)
  const { changes, results } = await sync(
    { type: 'fail', reasonCode: 'NEVER_HEARD' },
    { type: 'fail', reasonCode: 'NOBODY_HOME', reason: 'Rang three times' },
  )
  assert.deepEqual(results[0].error, {
    code: 'REASON_NOT_FOUND',
    field: 'reasonCode',
    message: 'There is no reason with the code NEVER_HEARD',
  })
  assert.equal(results[1].success, true)
  assert.deepEqual(changes.reasons, [reason])
  const { cancelReason, cancelReasonCode, statusId } = await look()
  assert.deepEqual([statusId, cancelReason, cancelReasonCode], [10, 'Nobody at home: Rang three times', 'NOBODY_HOME'])
  assert.deepEqual(await fail({}), [cancelReason, cancelReasonCode])
})

test('a reason that needs a photo or a note gets it from the driver first', async (t) => {
  const { sync, fail, look, server } = await aFailure(t, { photoRequired: true, noteRequired: true })
  await server.post('/tasks/awb/A-1/notes', { note: 'From the office' })
  assert.equal((await fail({ reason: 'Rang' })).code, 'PHOTO_REQUIRED')
  await sync({ type: 'photo', fileId: randomUUID() })
  assert.equal((await fail({ reason: ' ' })).code, 'NOTE_REQUIRED')
  await sync({ type: 'note', note: 'The gate is locked' })
  assert.deepEqual(await fail({}), ['Nobody at home', 'NOBODY_HOME'])
  assert.equal((await look()).statusId, 10)
})

test('what the office changed about reasons after the driver had failed the task does not undo it', async (t) => {
  const { server, reason, sync, look } = await aFailure(t)
  await server.put(`/reasons/${reason.id}`, { photoRequired: true })
  await server.delete(`/reasons/${reason.id}`)
  // A minute ago, because phones count milliseconds and the database counts microseconds.
  await server.database.everyone.run(sql`
    update reasons set updated_at = updated_at - interval '1 minute', deleted_at = deleted_at - interval '1 minute'
    where organisation_id = ${server.organisationId}`)
  const { results } = await sync(
    { type: 'fail', reasonCode: 'NOBODY_HOME' },
    { type: 'fail', reasonCode: 'NOBODY_HOME', occurredAt: new Date(Date.now() - 120_000).toISOString() },
  )
  assert.deepEqual([results[0].error.code, results[1].success], ['REASON_NOT_FOUND', true])
  assert.equal((await look()).cancelReasonCode, 'NOBODY_HOME')
})

test('the office fails a task for a reason, too, and is asked for nothing more', async (t) => {
  const { server, look } = await aFailure(t, { photoRequired: true, noteRequired: true })
  const force = (body: Given) => server.put('/tasks/awb/A-1/forceComplete', body)
  assert.equal((await force({ success: false, reasonCode: 'NEVER_HEARD' })).body.error.field, 'reasonCode')
  assert.equal((await look()).statusId, 6)
  await server.put('/company', { settings: { forceCompleteAsFailedCancelReason: 'Office' } })
  const { task } = (await force({ success: false, reasonCode: 'NOBODY_HOME' })).body as Wire
  assert.deepEqual([task.cancelReason, task.cancelReasonCode], ['Nobody at home', 'NOBODY_HOME'])
})

test('a failure that is settled later keeps its reason', async (t) => {
  const { server, sync, look } = await aFailure(t)
  await server.post('/tasks/bulkUnassign', { tasks: ['A-1'] })
  await sync({ type: 'fail', reasonCode: 'NOBODY_HOME', reason: 'Rang' })
  const [conflict] = (await server.get('/conflicts')).body.conflicts
  await server.post(`/conflicts/${conflict.id}/settle`, { apply: true })
  assert.deepEqual(
    [(await look()).cancelReason, (await look()).cancelReasonCode],
    ['Nobody at home: Rang', 'NOBODY_HOME'],
  )
})
