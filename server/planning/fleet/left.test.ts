import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LeftTask } from '../../../contract/planning.ts'
import { sql } from '../../db/sql.ts'
import { aTask, makeDriver, makeTeam, signIn } from '../../test/factories.ts'
import { request, startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'

const leftIn = async (server: TestServer) =>
  Object.fromEntries((await server.get('/planning/left')).body.left.map(({ awb, reason }: LeftTask) => [awb, reason]))

async function anAutomat(server: TestServer) {
  await server.put('/company', { settings: { enableAutoAssignMode: true } })
  const driver = await makeDriver(server)
  const token = await signIn(server, driver)
  const duty = (inShift: boolean) =>
    request(server.url, 'PUT', '/api/v1/driver/duty', { key: token, body: { inShift } })
  return { driver, duty }
}

const becomes = ({ database, organisationId }: TestServer, awb: string, precision: string, detail: string) =>
  database.everyone.run(sql`
    update addresses a set precision = ${precision}, precision_detail = ${detail} from tasks t
    where t.organisation_id = ${organisationId} and t.awb = ${awb}
      and a.organisation_id = t.organisation_id and a.task_id = t.id`)

test('a task that automatic assignment leaves alone says why', async (t) => {
  const server = await startServer(t)
  const { driver, duty } = await anAutomat(server)
  await server.post('/tasks', { awb: 'NOWHERE', address: { address: 'Somewhere' } })
  await server.post('/tasks', aTask({ awb: 'CITY' }))
  await becomes(server, 'CITY', 'approximate', 'city')
  await server.post('/tasks', aTask({ awb: 'TAKEN', userId: driver.id }))
  await server.post('/tasks/bulkUnassign', { tasks: ['TAKEN'] })
  await server.post('/tasks', aTask({ awb: 'FINE' }))
  await server.post(
    '/tasks',
    aTask({ awb: 'LATER', completeAfter: new Date(Date.now() + 72 * 3_600_000).toISOString() }),
  )
  await server.makeRound('auto-assign')
  assert.deepEqual(await leftIn(server), {
    NOWHERE: 'WITHOUT_PLACE',
    CITY: 'DOUBTFUL_PLACE',
    TAKEN: 'UNASSIGNED_BEFORE',
    FINE: 'NO_DRIVER',
  })

  await duty(true)
  const team = await makeTeam(server)
  await server.post('/tasks', aTask({ awb: 'THEIRS', teamId: team.id }))
  const left = { NOWHERE: 'WITHOUT_PLACE', CITY: 'DOUBTFUL_PLACE', TAKEN: 'UNASSIGNED_BEFORE', THEIRS: 'TEAM' }
  await until('the round of the drivers on duty', async () => (await leftIn(server))['THEIRS'])
  assert.deepEqual(await leftIn(server), left, 'one has a driver now')
  await server.makeRound('auto-assign')
  assert.deepEqual(await leftIn(server), left, 'also while they are not tried again')

  const page = (await server.get('/planning/left?limit=1')).body
  assert.deepEqual([page.left.length, page.left[0].message], [1, 'It has no coordinates'])
  assert.equal((await server.get(`/planning/left?limit=1&cursor=${page.nextCursor}`)).body.left[0].awb, 'CITY')
  await server.put('/company', { settings: { enableAutoAssignMode: false } })
  assert.deepEqual(await leftIn(server), {}, 'nobody wants to know')
})

test('a corrected address is assigned, and a number between two others is sure enough', async (t) => {
  const server = await startServer(t)
  const { driver, duty } = await anAutomat(server)
  await server.put('/company', { settings: { enableAutoAssignMode: false } })
  for (const awb of ['CITY', 'NEAR']) await server.post('/tasks', aTask({ awb }))
  await becomes(server, 'CITY', 'approximate', 'city')
  await becomes(server, 'NEAR', 'approximate', 'interpolated')
  await server.put('/company', { settings: { enableAutoAssignMode: true } })
  await duty(true)
  await server.makeRound('auto-assign')
  const ownerOf = async (awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task.userId
  assert.deepEqual([await ownerOf('CITY'), await ownerOf('NEAR')], [null, driver.id])
  assert.deepEqual(await leftIn(server), { CITY: 'DOUBTFUL_PLACE' })

  const { address } = (await server.get('/tasks/awb/CITY')).body.task
  await server.put('/tasks/awb/CITY', { address: { lat: address.lat, lng: address.lng, confirmed: true } })
  await server.makeRound('auto-assign')
  assert.equal(await ownerOf('CITY'), driver.id)
  assert.deepEqual(await leftIn(server), {})
})

test('nobody sees what another organisation leaves', async (t) => {
  const server = await startServer(t)
  const other = { ...server, ...(await server.another()) }
  await anAutomat(server)
  await anAutomat(other)
  await server.post('/tasks', { awb: 'OURS', address: { address: 'Somewhere' } })
  await server.makeRound('auto-assign')
  assert.deepEqual([await leftIn(server), await leftIn(other)], [{ OURS: 'WITHOUT_PLACE' }, {}])
})
