import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditEntry } from '../../contract/audit.ts'
import { addPerson } from '../test/people.ts'
import { request, startServer, type TestServer } from '../test/server.ts'

type Reader = Pick<TestServer, 'get'>

/** The entries of one kind, or of those beginning with a word, the newest first. */
const read = async ({ get }: Reader, query = ''): Promise<AuditEntry[]> => (await get(`/audit${query}`)).body.entries

test('keys that are created, replaced and revoked leave a line: who, from where, what', async (t) => {
  const server = await startServer(t)
  const admin = await addPerson(server, 'admin')
  const { body } = await admin.post('/keys', { name: 'Shop', scopes: ['tasks:read'] })
  const rotated = await admin.post(`/keys/${body.key.id}/rotate`, { overlapHours: 1 })
  await admin.delete(`/keys/${rotated.body.key.id}`)

  const entries = (await read(server, '?kind=key')).filter(({ actor }) => actor.type === 'ADMIN')
  assert.deepEqual(
    entries.map(({ kind, subject, changes }) => ({ kind, subject, changes })),
    [
      {
        kind: 'key.revoked',
        subject: { type: 'key', id: rotated.body.key.id, name: 'Shop' },
        changes: [
          { field: 'name', before: 'Shop' },
          { field: 'scopes', before: ['tasks:read'] },
        ],
      },
      {
        kind: 'key.created',
        subject: { type: 'key', id: rotated.body.key.id, name: 'Shop' },
        changes: [
          { field: 'name', after: 'Shop' },
          { field: 'scopes', after: ['tasks:read'] },
        ],
      },
      {
        kind: 'key.rotated',
        subject: { type: 'key', id: body.key.id, name: 'Shop' },
        changes: [
          { field: 'replacedBy', after: rotated.body.key.id },
          { field: 'overlapHours', after: 1 },
        ],
      },
      {
        kind: 'key.created',
        subject: { type: 'key', id: body.key.id, name: 'Shop' },
        changes: [
          { field: 'name', after: 'Shop' },
          { field: 'scopes', after: ['tasks:read'] },
        ],
      },
    ],
  )
  for (const { actor, address } of entries)
    assert.deepEqual([actor, address], [{ type: 'ADMIN', id: admin.id, name: admin.name }, '127.0.0.1'])
  const all = JSON.stringify(await read(server))
  for (const secret of [body.key.secret, rotated.body.key.secret, server.key]) assert.ok(!all.includes(secret))
})

test('a refused change leaves no line', async (t) => {
  const server = await startServer(t)
  const before = await read(server)
  assert.equal((await server.post('/keys', { name: 'X', expiresAt: '2001-01-01 00:00' })).status, 400)
  assert.equal((await server.delete('/keys/999999')).status, 404)
  assert.deepEqual(await read(server), before)
})

test('only admins and keys with audit:read see it', async (t) => {
  const server = await startServer(t)
  const { body } = await server.post('/keys', { name: 'Few', scopes: ['keys:read'] })
  assert.equal((await request(server.url, 'GET', '/api/v1/audit', { key: body.key.secret })).status, 403)
  assert.equal((await (await addPerson(server, 'dispatcher')).get('/audit')).status, 403)
  assert.equal((await (await addPerson(server, 'admin')).get('/audit')).status, 200)
  const { body: reader } = await server.post('/keys', { name: 'Reader', scopes: ['audit:read'] })
  assert.equal((await request(server.url, 'GET', '/api/v1/audit', { key: reader.key.secret })).status, 200)
})

test('it is read in pages, newest first, by who, what and when', async (t) => {
  const server = await startServer(t)
  const names = Array.from({ length: 5 }, (_, number) => `Key ${number}`)
  for (const name of names) await server.post('/keys', { name })

  const pages: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await server.get(`/audit?kind=key.created&limit=2${cursor}`)
    pages.push(...body.entries.map(({ subject }: AuditEntry) => subject.name))
    if (!body.nextCursor) break
    cursor = `&cursor=${body.nextCursor}`
  }
  assert.deepEqual(pages, [...names.toReversed(), 'Test key'])

  assert.equal((await read(server, '?who=key%203')).length, 1)
  assert.equal((await read(server, '?who=100%25')).length, 0)
  assert.equal((await read(server, '?kind=key.revoked')).length, 0)
  const [newest] = await read(server)
  const { at } = newest as AuditEntry
  assert.equal(
    (await read(server, `?to=${at}`)).some(({ id }) => id === newest?.id),
    false,
  )
  assert.deepEqual(await read(server, `?from=${at}`), [newest])
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Bucharest' }).format(new Date(at))
  assert.equal((await read(server, `?day=${today}`)).length, 6)
  assert.equal((await read(server, '?day=2020-02-29')).length, 0)

  for (const [query, code, field] of [
    ['kind=nothing', 'VALIDATION_FAILED', 'kind'],
    ['day=yesterday', 'INVALID_TIME', 'day'],
    ['from=then', 'INVALID_TIME', 'from'],
    ['cursor=x', 'VALIDATION_FAILED', 'cursor'],
  ]) {
    const { status, body } = await server.get(`/audit?${query}`)
    assert.deepEqual([status, body.error?.code, body.error?.field], [400, code, field])
  }
})
