import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type CaseOp, cases } from '../../../core/driver/cases.ts'
import { settingsOf } from '../../../core/settings.ts'
import { aTask, makeDriver, signIn } from '../../test/factories.ts'
import { request, startServer } from '../../test/server.ts'

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

const field = { field_key: 'door', label: 'Door', type: 'text' }

test('the server decides by the rules of drivers', async (t) => {
  const server = await startServer(t)
  const place = { ...server, ...(await server.another()) }
  const driver = await makeDriver(place)
  const token = await signIn(place, driver)
  await place.post('/tasks', aTask({ awb: 'OPEN' }))
  const { settings } = (await place.get('/company')).body.company
  const standard = settingsOf({ settings })

  for (const [number, { name, settings = {}, ...given }] of cases.entries()) {
    await place.put('/company', { settings: { ...changedBack(standard), ...settings } })
    const awb = `A-${number}`
    const form = given.field && (await place.post('/forms', { fields: [{ ...field, ...given.field }] })).body.form
    const reasonCode = `reason-${number}`
    if (given.reason) await place.post('/reasons', { code: reasonCode, label: 'Nobody', ...given.reason })
    const { task } = (
      await place.post('/tasks', {
        ...aTask({ awb, userId: driver.id, totalPrice: given.price ?? 0 }),
        ...(form && { formId: form.id }),
        ...(given.waits && { dependencies: ['OPEN'] }),
      })
    ).body
    const ops: Wire[] = []
    for (const { type, amount, answer, withReason, reason, of } of [...(given.before ?? []), given.op] as CaseOp[])
      ops.push({
        opId: randomUUID(),
        type,
        occurredAt: new Date().toISOString(),
        ...(type !== 'takeBack' && { taskId: task.id }),
        ...(type === 'note' && { note: 'Third floor' }),
        ...((type === 'photo' || type === 'signature') && { fileId: randomUUID() }),
        ...(amount !== undefined && { amount, method: 'cash' }),
        ...(answer !== undefined && { answers: [{ field_key: 'door', answer }] }),
        ...(withReason && { reasonCode }),
        ...(reason !== undefined && { reason }),
        ...(of && { of: ops.findLast((op) => op.type === of).opId }),
      })
    const body = { deviceTime: new Date().toISOString(), ops }
    const { results } = (await request(server.url, 'POST', '/api/v1/driver/sync', { key: token, body })).body
    const codes = results.map(({ success, error }: Wire) => (success ? 'done' : error.code))
    const wanted = [...ops.slice(1).map(() => 'done'), given.refused ?? 'done']
    const after = (await place.get(`/tasks/awb/${awb}`)).body.task
    assert.deepEqual([codes, after.statusId], [wanted, given.statusId], name)
  }
})

/** All settings the cases change, as they were. */
const changedBack = (standard: Record<string, unknown>) =>
  Object.fromEntries(cases.flatMap(({ settings = {} }) => Object.keys(settings)).map((name) => [name, standard[name]]))
