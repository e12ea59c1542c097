import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { keptScanDays, mostUnknownScans } from '../../contract/limits.ts'
import { dayOf } from '../../core/task-day.ts'
import { sql } from '../db/sql.ts'
import { aTask, makeDriver, signIn } from '../test/factories.ts'
import { request, startServer } from '../test/server.ts'

type Given = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

const at = (lat: number, lng: number) => ({ address: { address: `${lat}, ${lng}`, lat, lng } })
const far = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString()

/** A driver with three parcels at three doors, another with one, and one without a driver. */
async function aMorning(t: TestContext) {
  const server = await startServer(t)
  const place = { ...server, ...(await server.another()) }
  const ion = await makeDriver(place, { name: 'Ion' })
  const ana = await makeDriver(place, { name: 'Ana' })
  const make = async (given: Given) => (await place.post('/tasks', aTask(given))).body.task as Wire
  const first = await make({ awb: 'A-1', userId: ion.id, ...at(44.41, 26.11) })
  await make({ awb: 'A-2', userId: ion.id, ...at(44.42, 26.12) })
  await make({ awb: 'A-3', userId: ion.id, ...at(44.43, 26.13) })
  await make({ awb: 'B-1', userId: ana.id })
  await make({ awb: 'C-1' })
  const scan = async (code: string, given: Given = {}): Promise<Wire> =>
    (await place.post('/scans', { code, at: 'vehicle', userId: ion.id, ...given })).body
  const triggers = async (awb: string) => {
    const { task } = (await place.get(`/tasks/awb/${awb}`)).body as Wire
    return task.timelines.map(({ event }: Wire) => event) as string[]
  }
  const look = async (awb: string): Promise<Wire> => (await place.get(`/tasks/awb/${awb}`)).body.task
  const loads = async (query = ''): Promise<Wire> => (await place.get(`/loads${query}`)).body
  return { server: place, ion, ana, first, make, scan, triggers, look, loads }
}

test('a scan says whose a parcel is, and that the last stop is loaded first', async (t) => {
  const { scan, ion, look } = await aMorning(t)
  const { scan: kept, task, driver, position, scannedBefore, sentence } = await scan('A-3')
  assert.deepEqual([kept.result, kept.at, kept.userId, kept.awb], ['expected', 'vehicle', ion.id, 'A-3'])
  assert.deepEqual(driver, { id: ion.id, name: 'Ion' })
  assert.deepEqual(position, { stop: 3, load: 1, of: 3 })
  assert.equal(sentence, 'Ion: stop 3, load it 1st of 3')
  assert.equal(scannedBefore, null)
  assert.notEqual(task.loadedAt, null)
  assert.deepEqual((await scan('A-1')).position, { stop: 1, load: 3, of: 3 })
  assert.equal((await look('A-3')).loadedAt, task.loadedAt)
  assert.equal((await look('A-3')).statusId, 6)
})

test('each thing that is wrong with a parcel has its result', async (t) => {
  const { server, scan, make, ion, ana } = await aMorning(t)
  await make({ awb: 'D-1', userId: ion.id, completeAfter: far(3) })
  await make({ awb: 'E-1', userId: ion.id })
  await server.put('/tasks/awb/E-1/forceComplete', {})
  const results: Record<string, string> = {}
  for (const code of ['A-1', 'B-1', 'C-1', 'D-1', 'E-1', 'NOBODY']) results[code] = (await scan(code)).scan.result
  assert.deepEqual(results, {
    'A-1': 'expected',
    'B-1': 'wrongDriver',
    'C-1': 'unassigned',
    'D-1': 'otherDay',
    'E-1': 'ended',
    NOBODY: 'unknown',
  })
  const { driver, sentence, task } = await scan('B-1')
  assert.deepEqual([driver.id, task.loadedAt], [ana.id, null])
  assert.match(sentence, /^It belongs to Ana/)
  const day = dayOf(far(3), 'Europe/Bucharest')
  assert.equal((await scan('D-1', { day })).scan.result, 'expected')
})

test('a scan is a fact in the timeline, once: the same again says when it was first', async (t) => {
  const { scan, look } = await aMorning(t)
  const before = (await look('A-1')).timelines.length
  const first = await scan('A-1')
  const again = await scan('A-1')
  assert.deepEqual([again.scan.id, again.scannedBefore], [null, first.task.loadedAt])
  assert.match(again.sentence, /It was scanned before, /)
  const wrong = await scan('A-1', { userId: null, at: 'hub' })
  assert.equal(wrong.task.loadedAt, null)
  const { timelines } = await look('A-1')
  assert.equal(timelines.length, before + 2)
  const [loaded, back] = timelines.slice(-2)
  assert.equal(loaded.event, 'TASK_UPDATED')
  assert.deepEqual(loaded.data.load, { at: 'vehicle', result: 'expected', userId: first.scan.userId })
  assert.deepEqual(loaded.data.previous, { loadedAt: null })
  assert.equal(back.data.load.at, 'hub')
})

test('a parcel in the wrong vehicle is noted once and is not loaded', async (t) => {
  const { scan, look } = await aMorning(t)
  const first = await scan('B-1')
  assert.equal((await scan('b-1 ')).scannedBefore, first.scan.occurredAt)
  const { timelines, loadedAt } = await look('B-1')
  assert.equal(loadedAt, null)
  assert.equal(timelines.filter(({ data }: Wire) => data?.load).length, 1)
})

test('a code that no task has is kept as a fact, once', async (t) => {
  const { scan, loads, ion } = await aMorning(t)
  const first = await scan('5941234567890')
  assert.deepEqual([first.scan.result, first.task, first.driver, first.position], ['unknown', null, null, null])
  assert.notEqual(first.scan.id, null)
  assert.equal((await scan('5941234567890')).scan.id, null)
  const { loads: of } = await loads(`?userId=${ion.id}`)
  assert.deepEqual(
    of[0].foreign.map(({ code, result }: Wire) => [code, result]),
    [['5941234567890', 'unknown']],
  )
})

test('a code may be typed in small letters, be a custom field, or the tracking link', async (t) => {
  const { scan, make, first, ion } = await aMorning(t)
  await make({ awb: 'F-1', userId: ion.id, customFields: [{ key: 'boxes', value: ['Box-7', 12] }] })
  assert.equal((await scan(' a-1 ')).scan.awb, 'A-1')
  assert.equal((await scan('BOX-7')).scan.awb, 'F-1')
  assert.equal((await scan('12')).scan.awb, 'F-1')
  assert.equal((await scan(`https://example.org/t/${first.uuid}`)).scan.awb, 'A-1')
  assert.equal((await scan('box')).scan.result, 'unknown')
})

test('the label of an earlier try is still on the parcel', async (t) => {
  const { server, scan, make, first, ion } = await aMorning(t)
  await server.put('/tasks/awb/A-1/forceComplete', { success: false })
  const task = await make({ awb: 'A-1-2', userId: ion.id })
  await server.database.everyone.run(sql`
    update tasks set reattempted_as = ${task.id}
    where organisation_id = ${server.organisationId} and id = ${first.id}`)
  const { scan: kept } = await scan('A-1')
  assert.deepEqual([kept.result, kept.taskId], ['expected', task.id])
})

test('of several parcels with the same code the one of this driver that is not loaded yet is meant', async (t) => {
  const { scan, make, ion, ana } = await aMorning(t)
  const customFields = [{ key: 'pallet', value: 'P-1' }]
  await make({ awb: 'G-1', userId: ana.id, customFields })
  await make({ awb: 'G-2', userId: ion.id, customFields })
  await make({ awb: 'G-3', userId: ion.id, customFields })
  assert.deepEqual([(await scan('P-1')).scan.awb, (await scan('P-1')).scan.awb], ['G-2', 'G-3'])
})

test('another driver has another vehicle: what was loaded is to be loaded again', async (t) => {
  const { server, scan, look, ana } = await aMorning(t)
  await scan('A-1')
  await server.put(`/containers/drivers/${ana.id}`, { tasks: ['A-1'] })
  assert.deepEqual([(await look('A-1')).userId, (await look('A-1')).loadedAt], [ana.id, null])
  assert.equal((await scan('A-1', { userId: ana.id })).scannedBefore, null)
  assert.notEqual((await look('A-1')).loadedAt, null)
})

test('many scans are one request, in their order, and each is refused by itself', async (t) => {
  const { server, ion } = await aMorning(t)
  const scans = [
    { code: 'A-1', at: 'hub' },
    { code: 'A-1', at: 'vehicle', userId: ion.id },
    { code: 'A-1', at: 'vehicle', userId: ion.id },
    { code: 'A-2', at: 'roof' },
    { code: 'A-2', at: 'vehicle', userId: 999_999 },
    { code: 'A-2', at: 'hub', day: 'tomorrow' },
    { code: 'x', at: 'hub' },
  ]
  const { results } = (await server.post('/scans/bulkCreate', { scans })).body as Wire
  assert.deepEqual(
    results.map(({ data, error }: Wire) => error?.code ?? [data.scan.result, data.scannedBefore === null]),
    [
      ['expected', true],
      ['expected', true],
      ['expected', false],
      'VALIDATION_FAILED',
      'DRIVER_NOT_FOUND',
      'INVALID_TIME',
      ['unknown', true],
    ],
  )
})

test('the load of a driver says what is there, what is missing, and in which order it is loaded', async (t) => {
  const { scan, make, loads, ion, ana } = await aMorning(t)
  await make({ awb: 'H-1', userId: ion.id, pickupTask: true })
  await make({ awb: 'H-2', userId: ion.id, completeAfter: far(3) })
  await scan('A-3')
  await scan('A-1', { at: 'hub', userId: null })
  await scan('B-1')
  await scan('LOST', { at: 'hub', userId: null })
  const found = await loads()
  const [anas, ions] = found.loads
  assert.deepEqual([anas.driver.id, anas.missing], [ana.id, 1])
  assert.deepEqual([ions.driver.id, ions.expected, ions.atHub, ions.inVehicle, ions.missing], [ion.id, 3, 2, 1, 2])
  assert.deepEqual(
    ions.parcels.map(({ awb, missing, position }: Wire) => [awb, missing, position.load]),
    [
      ['A-3', false, 1 + 1],
      ['A-2', true, 2 + 1],
      ['A-1', true, 3 + 1],
    ],
  )
  assert.deepEqual(
    ions.foreign.map(({ awb, result }: Wire) => [awb, result]),
    [['B-1', 'wrongDriver']],
  )
  assert.deepEqual(
    found.foreign.map(({ code }: Wire) => code),
    ['LOST'],
  )
})

test('what was loaded and delivered still counts in the load of the day', async (t) => {
  const { server, scan, loads, ion } = await aMorning(t)
  await scan('A-1')
  await server.put('/tasks/awb/A-1/forceComplete', {})
  const { loads: found } = await loads(`?userId=${ion.id}`)
  assert.deepEqual([found[0].expected, found[0].inVehicle, found[0].missing], [3, 1, 2])
})

test('a driver scans into their own vehicle, by a request or later by sync, and repeats are answered the same', async (t) => {
  const { server, look, ion } = await aMorning(t)
  const key = await signIn(server, ion)
  const send = (path: string, body: Given) => request(server.url, 'POST', `/api/v1/driver/${path}`, { key, body })
  const now = (await send('scans', { code: 'A-2' })).body as Wire
  assert.deepEqual([now.scan.result, now.scan.userId, now.position.load], ['expected', ion.id, 2])

  const occurredAt = new Date(Date.now() - 60_000).toISOString()
  const op = (code: string) => ({ opId: randomUUID(), type: 'load', code, occurredAt })
  const ops = [op('A-1'), op('B-1'), op('NOBODY')]
  const sync = async () => (await send('sync', { deviceTime: new Date().toISOString(), ops })).body as Wire
  const first = await sync()
  assert.deepEqual(
    first.results.map(({ success, scanned }: Wire) => [success, scanned.result, scanned.driver]),
    [
      [true, 'expected', 'Ion'],
      [true, 'wrongDriver', 'Ana'],
      [true, 'unknown', null],
    ],
  )
  assert.deepEqual((await sync()).results, first.results)
  assert.equal((await look('A-1')).loadedAt, occurredAt)
  assert.equal(first.changes.tasks.find(({ awb }: Wire) => awb === 'A-1').loadedAt, occurredAt)
})

test('a driver who scans the parcel of another learns whose it is, and not where it goes', async (t) => {
  const { server, ion, ana } = await aMorning(t)
  const key = await signIn(server, ion)
  const scanOwn = async (code: string) =>
    (await request(server.url, 'POST', '/api/v1/driver/scans', { key, body: { code } })).body as Wire
  const foreign = await scanOwn('B-1')
  assert.deepEqual([foreign.scan.result, foreign.driver.id, foreign.task], ['wrongDriver', ana.id, null])
  assert.equal((await scanOwn('A-1')).task.awb, 'A-1')
})

test('loading is not what the setting about scans at the door forbids', async (t) => {
  const { server, ion } = await aMorning(t)
  const key = await signIn(server, ion)
  await server.put('/company', { settings: { allowDriverToScanOnSite: false } })
  const reply = await request(server.url, 'POST', '/api/v1/driver/scans', { key, body: { code: 'A-2' } })
  assert.equal((reply.body as Wire).scan.result, 'expected')
})

test('a day that is over, or none, is refused in words, also to a driver', async (t) => {
  const { server, ion } = await aMorning(t)
  const key = await signIn(server, ion)
  const scanFor = (day: string) =>
    request(server.url, 'POST', '/api/v1/driver/scans', { key, body: { code: 'A-2', day } })
  for (const [day, says] of [
    ['2024-02-01', 'day must be today or later'],
    ['soon', 'day must look like 2026-11-15'],
  ] as const) {
    const { status, body } = await scanFor(day)
    assert.deepEqual([status, body.error.code, body.error.message], [400, 'INVALID_TIME', says])
  }
})

test('a parcel of another organisation is unknown', async (t) => {
  const { server } = await aMorning(t)
  const other = await server.another()
  const { scan } = (await other.post('/scans', { code: 'A-1', at: 'hub' })).body as Wire
  assert.deepEqual([scan.result, scan.taskId], ['unknown', null])
})

test('what partners load is loaded for the owner, too, and at the owner’s hub it is known to be theirs', async (t) => {
  const { server, scan, look } = await aMorning(t)
  const fulfiller = { ...server, ...(await server.another()) }
  await server.post('/partners', { companyId: fulfiller.organisationId })
  await fulfiller.post('/partners', { companyId: server.organisationId })
  const { id } = await look('C-1')
  await server.put(`/tasks/${id}/delegate`, { companyId: fulfiller.organisationId })
  assert.equal((await scan('C-1', { at: 'hub', userId: null })).scan.result, 'withPartner')
  const driver = await makeDriver(fulfiller)
  const { tasks } = (await fulfiller.get('/tasks')).body as Wire
  await fulfiller.put(`/containers/drivers/${driver.id}`, { tasks: [tasks[0].awb] })
  const theirs = (await fulfiller.post('/scans', { code: 'C-1', at: 'vehicle', userId: driver.id })).body as Wire
  assert.equal(theirs.scan.result, 'expected')
  assert.equal((await look('C-1')).loadedAt, theirs.task.loadedAt)
})

test('codes that nobody knows are bounded, and forgotten after a while', async (t) => {
  const { server, scan } = await aMorning(t)
  const { scan: first } = await scan('UNKNOWN')
  await server.database.everyone.run(sql`
    insert into scans (organisation_id, code, at, result, day, actor_type, occurred_at, recorded_at)
    select ${server.organisationId}, 'X' || i, 'hub', 'unknown', ${first.day}, 'API', now(),
      now() - make_interval(days => ${keptScanDays + 1})
    from generate_series(1, ${mostUnknownScans}) i`)
  const more = await scan('ONE-MORE')
  assert.deepEqual([more.scan.result, more.scan.id], ['unknown', null])
  await server.makeRound('forgetting scans')
  const left = await server.database.everyone.many(sql`
    select code from scans where organisation_id = ${server.organisationId}`)
  assert.deepEqual(left, [{ code: 'UNKNOWN' }])
})
