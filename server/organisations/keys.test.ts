import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw, sql } from '../db/sql.ts'
import { startSecond } from '../test/second.ts'
import { request, startServer, type TestServer } from '../test/server.ts'
import { until } from '../test/until.ts'

const hourMs = 3_600_000

const createKey = async (server: TestServer, given: object = {}) => {
  const { status, body } = await server.post('/keys', { name: 'Shop', ...given })
  assert.equal(status, 200, JSON.stringify(body))
  return body.key
}

/** 'works', or the error code a key gets from this process. */
const tryKey = async (url: string, key: string) => {
  const { status, body } = await request(url, 'GET', '/api/v1/company', { key })
  return status === 200 ? 'works' : body.error.code
}

const untilKeyMeets = (url: string, key: string, expected: string) =>
  until(`the key to get ${expected}`, async () => (await tryKey(url, key)) === expected)

test('a new key works, and is shown once', async (t) => {
  const server = await startServer(t)
  const { secret, ...key } = await createKey(server)

  assert.equal(await tryKey(server.url, secret), 'works')
  assert.deepEqual([key.name, key.scopes, key.expiresAt, key.revokedAt], ['Shop', ['*'], null, null])
  const { keys } = (await server.get('/keys')).body
  assert.deepEqual(
    keys.map(({ name }: { name: string }) => name),
    ['Test key', 'Shop'],
  )
  assert.deepEqual({ ...keys[1], lastUsedAt: null }, key)
})

test('the text of a key is stored nowhere and logged nowhere', async (t) => {
  const server = await startServer(t)
  const second = await startSecond(t, server, 'debug')
  const made = await request(second.url, 'POST', '/api/v1/keys', { key: server.key, body: { name: 'Canary' } })
  const { id, secret } = made.body.key
  await tryKey(second.url, secret)
  await tryKey(second.url, `${secret}x`)
  const rotated = await request(second.url, 'POST', `/api/v1/keys/${id}/rotate`, { key: secret })
  await second.stop()

  const db = server.database.everyone
  const tables = await db.many<{ name: string }>(sql`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`)
  const rows = await Promise.all(
    tables.map(({ name }) => db.many<{ text: string }>(raw(`select t::text from ${name} t`))),
  )
  const everything = JSON.stringify(rows) + second.logged() + JSON.stringify((await server.get('/keys')).body)
  for (const text of [secret, rotated.body.key.secret]) assert.ok(!everything.includes(text.slice(8, 40)))
})

test('repeating a request makes no second key and does not show the secret again', async (t) => {
  const server = await startServer(t)
  const ask = () =>
    request(server.url, 'POST', '/api/v1/keys', {
      key: server.key,
      body: { name: 'Once' },
      headers: { 'idempotency-key': 'once' },
    })
  const first = (await ask()).body.key
  const again = (await ask()).body.key

  assert.ok(first.secret)
  assert.deepEqual(again, { ...first, secret: '' })
})

test('a new key with an invalid field is refused, and the error names the field', async (t) => {
  const server = await startServer(t)
  const cases: [body: object, code: string, field: string, says: RegExp][] = [
    [{}, 'VALIDATION_FAILED', 'name', /is required/],
    [{ name: null }, 'VALIDATION_FAILED', 'name', /is required/],
    [{ name: '' }, 'VALIDATION_FAILED', 'name', /not only spaces/],
    [{ name: 'x'.repeat(121) }, 'VALIDATION_FAILED', 'name', /1 to 120/],
    [{ name: 'x', scopes: [] }, 'VALIDATION_FAILED', 'scopes', /at least 1 item/],
    [{ name: 'x', scopes: 'tasks:read' }, 'VALIDATION_FAILED', 'scopes', /a list/],
    [{ name: 'x', scopes: ['tasks:fly'] }, 'VALIDATION_FAILED', 'scopes.0', /one of \*, tasks:read/],
    [{ name: 'x', expiresAt: 'tomorrow' }, 'INVALID_TIME', 'expiresAt', /YYYY-MM-DD/],
    [{ name: 'x', expiresAt: '2020-01-01 00:00:00' }, 'VALIDATION_FAILED', 'expiresAt', /in the future/],
  ]
  for (const [given, code, field, says] of cases) {
    const { status, body } = await server.post('/keys', given)
    assert.deepEqual([status, body.error.code, body.error.field], [400, code, field])
    assert.match(body.error.message, says)
  }
  assert.equal((await server.get('/keys')).body.keys.length, 1)
})

test('a key can do what its scopes say, and cannot make a key that can do more', async (t) => {
  const server = await startServer(t)
  const limited = await createKey(server, { scopes: ['keys:write', 'company:read', 'company:read'] })
  const all = await createKey(server)
  assert.deepEqual(limited.scopes, ['keys:write', 'company:read'])
  const ask = (method: string, path: string, body?: object) =>
    request(server.url, method, `/api/v1${path}`, { key: limited.secret, body })

  assert.equal((await ask('GET', '/company')).status, 200)
  assert.equal((await ask('GET', '/keys')).body.error.message, 'This key lacks the scope keys:read')
  assert.equal((await ask('POST', '/keys', { name: 'Same', scopes: ['company:read'] })).status, 200)
  for (const more of [{ name: 'More', scopes: ['company:read', 'tasks:read'] }, { name: 'All' }]) {
    const { status, body } = await ask('POST', '/keys', more)
    assert.deepEqual([status, body.error.code], [403, 'FORBIDDEN'])
    assert.match(body.error.message, /missing: (tasks:read|\*)$/)
  }
  assert.equal((await ask('POST', `/keys/${all.id}/rotate`)).body.error.code, 'FORBIDDEN')
  assert.equal(await tryKey(server.url, all.secret), 'works')
})

test('the keys of another organisation look as if they did not exist', async (t) => {
  const server = await startServer(t)
  const stranger = await server.another()
  const { id, secret } = await createKey(server)
  const errorOf = async (keyId: number, rest: string, method: 'delete' | 'post') => ({
    ...(await stranger[method](`/keys/${keyId}${rest}`)).body.error,
    requestId: '',
  })

  assert.deepEqual(await errorOf(id, '', 'delete'), await errorOf(999_999_999, '', 'delete'))
  assert.deepEqual(await errorOf(id, '/rotate', 'post'), await errorOf(999_999_999, '/rotate', 'post'))
  assert.equal(await tryKey(server.url, secret), 'works')
})

test('a key works until it expires', async (t) => {
  const server = await startServer(t)
  const key = await createKey(server, { expiresAt: new Date(Date.now() + hourMs).toISOString() })

  assert.equal(await tryKey(server.url, key.secret), 'works')
  await server.database.everyone.run(sql`update keys set expires_at = now() where id = ${key.id}`)
  await untilKeyMeets(server.url, key.secret, 'KEY_EXPIRED')
  const rotated = await server.post(`/keys/${key.id}/rotate`)
  assert.deepEqual([rotated.status, rotated.body.error.code], [404, 'KEY_NOT_FOUND'])
  assert.match(rotated.body.error.message, /has expired/)
})

test("an expiry without an offset is in the organisation's time zone", async (t) => {
  const server = await startServer(t)
  const key = await createKey(server, { expiresAt: '2100-07-01 12:00' })
  assert.equal(key.expiresAt, '2100-07-01T09:00:00.000Z')
})

test('a revoked key stops working at once here, within a second in other processes, and stays listed', async (t) => {
  const server = await startServer(t)
  const second = await startSecond(t, server)
  const key = await createKey(server)
  for (const url of [server.url, second.url]) assert.equal(await tryKey(url, key.secret), 'works')

  assert.equal((await server.delete(`/keys/${key.id}`)).status, 200)
  assert.equal(await tryKey(server.url, key.secret), 'UNAUTHORIZED')
  const begun = performance.now()
  await untilKeyMeets(second.url, key.secret, 'UNAUTHORIZED')
  t.diagnostic(`revoked in another process after ${Math.round(performance.now() - begun)} ms`)

  const again = await server.delete(`/keys/${key.id}`)
  assert.deepEqual([again.status, again.body.error.code], [404, 'KEY_NOT_FOUND'])
  assert.equal((await server.post(`/keys/${key.id}/rotate`)).body.error.code, 'KEY_NOT_FOUND')
  const listed = (await server.get('/keys')).body.keys.find(({ id }: { id: number }) => id === key.id)
  assert.ok(Date.parse(listed.revokedAt) <= Date.now())
})

test('a key may revoke itself', async (t) => {
  const server = await startServer(t)
  const key = await createKey(server)
  const { status } = await request(server.url, 'DELETE', `/api/v1/keys/${key.id}`, { key: key.secret })

  assert.equal(status, 200)
  assert.equal(await tryKey(server.url, key.secret), 'UNAUTHORIZED')
})

test('after a rotation both keys work until the overlap is over', async (t) => {
  const server = await startServer(t)
  const old = await createKey(server, { scopes: ['company:read'] })
  const { key } = (await server.post(`/keys/${old.id}/rotate`)).body

  assert.deepEqual([key.name, key.scopes, key.expiresAt], [old.name, old.scopes, null])
  for (const { secret } of [old, key]) assert.equal(await tryKey(server.url, secret), 'works')
  const listed = (await server.get('/keys')).body.keys.find(({ id }: { id: number }) => id === old.id)
  assert.ok(Math.abs(Date.parse(listed.expiresAt) - Date.now() - 24 * hourMs) < 60_000)

  const next = (await server.post(`/keys/${key.id}/rotate`, { overlapHours: '0' })).body.key
  assert.equal(await tryKey(server.url, key.secret), 'KEY_EXPIRED')
  assert.equal(await tryKey(server.url, next.secret), 'works')
})

test('a rotation never extends a key, and refuses invalid hours', async (t) => {
  const server = await startServer(t)
  const expiresAt = new Date(Date.now() + hourMs).toISOString()
  const old = await createKey(server, { expiresAt })
  for (const overlapHours of [-1, 721, 1.5, 'a day'])
    assert.equal((await server.post(`/keys/${old.id}/rotate`, { overlapHours })).body.error.field, 'overlapHours')
  const { key } = (await server.post(`/keys/${old.id}/rotate`, { overlapHours: 48 })).body

  assert.equal(key.expiresAt, expiresAt)
  const listed = (await server.get('/keys')).body.keys.find(({ id }: { id: number }) => id === old.id)
  assert.equal(listed.expiresAt, expiresAt)
})

test('a key is rotated once, even if several requests ask for it at the same time', async (t) => {
  const server = await startServer(t)
  const old = await createKey(server)
  const replies = await Promise.all([1, 2, 3, 4].map(() => server.post(`/keys/${old.id}/rotate`)))

  const made = replies.filter(({ status }) => status === 200)
  const refused = replies.filter(({ status }) => status === 409)
  assert.deepEqual([made.length, refused.length], [1, 3])
  const [{ error }] = refused.map(({ body }) => body) as [{ error: { code: string; message: string } }]
  assert.equal(error.code, 'KEY_REPLACED')
  assert.ok(error.message.includes(`rotate key ${made[0]?.body.key.id},`))
})

test('the last use of a key is saved once a minute, and when the server stops', async (t) => {
  const server = await startServer(t)
  const second = await startSecond(t, server)
  const { id, secret } = await createKey(server)
  const db = server.database.everyone
  const lastUsed = async () => {
    const { at } = await db.get<{ at: Date | null }>(sql`select last_used_at as at from keys where id = ${id}`)
    return at && Date.now() - at.getTime()
  }
  const setLastUsed = (seconds: number) =>
    db.run(sql`update keys set last_used_at = now() - make_interval(secs => ${seconds}) where id = ${id}`)

  assert.equal(await lastUsed(), null)
  await tryKey(server.url, secret)
  await until('the first use to be written', async () => (await lastUsed()) !== null)

  await setLastUsed(30)
  await tryKey(second.url, secret)
  await setLastUsed(90)
  await second.stop()
  assert.ok(((await lastUsed()) as number) > 80_000, 'a use half a minute later is not written')

  const third = await startSecond(t, server)
  await tryKey(third.url, secret)
  await third.stop()
  assert.ok(((await lastUsed()) as number) < 30_000, 'a use a minute later is')
})
