import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Operation, operations } from '../../contract/operations.ts'
import { sql } from '../db/sql.ts'
import { aTask } from './factories.ts'
import { startReceiver } from './receiver.ts'
import { request, startServer, type TestServer } from './server.ts'

/*
 * Walks the table of operations with the key of another organisation. A new operation is walked by itself; a new kind
 * of id in a path must be told here how to make one, or the walk fails.
 */
const makers: Record<string, (server: TestServer, receiverUrl: string) => Promise<number | string>> = {
  keyId: async (server) => (await server.post('/keys', { name: 'Theirs' })).body.key.id,
  webhookId: async (server, url) => (await server.post('/webHooks', { url, trigger: 4 })).body.webHook.id,
}

const all = Object.entries<Operation>(operations)
const withIds = all.filter(([, { path }]) => path.includes(':'))
const lists = all.filter(([, { path, method }]) => method === 'GET' && !path.includes(':'))

test('what belongs to others looks exactly like what does not exist', async (t) => {
  const server = await startServer(t)
  const stranger = await server.another()
  const receiver = await startReceiver(t)

  for (const [name, { path, method, body }] of withIds) {
    const parameter = /:(\w+)/.exec(path)?.[1] as string
    const make = makers[parameter]
    assert.ok(make, `tell the strangers test how to make a ${parameter} (for ${name})`)
    const id = await make(server, receiver.url)
    const ask = (value: number | string) =>
      request(server.url, method, path.replace(`:${parameter}`, String(value)), {
        key: stranger.key,
        ...(body && { body: {} }),
      })

    const foreign = await ask(id)
    const missing = await ask(999_999_999)
    assert.equal(foreign.status, 404, name)
    assert.deepEqual({ ...foreign.body.error, requestId: '' }, { ...missing.body.error, requestId: '' }, name)
  }
})

test('lists show nothing of others', async (t) => {
  const server = await startServer(t)
  const stranger = await server.another()
  const receiver = await startReceiver(t)
  await server.post('/tasks', aTask({ awb: 'SECRET-AWB' }))
  await server.post('/keys', { name: 'SECRET-KEY' })
  await server.put('/company', { name: 'SECRET-NAME' })
  await server.post('/webHooks', { url: `${receiver.url}/SECRET-URL`, trigger: 4 })

  for (const [name, { path, method }] of lists) {
    const { body } = await request(server.url, method, path, { key: stranger.key })
    assert.ok(!JSON.stringify(body).includes('SECRET'), name)
  }
})

test('nothing is answered without a key or with one that lacks the scope', async (t) => {
  const server = await startServer(t)
  await server.database.everyone.run(
    sql`update keys set scopes = '{}' where organisation_id = ${server.organisationId}`,
  )

  for (const [name, { path, method }] of all) {
    const url = path.replace(/:\w+/g, '1')
    const nobody = await request(server.url, method, url)
    assert.deepEqual([nobody.status, nobody.body.error.code], [401, 'UNAUTHORIZED'], name)
    const limited = await request(server.url, method, url, { key: server.key })
    assert.deepEqual([limited.status, limited.body.error.code], [403, 'FORBIDDEN'], name)
  }
})

test('the database shows a connection only the organisation it works for, even if a query forgets to ask', async (t) => {
  const server = await startServer(t)
  const stranger = await server.another()
  await server.post('/tasks', aTask())
  const { database } = server

  const tables = await database.everyone.many<{ name: string }>(sql`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organisation_id'
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`)
  assert.ok(tables.length >= 10)

  const tasksSeen = async (organisationId: number) =>
    (await database.of(organisationId).many(sql`select id from tasks`)).length
  assert.equal(await tasksSeen(server.organisationId), 1)
  assert.equal(await tasksSeen(stranger.organisationId), 0)

  const unguarded = await database.everyone.many<{ name: string }>(sql`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organisation_id'
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
      and not (c.relrowsecurity and c.relforcerowsecurity
        and exists (select from pg_policy p where p.polrelid = c.oid))`)
  assert.deepEqual(unguarded, [])

  await assert.rejects(
    database
      .of(stranger.organisationId)
      .run(sql`insert into hubs (organisation_id, name) values (${server.organisationId}, 'Theirs')`),
    /row-level security/,
  )
})
