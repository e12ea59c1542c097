import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask, makeDriver, signIn } from '../test/factories.ts'
import { request, startServer } from '../test/server.ts'
import { until } from '../test/until.ts'

type Server = Awaited<ReturnType<typeof startServer>>

const deactivate = (server: Server, driverId: number) => server.put(`/drivers/${driverId}`, { active: false })
const sync = ({ url }: Server, key: string) =>
  request(url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime: new Date().toISOString() } })

test('a driver who is deactivated is signed out at once, everywhere, and is told why', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const { code } = (await server.post(`/drivers/${driver.id}/invite`)).body
  const other = await makeDriver(server)
  const [token, theirs] = [await signIn(server, driver), await signIn(server, other)]
  await server.put(`/drivers/${driver.id}/duty`, { inShift: true })
  assert.equal((await sync(server, token)).status, 200)

  const { body } = await deactivate(server, driver.id)
  assert.deepEqual([body.user.active, body.user.inShift, body.user.status], [false, false, 0])
  const refused = await sync(server, token)
  assert.deepEqual([refused.status, refused.body.error.code], [401, 'SIGN_IN_SUSPENDED'])
  assert.equal((await sync(server, theirs)).status, 200)
  assert.deepEqual((await server.get(`/drivers/${driver.id}/devices`)).body.devices, [])
  const { devices } = (await server.get('/devices')).body
  assert.deepEqual(
    devices.map(({ driverId }: { driverId: number }) => driverId),
    [other.id],
  )
  const login = { body: { phone: body.user.phone, code } }
  assert.equal((await request(server.url, 'POST', '/api/v1/driver/login', login)).status, 401)
  for (const [verb, path, given] of [
    ['post', `/drivers/${driver.id}/invite`, undefined],
    ['put', `/drivers/${driver.id}/duty`, { inShift: true }],
  ] as const)
    assert.equal((await server[verb](path, given)).body.error.code, 'DRIVER_INACTIVE', path)
})

test('who is active again signs in anew: what they were signed in with before stays ended', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const before = await signIn(server, driver)
  await deactivate(server, driver.id)
  const { user } = (await server.put(`/drivers/${driver.id}`, { active: true })).body
  assert.deepEqual([user.active, user.inShift], [true, false])
  const refused = await sync(server, before)
  assert.deepEqual([refused.status, refused.body.error.code], [401, 'UNAUTHORIZED'])
  assert.equal((await sync(server, await signIn(server, driver))).status, 200)
})

test('the stream of a phone ends when its driver is deactivated', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const key = await signIn(server, driver)
  const stream = await fetch(`${server.url}/api/v1/driver/stream`, { headers: { authorization: key } })
  let isOver = false
  const read = (async () => {
    for await (const _ of stream.body as ReadableStream) void _
    isOver = true
  })()
  await deactivate(server, driver.id)
  await until('the stream to end', async () => isOver)
  await read
})

test('a driver who is not active gets no tasks, keeps those they have, and cannot get them back by undo', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server, { name: 'Dan Stan' })
  const other = await makeDriver(server)
  for (const awb of ['A-1', 'A-2', 'A-3']) await server.post('/tasks', aTask({ awb }))
  const taskOf = async (awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task
  await server.put(`/containers/drivers/${driver.id}`, { tasks: ['A-1', 'A-2'] })
  const undoId = crypto.randomUUID()
  await server.put(`/containers/drivers/${other.id}`, { tasks: ['A-2'], undoId })
  await deactivate(server, driver.id)
  assert.equal((await taskOf('A-1')).userId, driver.id)

  const { id } = await taskOf('A-3')
  const codeOf = ({ body }: { body: { results?: { error?: { code: string } }[]; error?: { code: string } } }) =>
    body.results?.[0]?.error?.code ?? body.error?.code
  const answers = [
    await server.put(`/containers/drivers/${driver.id}`, { tasks: ['A-3'] }),
    await server.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [id] }),
    await server.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [id], position: 'best' }),
    await server.post(`/drivers/${driver.id}/tasks/bulkCreate`, { tasks: [aTask({ awb: 'A-4' })] }),
    await server.post('/tasks', aTask({ awb: 'A-4', userId: driver.id })),
    await server.put('/tasks/bulkUpdate', { tasks: [{ awb: 'A-3', userId: driver.id }] }),
    await server.post('/tasks/undo', { undoId }),
  ]
  assert.deepEqual(answers.map(codeOf), Array(answers.length).fill('DRIVER_INACTIVE'))
  assert.equal((await taskOf('A-3')).userId, null)
  assert.equal((await server.get('/tasks/awb/A-4')).status, 404)

  const plan = await server.post('/planning/assign', { tasks: [id], includeOffDuty: true, dryRun: true })
  const planned: { driverId: number }[] = plan.body.plan.drivers
  assert.equal(
    planned.some(({ driverId }) => driverId === driver.id),
    false,
  )
})
