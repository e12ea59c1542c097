import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask, makeDriver, makeTeam } from '../../test/factories.ts'
import { aPair } from '../../test/partners.ts'
import { request, startServer, type TestServer } from '../../test/server.ts'

const bulkUpdate = async (server: TestServer, tasks: object[], dryRun?: boolean) =>
  (await server.put('/tasks/bulkUpdate', { tasks, ...(dryRun && { dryRun }) })).body.results
const taskOf = async (server: TestServer, awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task

test('a set of tasks is updated at once, and a refused one hurts no other', async (t) => {
  const server = await startServer(t)
  for (const awb of ['A', 'B', 'C']) await server.post('/tasks', aTask({ awb, totalPrice: 10 }))

  const results = await bulkUpdate(server, [
    { awb: 'A', totalPrice: 12, customer: { name: 'Ana', phone: '0712 345 678' } },
    { awb: 'B', completeAfter: '2030-01-02 12:00', completeBefore: '2030-01-02 10:00' },
    { awb: 'NOBODY', totalPrice: 1 },
    { awb: 'C', teamId: 999 },
    { awb: 'A', totalPrice: 13 },
    { totalPrice: 1 },
    { awb: 'C', details: 'Ring twice', totalPrice: -1 },
  ])

  assert.deepEqual(
    results.map(({ item, awb, success, error }: { item: number; awb: string; success: boolean; error?: Failed }) => [
      item,
      awb,
      success,
      error?.code,
    ]),
    [
      [1, 'A', true, undefined],
      [2, 'B', false, 'INVALID_TIME_WINDOW'],
      [3, 'NOBODY', false, 'TASK_NOT_FOUND'],
      [4, 'C', false, 'TEAM_NOT_FOUND'],
      [5, 'A', false, 'VALIDATION_FAILED'],
      [6, '', false, 'VALIDATION_FAILED'],
      [7, 'C', false, 'VALIDATION_FAILED'],
    ],
  )
  const task = await taskOf(server, 'A')
  assert.deepEqual([task.totalPrice, task.customer.phone], [12, '+40712345678'])
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED', 'TASK_UPDATED'])
  assert.deepEqual(await server.triggers('C'), ['TASK_CREATED'])
})

test('a price that one partner cannot have hurts no other task, and a dry run says so', async (t) => {
  const { shop, courier, awb, delegate } = await aPair(t)
  await shop.put('/company', { settings: { moneyDecimals: 2 } })
  await delegate()
  await shop.post('/tasks', aTask({ awb: 'OWN', totalPrice: 10 }))
  const change = async (totalPrice: number, dryRun: boolean) => {
    const tasks = ['OWN', awb].map((awb) => ({ awb, totalPrice }))
    const { status, body } = await shop.put('/tasks/bulkUpdate', { tasks, dryRun })
    return [status, ...body.results.map(({ error }: { error?: Failed }) => error?.code)]
  }
  for (const dryRun of [true, false]) assert.deepEqual(await change(12.5, dryRun), [200, undefined, 'CURRENCY_DIFFERS'])
  const prices = async () =>
    [await shop.get('/tasks/awb/OWN'), await shop.get(`/tasks/awb/${awb}`)].map(({ body }) => body.task.totalPrice)
  assert.deepEqual(await prices(), [12.5, 50])
  const alone = await shop.put(`/tasks/awb/${awb}`, { totalPrice: 12.5 })
  assert.deepEqual([alone.status, alone.body.error.code], [409, 'CURRENCY_DIFFERS'])
  await courier.put('/company', { settings: { moneyDecimals: 2 } })
  assert.deepEqual(await change(13.5, false), [200, undefined, undefined])
})

interface Failed {
  code: string
}

test('a refused item changes nothing, whatever it names', async (t) => {
  const server = await startServer(t)
  for (const awb of ['A', 'B']) await server.post('/tasks', aTask({ awb }))

  const [refused] = await bulkUpdate(server, [
    { awb: 'A', dependencies: ['B'], address: { city: 'Cluj' }, customer: { name: 'Ana', lat: 44.4 } },
  ])

  assert.deepEqual([refused.success, refused.error.field], [false, 'customer.lng'])
  const { dependencies, address, customer } = await taskOf(server, 'A')
  assert.deepEqual([dependencies, address.city, customer], [[], null, null])
})

test('every event of a set shows the customer as the set leaves them, and only who changed them has changed', async (t) => {
  const server = await startServer(t)
  const customer = { name: 'Ana', phone: '0712345678', email: 'old@example.com' }
  for (const awb of ['A', 'B', 'C', 'D']) await server.post('/tasks', aTask({ awb, customer }))

  const results = await bulkUpdate(server, [
    { awb: 'A', customer: { email: 'new@example.com' } },
    { awb: 'B', details: 'Ring twice' },
    { awb: 'C', details: 'Fragile', customer: { name: 'Ana' } },
    { awb: 'D', customer: { name: 'Ana' } },
  ])

  assert.deepEqual(
    results.map(({ changes }: { changes: { field: string }[] }) => changes.map(({ field }) => field)),
    [['customer.email'], ['details'], ['details'], []],
  )
  const events = (await server.get('/events')).body.events.slice(4)
  assert.deepEqual(
    events.map(({ data }: { data: { task: { awb: string; customer: { email: string } }; previous: object } }) => [
      data.task.awb,
      data.task.customer.email,
      Object.keys(data.previous),
    ]),
    [
      ['A', 'new@example.com', ['customer']],
      ['B', 'new@example.com', ['details']],
      ['C', 'new@example.com', ['details']],
    ],
  )
})

test('a dry run says field by field what would change, and changes nothing', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const customer = { name: 'Ana', phone: '0712345678' }
  await server.post('/tasks', aTask({ awb: 'A', totalPrice: 10, customer, completeBefore: '2030-01-02 12:00' }))
  await server.post('/tasks', aTask({ awb: 'SAME', details: 'Fragile' }))
  const before = await taskOf(server, 'A')

  const wanted = [
    {
      awb: 'A',
      totalPrice: 12,
      customer: { phone: '0712 345 679' },
      completeBefore: '2030-01-02 14:00',
      address: { address: 'Calea Victoriei 1' },
      userId: driver.id,
    },
    { awb: 'SAME', details: 'Fragile' },
  ]
  const [changed, same] = await bulkUpdate(server, wanted, true)

  const told = Object.fromEntries(
    changed.changes.map(({ field, from, to }: { field: string; from: unknown; to: unknown }) => [field, [from, to]]),
  )
  assert.deepEqual(told['totalPrice'], [10, 12])
  assert.deepEqual(told['customer.phone'], ['+40712345678', '+40712345679'])
  assert.deepEqual(told['completeBefore'], ['2030-01-02T10:00:00.000Z', '2030-01-02T12:00:00.000Z'])
  assert.deepEqual(told['address.address'], [before.address.address, 'Calea Victoriei 1'])
  assert.deepEqual(told['address.lat'], [44.4323, null])
  assert.deepEqual(told['userId'], [null, driver.id])
  assert.ok(!('user' in told) && !('customer.id' in told))
  assert.deepEqual([same.success, same.changes], [true, []])
  assert.deepEqual(await taskOf(server, 'A'), before)
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED'])

  const [done] = await bulkUpdate(server, wanted)
  assert.deepEqual(done.changes, changed.changes, 'what the dry run said is what happens')
  const after = await taskOf(server, 'A')
  assert.deepEqual(
    [after.totalPrice, after.userId, after.statusId, after.customer.name, after.address.lat],
    [12, driver.id, 6, 'Ana', null],
  )
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED', 'TASK_ASSIGNED', 'TASK_UPDATED'])
})

test('tasks given to drivers in an update follow each other in the route, and those who have theirs keep it', async (t) => {
  const server = await startServer(t)
  const [one, other] = [await makeDriver(server), await makeDriver(server)]
  const team = await makeTeam(server)
  for (const awb of ['A', 'B', 'C']) await server.post('/tasks', aTask({ awb }))
  await server.post('/tasks', aTask({ awb: 'DONE', userId: one.id }))
  await server.put('/tasks/awb/DONE/forceComplete', {})
  await server.post('/tasks', aTask({ awb: 'HAS', userId: one.id }))

  const results = await bulkUpdate(server, [
    { awb: 'B', userId: one.id, teamId: team.id },
    { awb: 'A', userId: one.id },
    { awb: 'HAS', userId: one.id, priority: 3 },
    { awb: 'C', userId: 999_999 },
    { awb: 'DONE', userId: other.id },
  ])

  assert.deepEqual(
    results.map(({ error }: { error?: Failed }) => error?.code),
    [undefined, undefined, undefined, 'DRIVER_NOT_FOUND', 'TASK_ALREADY_PROCESSED'],
  )
  const { tasks } = (await server.get(`/drivers/${one.id}/tasks?statusId=6`)).body
  assert.deepEqual(
    tasks.map(({ awb }: { awb: string }) => awb),
    ['HAS', 'B', 'A'],
  )
  assert.equal(tasks[1].team.id, team.id)
  assert.deepEqual(await server.triggers('HAS'), ['TASK_CREATED', 'TASK_ASSIGNED', 'TASK_UPDATED'])
})

test('an update of many that is sent twice with one key happens once', async (t) => {
  const server = await startServer(t)
  await server.post('/tasks', aTask({ awb: 'A', priority: 1 }))
  const body = { tasks: [{ awb: 'A', priority: 2 }] }
  const headers = { 'idempotency-key': 'k-1' }
  const send = () => request(server.url, 'PUT', '/api/v1/tasks/bulkUpdate', { key: server.key, body, headers })

  const first = await send()
  await server.put('/tasks/awb/A', { priority: 7 })
  const second = await send()

  assert.deepEqual(second.body, first.body)
  assert.equal((await taskOf(server, 'A')).priority, 7)
})
