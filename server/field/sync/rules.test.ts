import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type CaseOp, cases, stopCases } from '../../../core/driver/cases.ts'
import { nextMoveAtStop } from '../../../core/driver/rules.ts'
import { settingsOf } from '../../../core/settings.ts'
import { isOpen } from '../../../core/task-status.ts'
import { stopOf } from '../../../phone/stop.ts'
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

test('the server decides by the same rules about a stop of several parcels', async (t) => {
  const server = await startServer(t)
  const place = { ...server, ...(await server.another()) }
  const token = async () => {
    const driver = await makeDriver(place)
    return { driver, key: await signIn(place, driver) }
  }
  await place.post('/tasks', aTask({ awb: 'OPEN' }))
  const { settings } = (await place.get('/company')).body.company
  const standard = settingsOf({ settings })

  for (const [
    number,
    { name, settings = {}, parcels, ops, refused = {}, statusIds, next, named },
  ] of stopCases.entries()) {
    await place.put('/company', { settings: { ...changedBack(standard), ...settings } })
    const { driver, key } = await token()
    const awbOf = (parcel: number) => `S-${number}-${parcel}`
    const ids: number[] = []
    for (const [at, { price = 0, customer = at, waits }] of parcels.entries()) {
      const given = {
        ...aTask({ awb: awbOf(at), userId: driver.id, totalPrice: price }),
        customer: { name: `Customer ${customer}`, phone: `0722${number + 100}00${customer}` },
        ...(waits !== undefined && { dependencies: [waits === true ? 'OPEN' : awbOf(waits)] }),
      }
      ids.push((await place.post('/tasks', given)).body.task.id)
    }
    const fileId = randomUUID()
    const given = ops.map(({ parcel, amount, type }) => ({
      opId: randomUUID(),
      type,
      taskId: ids[parcel],
      occurredAt: new Date().toISOString(),
      ...(type === 'signature' && { fileId, name: 'Ana' }),
      ...(amount !== undefined && { amount, method: 'cash' }),
    }))
    const body = { deviceTime: new Date().toISOString(), ops: given }
    const { results, changes } = (await request(server.url, 'POST', '/api/v1/driver/sync', { key, body })).body
    const codes = results.map(({ success, error }: Wire) => (success ? 'done' : error.code))
    assert.deepEqual(
      codes,
      ops.map((_, at) => refused[at] ?? 'done'),
      name,
    )
    const tasks: Wire[] = ids.map((id) => changes.tasks.find((task: Wire) => task.id === id))
    assert.deepEqual(
      tasks.map(({ statusId }) => statusId),
      statusIds,
      name,
    )
    const open = tasks.filter(isOpen).map((task) => ({ ...stopOf(task), parcel: ids.indexOf(task.id) }))
    const found = nextMoveAtStop(open, settingsOf({ settings }))
    assert.deepEqual(found && { move: found.move, parcels: found.tasks.map(({ parcel }) => parcel) }, next, name)
    const isNamed = ({ notes }: Wire) => notes.some(({ note }: Wire) => note === 'Ana')
    if (named) assert.deepEqual(tasks.map(isNamed), named, name)
  }
})

test('an automatic flow goes over a whole stop of several parcels, and only then to the next', async (t) => {
  const server = await startServer(t)
  const place = { ...server, ...(await server.another()) }
  await place.put('/company', { settings: { automaticDriverFlow: true } })
  const driver = await makeDriver(place)
  const key = await signIn(place, driver)
  const elsewhere = { address: 'Calea Victoriei 3, București', lat: 44.44, lng: 26.09 }
  const made: Wire[] = []
  for (const given of [{ awb: 'P-1' }, { awb: 'P-2' }, { awb: 'P-3' }, { awb: 'N-1', address: elsewhere }])
    made.push((await place.post('/tasks', aTask({ userId: driver.id, ...given }))).body.task)
  const complete = async (...awbs: string[]) => {
    const ops = made
      .filter(({ awb }) => awbs.includes(awb))
      .map(({ id }) => ({ opId: randomUUID(), type: 'complete', taskId: id, occurredAt: new Date().toISOString() }))
    const body = { deviceTime: new Date().toISOString(), ops }
    const { results } = (await request(server.url, 'POST', '/api/v1/driver/sync', { key, body })).body
    assert.ok(results.every(({ success }: Wire) => success))
    const states = await Promise.all(made.map(({ awb }) => place.get(`/tasks/awb/${awb}`)))
    return states.map(({ body }) => body.task.status.name)
  }
  assert.deepEqual(await complete('P-1'), ['Succeeded', 'In Transit', 'In Transit', 'Assigned'])
  assert.deepEqual(await complete('P-2', 'P-3'), ['Succeeded', 'Succeeded', 'Succeeded', 'In Transit'])
})

/** All settings the cases change, as they were. */
const changedBack = (standard: Record<string, unknown>) =>
  Object.fromEntries(
    [...cases, ...stopCases]
      .flatMap(({ settings = {} }) => Object.keys(settings))
      .map((name) => [name, standard[name]]),
  )
