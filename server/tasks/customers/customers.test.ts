import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { aTask } from '../../test/factories.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { findGiven, separateCustomers } from './separate.ts'

const create = async (server: TestServer, awb: string, customer: object) =>
  (await server.post('/tasks', aTask({ awb, customer }))).body.task
const update = async (server: TestServer, awb: string, customer: object | null) =>
  (await server.put(`/tasks/awb/${awb}`, { customer })).body.task
const customerOf = async (server: TestServer, awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task.customer

test('customers without a possible phone number are never merged', async (t) => {
  const server = await startServer(t)
  const given = [
    { email: 'ana@example.org' },
    { email: 'dan@example.org' },
    { address: 'Strada Lipscani 12' },
    { name: 'Ana', email: 'ana@example.org' },
    { name: 'Ana' },
    { name: 'Ana', phone: '12' },
    { name: 'Ana', phone: '12' },
    { name: 'Ana', phone: 'ask the porter', email: 'porter@example.org' },
  ]
  const alone = []
  for (const [index, customer] of given.entries()) alone.push(await create(server, `ONE-${index}`, customer))
  const { body } = await server.post('/tasks/bulkCreate', { tasks: given.map((customer) => aTask({ customer })) })
  const together = body.results.map(({ data }: { data: object }) => data)
  const all = [...alone, ...together]
  assert.equal(new Set(all.map(({ customerId }) => customerId)).size, all.length)
  for (const [index, { customer, customerId }] of all.entries()) {
    const {
      name = '',
      phone = '',
      email = null,
      address = null,
    } = given[index % given.length] as Record<string, string>
    assert.deepEqual(
      [customer.id, customer.name, customer.phone, customer.email, customer.address],
      [customerId, name, phone, email, address],
    )
  }
  assert.deepEqual(await customerOf(server, 'ONE-4'), alone[4].customer)
  const found = (await server.get('/tasks?q=the%20porter')).body.tasks
  assert.equal(found.length, 2, 'a customer is found by the phone as it was typed')
})

test('the same phone and name is the same customer, however the phone is written', async (t) => {
  const server = await startServer(t)
  const first = await create(server, 'A', { name: 'Ana', phone: '0712 345 678', email: 'ana@example.org' })
  const second = await create(server, 'B', { name: 'Ana', phone: '+40712345678', address: 'Strada Lipscani 12' })
  const namesake = await create(server, 'C', { name: 'Ana', phone: '0712345679' })
  const flatmate = await create(server, 'D', { name: 'Dan', phone: '0712345678' })
  assert.equal(second.customerId, first.customerId)
  assert.deepEqual([second.customer.email, second.customer.address], ['ana@example.org', 'Strada Lipscani 12'])
  assert.equal(new Set([first, namesake, flatmate].map(({ customerId }) => customerId)).size, 3)

  const { body } = await server.post('/tasks/bulkCreate', {
    tasks: [{ email: 'new@example.org' }, { addressSecondLine: 'Floor 3' }, { email: null, address: null }].map(
      (more) => aTask({ customer: { name: 'Ana', phone: '0712345678', ...more } }),
    ),
  })
  const { customer } = body.results[2].data
  assert.deepEqual(
    [customer.id, customer.email, customer.address, customer.addressSecondLine],
    [first.customerId, null, null, 'Floor 3'],
    'of several tasks the last has the last word on what it names, and null clears',
  )
})

test('where a customer is, is kept as given, and taken from a task at the same address if it is not known', async (t) => {
  const server = await startServer(t)
  const pointOf = async (awb: string) => {
    const { lat, lng } = await customerOf(server, awb)
    return [lat, lng]
  }
  const place = (address: string, lat: number) => ({ address, lat, lng: 26.1 })
  const add = (awb: string, customer: object, address: object = place('Strada Lungă 1', 44.1)) =>
    server.post('/tasks', aTask({ awb, customer, address }))
  for (const phone of ['0712345678', '']) {
    const awb = `P${phone.length}`
    await add(awb, { name: 'Ana', phone, address: 'Strada Veche 2', lat: 44.5, lng: '26.2' })
    assert.deepEqual(await pointOf(awb), [44.5, 26.2])
    await update(server, awb, { email: 'ana@example.org' })
    assert.deepEqual(await pointOf(awb), [44.5, 26.2], 'another field changes nothing')
    await update(server, awb, { address: 'Strada Nouă 3' })
    assert.deepEqual(await pointOf(awb), [null, null], 'another address is another place')
    await update(server, awb, { address: 'STRADA LUNGA 1' })
    assert.deepEqual(await pointOf(awb), [44.1, 26.1], 'the task is there')
    await update(server, awb, { lat: null, lng: null, address: null })
    assert.deepEqual(await pointOf(awb), [null, null])
  }
  const dan = { name: 'Dan', phone: '0712345679', address: 'Strada Lungă 1' }
  await add('D-1', dan, place('Altă stradă', 44.9))
  assert.deepEqual(await pointOf('D-1'), [null, null])
  await add('D-2', dan)
  assert.deepEqual(await pointOf('D-1'), [44.1, 26.1], 'the record is shared')
  await add('D-3', dan, place('Strada Lungă 1', 44.2))
  assert.deepEqual(await pointOf('D-1'), [44.1, 26.1], 'what is known stays')
  await add('D-4', { ...dan, lat: 45, lng: 25 }, place('Strada Lungă 1', 44.2))
  assert.deepEqual(await pointOf('D-1'), [45, 25], 'what is given counts')
  const { error } = (await add('D-5', { ...dan, lat: 45 })).body
  assert.deepEqual([error.code, error.field], ['VALIDATION_FAILED', 'customer.lng'])
})

test('null clears the e-mail or the address of a customer, and nothing else', async (t) => {
  const server = await startServer(t)
  for (const phone of ['0712345678', '', 'ask the porter']) {
    const awb = `A${phone.length}`
    const whole = { name: 'Ana', phone, email: 'ana@example.org', address: 'Lipscani 12', addressSecondLine: 'Floor 3' }
    const before = await create(server, awb, whole)
    const cleared = await update(server, awb, { email: null })
    assert.deepEqual([cleared.customerId, cleared.customer.email], [before.customerId, null])
    assert.equal(cleared.timelines.at(-1).data.previous.customer.email, 'ana@example.org')
    const { customer } = await update(server, awb, { address: null, addressSecondLine: null, name: null, phone: null })
    assert.deepEqual([customer.address, customer.addressSecondLine], [null, null])
    assert.deepEqual([customer.name, customer.phone], ['Ana', before.customer.phone], 'a name cannot be null')
    assert.deepEqual(await customerOf(server, awb), customer)
  }
})

test('an update of the customer changes only the given fields', async (t) => {
  const server = await startServer(t)
  const before = await create(server, 'A', { email: 'ana@example.org' })
  assert.deepEqual(await update(server, 'A', {}), before, 'an empty update changes nothing')
  const noted = await update(server, 'A', { address: 'Lipscani 12' })
  assert.deepEqual([noted.customerId, noted.customer.email], [before.customerId, 'ana@example.org'])
  const reached = (await update(server, 'A', { name: 'Ana', phone: '0712345678' })).customer
  assert.deepEqual([reached.phone, reached.email, reached.address], ['+40712345678', 'ana@example.org', 'Lipscani 12'])
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED', 'TASK_UPDATED', 'TASK_UPDATED'])
})

test('another name or phone never renames a record that another task shares', async (t) => {
  const server = await startServer(t)
  const ana = { name: 'Ana', phone: '0712345678', email: 'ana@example.org' }
  await create(server, 'A', ana)
  const { customer: shared } = await create(server, 'B', ana)
  const dan = await create(server, 'C', { name: 'Dan', phone: '0712345678', email: 'dan@example.org' })

  const renamed = (await update(server, 'A', { name: 'Ana Pop' })).customer
  assert.deepEqual([renamed.name, renamed.email], ['Ana Pop', 'ana@example.org'])
  const unreachable = (await update(server, 'A', { phone: '' })).customer
  assert.deepEqual([unreachable.name, unreachable.phone], ['Ana Pop', ''])
  const other = (await update(server, 'A', { name: 'Dan', phone: '0712345678' })).customer
  assert.deepEqual(other, dan.customer, 'a known customer keeps their record, unchanged')
  assert.deepEqual(await customerOf(server, 'B'), shared)
})

const listCustomers = ({ database, organisationId }: TestServer) =>
  database.everyone.many<{ id: number; name: string }>(sql`
    select id, name from customers where organisation_id = ${organisationId} order by id`)

test('a customer goes with the last task that is put right, and comes back when that is taken back', async (t) => {
  const server = await startServer(t)
  const ana = { name: 'Ana', phone: '0712345678', email: 'ana@example.org', address: 'Lipscani 12' }
  const first = await create(server, 'A', ana)
  const renamed = await update(server, 'A', { name: 'Anna' })
  assert.deepEqual(await listCustomers(server), [{ id: renamed.customerId, name: 'Anna' }])
  const again = await update(server, 'A', { name: 'Ana' })
  const shown = ({ id: _, createdAt: __, updatedAt: ___, ...rest }: Record<string, unknown>) => rest
  assert.deepEqual(shown(again.customer), shown(first.customer))
  await create(server, 'B', ana)
  await update(server, 'A', { phone: 'ask the porter' })
  assert.equal((await customerOf(server, 'B')).id, again.customerId, 'somebody else’s, too')
  const typed = await update(server, 'A', { name: 'Anna' })
  const tasks = ['A', 'B'].map((awb) => ({ awb, customer: { name: 'Dan' } }))
  const rehearsed = await server.put('/tasks/bulkUpdate', { tasks, dryRun: true })
  assert.deepEqual([rehearsed.status, rehearsed.body.results[0].changes[0].field], [200, 'customer.name'])
  assert.deepEqual(
    (await listCustomers(server)).map(({ id }) => id).toSorted(),
    [again.customerId, typed.customerId].toSorted(),
  )
})

test('a customer who gets a task while the last one is taken away stays, and nobody waits in a circle', async (t) => {
  const server = await startServer(t)
  const names = ['Ana', 'Dan']
  const rounds = 20
  const given = (name: string) => ({ name, phone: '0712345678' })
  for (const [at, name] of names.entries()) await create(server, `T-${at}`, given(name))
  const deadlocks = async () =>
    (
      await server.database.everyone.get<{ count: number }>(sql`
        select deadlocks::int as count from pg_stat_database where datname = current_database()`)
    ).count
  const before = await deadlocks()
  for (let round = 0; round < rounds; round += 1) {
    const swapped = names.map((_, at) => given(names[(at + round + 1) % 2] as string))
    const replies = await Promise.all([
      ...swapped.map((customer, at) => server.put(`/tasks/awb/T-${at}`, { customer })),
      server.post('/tasks', aTask({ customer: given('Ana') })),
      server.put('/tasks/awb/T-0', { details: `Round ${round}` }),
    ])
    for (const { status, text } of replies) assert.ok(status < 300, text)
    const { tasks } = (await server.get('/tasks')).body
    for (const { awb, id } of tasks)
      if (!awb.startsWith('T-')) {
        const put = await server.put(`/tasks/awb/${awb}`, { customer: given(`Once ${id}`) })
        assert.equal(put.status, 200, put.text)
        await server.delete(`/tasks/awb/${awb}`)
      }
  }
  assert.equal(await deadlocks(), before)
  await server.makeRound('forgetting customers')
  const idle = await server.database.everyone.many(sql`
    select from customers c
    where organisation_id = ${server.organisationId} and not exists (
      select from tasks t where t.organisation_id = c.organisation_id and t.customer_id = c.id)`)
  assert.equal(idle.length, 0)
})

test('customers without a task that were left behind are found', async (t) => {
  const server = await startServer(t)
  const { customerId } = await create(server, 'A', { name: 'Ana', phone: '0712345678' })
  await server.database.everyone.run(sql`
    insert into customers (organisation_id, name, phone)
    select ${server.organisationId}, 'Left ' || n, '+4071234' || n from generate_series(1000, 3500) n`)
  await server.makeRound('forgetting customers')
  assert.deepEqual(await listCustomers(server), [{ id: customerId, name: 'Ana' }])
})

/** Stores the tasks as the previous version did: without a phone they shared a record by name. */
async function shareAsBefore(server: TestServer, name: string, phone: string, emails: readonly (string | null)[]) {
  const { database, organisationId } = server
  const tasks: { id: number; createdAt: string }[] = []
  for (const index of emails.keys()) tasks.push(await create(server, `${name}-${phone}-${index}`, { name: 'Somebody' }))
  const { id } = await database.everyone.get<{ id: number }>(sql`
    insert into customers (organisation_id, name, phone) values (${organisationId}, ${name}, ${phone}) returning id`)
  let shown = { email: null as string | null, updatedAt: '' }
  for (const [index, { id: taskId, createdAt }] of tasks.entries()) {
    const email = emails[index] ?? null
    if (email !== null) shown = { email, updatedAt: createdAt }
    await database.everyone.run(sql`
      update events set task = jsonb_set(task::jsonb, '{customer}',
        task::jsonb -> 'customer' || ${JSON.stringify({ id, ...shown })}::jsonb)::text
      where organisation_id = ${organisationId} and task_id = ${taskId}`)
    await database.everyone.run(sql`
      update tasks set customer_id = ${id} where organisation_id = ${organisationId} and id = ${taskId}`)
  }
  await database.everyone.run(sql`
    update customers set email = ${shown.email} where organisation_id = ${organisationId} and id = ${id}`)
  return id
}

test('customers who shared a record by mistake are separated, each with the details from their own task', async (t) => {
  const server = await startServer(t)
  const { database, organisationId } = server
  const known = await create(server, 'KNOWN', { name: 'Ana', phone: '0712345678', email: 'known@example.org' })
  const given = ['ana@example.org', null, 'dan@example.org', null]
  const shared = await shareAsBefore(server, '', '', given)
  await shareAsBefore(server, 'Ana', 'ask', [null, 'porter@example.org'])
  await shareAsBefore(server, 'Eva', '12', ['eva@example.org'])
  assert.equal((await customerOf(server, '--0')).email, 'dan@example.org', 'as it was')
  const before = await server.triggers('--0')

  assert.equal(await separateCustomers(database.of(organisationId), organisationId), 3)

  const customers = await Promise.all(given.map((_, index) => customerOf(server, `--${index}`)))
  assert.deepEqual(
    customers.map(({ email }) => email),
    given,
  )
  assert.equal(new Set(customers.map(({ id }) => id)).size, given.length)
  assert.equal(customers[0].id, shared, 'the first keeps the record')
  const ana = [await customerOf(server, 'Ana-ask-0'), await customerOf(server, 'Ana-ask-1')]
  assert.deepEqual(
    ana.map(({ name, phone, email }) => [name, phone, email]),
    [
      ['Ana', 'ask', null],
      ['Ana', 'ask', 'porter@example.org'],
    ],
  )
  const eva = await customerOf(server, 'Eva-12-0')
  assert.deepEqual(
    [eva.name, eva.phone, eva.email],
    ['Eva', '12', 'eva@example.org'],
    'a record that was not shared stays as it is',
  )
  assert.deepEqual(await customerOf(server, 'KNOWN'), known.customer)
  assert.deepEqual(await server.triggers('--0'), before, 'nothing fires')
  assert.equal(await separateCustomers(database.of(organisationId), organisationId), 0, 'once is enough')
})

test('a value belongs to the task whose event showed it first', () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 4, 5, 10, 0, seconds))
  const shown = (task_id: number, second: number, version: number, email: string | null, address: string | null) => ({
    task_id,
    recorded_at: at(second),
    version: at(version).toISOString(),
    email,
    address,
    address_second_line: null,
  })
  const given = findGiven([
    shown(1, 0, 0, 'ana@example.org', null),
    shown(2, 10, 0, 'ana@example.org', null),
    // Stored as one set, in which the last task decides.
    shown(3, 20, 20, 'ana@example.org', 'Lipscani 12'),
    shown(4, 20, 20, 'ana@example.org', 'Lipscani 12'),
    shown(1, 30, 30, 'new@example.org', 'Lipscani 12'),
    // The task that wrote this no longer exists.
    shown(5, 200, 40, 'gone@example.org', 'Lipscani 12'),
  ])
  const part = (id: number) => [given.get(id)?.email ?? null, given.get(id)?.address ?? null]
  assert.deepEqual([1, 2, 3, 4, 5].map(part), [
    ['new@example.org', null],
    [null, null],
    [null, null],
    [null, 'Lipscani 12'],
    [null, null],
  ])
})
