import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Task } from '../../../contract/task.ts'
import { type CertaintyCase, certaintyCases } from '../../../core/certainty.cases.ts'
import { certainties, certaintyOf, isToCheck } from '../../../core/certainty.ts'
import { endOfDay, startOfDay } from '../../../core/time.ts'
import type { Db } from '../../db/db.ts'
import { connectAsOwner } from '../../db/migrate.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { aTask, makeDriver } from '../../test/factories.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { isDoor, isDoubtful, isPlannedAlone } from '../read/conditions.ts'
import { listDoubtfulAddresses } from '../read/doubtful.ts'
import { listTaskIds } from './queries.ts'

/** Tasks whose addresses are known as the cases say; the AWB is the number of the case. */
async function makeCases(server: TestServer, cases: readonly CertaintyCase[]) {
  const tasks = cases.map((_, at) => aTask({ awb: `C-${at}` }))
  await server.post('/tasks/bulkCreate', { tasks })
  for (const [at, one] of cases.entries()) await becomes(server, `C-${at}`, one)
}

/** As a geocoder leaves it. */
const becomes = (
  { database, organisationId }: TestServer,
  awb: string,
  { hasPlace, precision, detail, problem }: Omit<CertaintyCase, 'name' | 'is'>,
) =>
  database.everyone.run(sql`
    update addresses a
    set lat = ${hasPlace ? 45.75 : null}::float8, lng = ${hasPlace ? 21.23 : null}::float8, precision = ${precision},
      precision_detail = ${detail}, geocode_problem = ${problem}
    from tasks t
    where t.organisation_id = ${organisationId} and t.awb = ${awb}
      and a.organisation_id = t.organisation_id and a.task_id = t.id`)

const city = { hasPlace: true, precision: 'approximate', detail: 'city', problem: null } as const
const listed = async (server: TestServer, query = ''): Promise<string[]> =>
  (await server.get(`/tasks?doubtful=true${query}`)).body.tasks.map(({ awb }: Task) => awb)

test('the list of doubtful addresses, the pages and the plans have one rule', async (t) => {
  const server = await startServer(t)
  await makeCases(server, certaintyCases)

  const { tasks } = (await server.get('/tasks')).body as { tasks: Task[] }
  for (const [at, { name, is }] of certaintyCases.entries()) {
    const { address } = tasks.find(({ awb }) => awb === `C-${at}`) as Task
    assert.equal(certaintyOf(address), is, name)
  }
  assert.deepEqual(
    await listed(server),
    tasks.filter(({ address }) => isToCheck(address)).map(({ awb }) => awb),
  )
  const rows = await server.database.everyone.many<Record<'doubtful' | 'planned' | 'door', boolean>>(sql`
    select ${isDoubtful} as doubtful, ${isPlannedAlone} as planned, ${isDoor} as door
    from tasks t join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
    where t.organisation_id = ${server.organisationId}
    order by t.id`)
  for (const [at, { name, is }] of certaintyCases.entries()) {
    const { isToCheck, isPlannedAlone, isDoor } = certainties[is]
    assert.deepEqual(rows[at], { doubtful: isToCheck, planned: isPlannedAlone, door: isDoor }, name)
  }
})

test('only open tasks have an address to check, and only those of the organisation', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const other = { ...server, ...(await server.another()) }
  const names = ['OPEN', 'ASSIGNED', 'ENDED', 'DELETED']
  for (const awb of names) {
    await server.post('/tasks', aTask({ awb, ...(awb !== 'OPEN' && { userId: driver.id }) }))
    await becomes(server, awb, city)
  }
  await server.put('/tasks/awb/ENDED/forceComplete', {})
  await server.delete('/tasks/awb/DELETED')
  await other.post('/tasks', aTask({ awb: 'THEIRS' }))
  await becomes(other, 'THEIRS', city)

  assert.deepEqual(await listed(server), ['OPEN', 'ASSIGNED'])
  assert.deepEqual(await listed(server, '&statusId=6,9'), ['ASSIGNED'])
  assert.deepEqual(await listed(server, `&userId=${driver.id}`), ['ASSIGNED'])
  assert.deepEqual(await listed(server, '&order=newest'), ['ASSIGNED', 'OPEN'])
  assert.deepEqual(await listed(server, `&day=${Temporal.Now.plainDateISO('Europe/Bucharest')}`), ['OPEN', 'ASSIGNED'])
  assert.deepEqual(await listed(other), ['THEIRS'])

  const first = (await server.get('/tasks?doubtful=true&limit=1')).body
  assert.deepEqual(await listed(server, `&limit=1&cursor=${first.nextCursor}`), ['ASSIGNED'])
})

test('doubtful addresses are found among open tasks, however many have ended', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const tasks = Array.from({ length: 1_000 }, () => aTask())
  for (let bulk = 0; bulk < 3; bulk += 1) await server.post(`/drivers/${driver.id}/tasks/bulkCreate`, { tasks })
  await server.database.everyone.run(sql`
    update addresses set precision = 'approximate', precision_detail = 'city'
    where organisation_id = ${server.organisationId}`)
  await server.database.everyone.run(sql`
    update tasks set status_id = 9, completed_at = now() - (id % 300) * interval '1 day'
    where organisation_id = ${server.organisationId} and id % 50 <> 0`)
  const owner = await connectAsOwner(server.config.databaseUrl as string, 'test')
  await owner.query('vacuum analyze tasks, addresses')
  await owner.end()
  const ours = server.database.of(server.organisationId)
  const plan: string[] = []
  const explaining = {
    ...ours,
    async many(statement: Sql) {
      const lines = await ours.many<{ 'QUERY PLAN': string }>(sql`explain ${statement}`)
      plan.push(...lines.map((line) => line['QUERY PLAN']))
      return []
    },
  } as unknown as Db
  const today = { start: startOfDay(new Date(), 'UTC'), end: endOfDay(new Date(), 'UTC'), isToday: true }
  for (const day of [undefined, today])
    await listTaskIds(
      explaining,
      server.organisationId,
      { isDoubtful: true, day },
      { id: 0, isNewestFirst: false },
      200,
    )

  await listDoubtfulAddresses(explaining, server.organisationId, 2_000)

  const text = plan.join('\n')
  assert.ok(!/Seq Scan on (tasks|addresses)/.test(text), text)
  assert.match(text, /tasks_status/)
  assert.match(text, /addresses_pkey/)
})

test('somebody who has looked makes a place exact, and it leaves the list', async (t) => {
  const server = await startServer(t)
  await makeCases(server, [{ name: '', is: 'city', ...city }])
  const { address } = (await server.get('/tasks/awb/C-0')).body.task as Task
  const place = { lat: address.lat, lng: address.lng }

  await server.put('/tasks/awb/C-0', { address: place })
  assert.deepEqual(await listed(server), ['C-0'], 'who sends back what they were shown has not looked')
  const { body } = await server.put('/tasks/awb/C-0', { address: { ...place, confirmed: true } })

  assert.deepEqual([body.task.address.precision, body.task.address.precisionDetail], ['exact', null])
  assert.deepEqual([body.task.address.lat, body.task.address.address], [address.lat, address.address])
  assert.deepEqual(await listed(server), [])
  const { body: events } = await server.get('/events')
  assert.deepEqual(events.events.at(-1).data.previous, {
    address: { precision: 'approximate', precisionDetail: 'city' },
  })
})

test('what somebody else has corrected meanwhile is not confirmed', async (t) => {
  const server = await startServer(t)
  await makeCases(server, [{ name: '', is: 'city', ...city }])
  await server.put('/tasks/awb/C-0', { address: { lat: 45.7, lng: 21.2 } })

  const reply = await server.put('/tasks/awb/C-0', { address: { lat: 45.75, lng: 21.23, confirmed: true } })

  assert.deepEqual([reply.status, reply.body.error.code], [409, 'ADDRESS_CHANGED'])
  assert.equal((await server.get('/tasks/awb/C-0')).body.task.address.lat, 45.7)
})
