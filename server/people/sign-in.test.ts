import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../db/sql.ts'
import { aTask } from '../test/factories.ts'
import {
  addPerson,
  anEmail,
  aPassword,
  browser,
  cookieOf,
  fromOwnPage,
  setPassword,
  signIn,
  tokenIn,
} from '../test/people.ts'
import { startSecond } from '../test/second.ts'
import { request, startServer } from '../test/server.ts'

const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  `${status} ${body.error?.code ?? ''}`.trim()

test('signing in returns who you are and sets a cookie no script can read', async (t) => {
  const server = await startServer(t)
  const person = await addPerson(server)
  const reply = await signIn(server.url, ` ${person.email.toUpperCase()} `)

  assert.equal(reply.status, 200, reply.text)
  const { person: shown, company, scopes } = reply.body
  assert.deepEqual([shown.id, shown.name, shown.email, shown.role], [person.id, 'Ana Pop', person.email, 'dispatcher'])
  assert.equal(company.id, server.organisationId)
  assert.ok(scopes.includes('tasks:write') && !scopes.includes('keys:read'))
  const [session, device, ...others] = reply.headers.getSetCookie()
  assert.match(String(session), /^waybill=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/)
  assert.match(String(device), /^waybill-device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict$/)
  assert.deepEqual(others, [])
  const again = await browser(server.url, cookieOf(reply)).get('/session')
  assert.deepEqual(again.body, reply.body)
})

test('with an https address the cookie is sent only over https and only to this host', async (t) => {
  const server = await startServer(t, { WAYBILL_PUBLIC_URL: 'https://dispatch.example.org' })
  const { email } = await addPerson(server)
  const signedIn = await signIn(server.url, email)
  const cookie = cookieOf(signedIn)
  const [set, device] = signedIn.headers.getSetCookie()
  assert.match(String(set), /^__Host-waybill=[\w-]{43}; .*; SameSite=Strict; Secure$/)
  assert.match(String(device), /^__Host-waybill-device=[\w-]{43}; .*; SameSite=Strict; Secure$/)
  const ask = (headers: Record<string, string>) =>
    request(server.url, 'DELETE', '/api/v1/session', {
      headers: { cookie, 'content-type': 'application/json', ...headers },
    })

  assert.equal(codeOf(await ask({ origin: server.url })), '403 CROSS_SITE', 'the public address is the only one')
  assert.equal((await ask({ origin: 'https://dispatch.example.org' })).status, 200)
})

test('a sign-in does not reveal which addresses are known', async (t) => {
  const server = await startServer(t)
  const { email } = await addPerson(server)
  const { body: invited } = await server.post('/people', { email: anEmail() })
  const attempts = [email, anEmail(), invited.person.email, 'no address']
  const tookMs: number[] = []
  const told = new Set<string>()
  for (const one of attempts) {
    const begun = performance.now()
    const { status, body, headers } = await signIn(server.url, one, 'a wrong password')
    tookMs.push(performance.now() - begun)
    told.add(JSON.stringify([status, body.error.code, body.error.message, headers.getSetCookie()]))
  }
  assert.deepEqual([...told], ['[401,"UNAUTHORIZED","Wrong email or password",[]]'])
  assert.ok(Math.min(...tookMs) > 10, `every attempt is hashed: ${tookMs.map(Math.round)} ms`)
  t.diagnostic(
    `a wrong password took ${Math.round(tookMs[0] as number)} ms, an unknown address ${tookMs[1]?.toFixed()} ms`,
  )
})

test('a link says whose it is until it is used or expires', async (t) => {
  const server = await startServer(t, { WAYBILL_TRUST_PROXY: 'true' })
  const headers = { 'x-forwarded-for': '203.0.113.8' } // wrong links count per address, so each test has its own
  const email = anEmail()
  const { link, expiresAt, person } = (await server.post('/people', { email, name: 'Ana Pop' })).body
  const askAbout = (token: string) => request(server.url, 'POST', '/api/v1/session/link', { body: { token }, headers })
  const owner = { success: true, person: { name: 'Ana Pop', email }, company: { name: 'Test' }, expiresAt }
  for (let times = 0; times < 2; times += 1) {
    const reply = await askAbout(tokenIn(link))
    assert.deepEqual([reply.status, reply.body, reply.headers.getSetCookie()], [200, owner, []])
  }

  await setPassword(server.url, link)
  for (const token of [tokenIn(link), 'nonsense']) {
    const { status, body } = await askAbout(token)
    assert.deepEqual([status, body.error.code], [401, 'UNAUTHORIZED'])
    assert.equal(body.error.message, 'This link is unknown or was already used; ask for a new one')
  }
  const again = (await server.post(`/people/${person.id}/link`)).body.link
  await server.database.everyone.run(sql`
    update sign_in_links set expires_at = now() where organisation_id = ${server.organisationId}`)
  const { status, body } = await askAbout(tokenIn(again))
  assert.deepEqual([status, body.error.message], [401, 'This link has expired; ask for a new one'])
})

test('a password needs 10 to 200 characters, and must not be the email address or a common password', async (t) => {
  const server = await startServer(t)
  const email = anEmail()
  const { link } = (await server.post('/people', { email })).body
  for (const password of ['short', 'x'.repeat(9), 'x'.repeat(201), email.toUpperCase()]) {
    const { status, body } = await setPassword(server.url, link, { password })
    assert.deepEqual([status, body.error.code, body.error.field], [400, 'VALIDATION_FAILED', 'password'], password)
    assert.ok(!body.error.message.includes(password))
  }
  for (const password of ['1234567890', 'Password123', 'QWERTYUIOP', 'parola1234']) {
    const { status, body } = await setPassword(server.url, link, { password })
    assert.deepEqual([status, body.error.code, body.error.field], [400, 'PASSWORD_TOO_COMMON', 'password'], password)
  }
  const plain = 'only small letters'
  assert.equal((await setPassword(server.url, link, { password: plain })).status, 200)
  const reply = await signIn(server.url, email, plain)
  const { put } = browser(server.url, cookieOf(reply))
  const changed = await put('/session/password', { currentPassword: plain, password: 'password1234' })
  assert.equal(changed.body.error.code, 'PASSWORD_TOO_COMMON')
})

test('a password works with every keyboard, even if it encodes the same letters differently', async (t) => {
  const server = await startServer(t)
  const email = anEmail()
  const { link } = (await server.post('/people', { email })).body
  await setPassword(server.url, link, { password: 'București în zori'.normalize('NFD') })
  assert.equal((await signIn(server.url, email, 'București în zori'.normalize('NFC'))).status, 200)
})

test('a link works once, for a day, and only until a newer one is made', async (t) => {
  const server = await startServer(t)
  const email = anEmail()
  const { person, link, expiresAt } = (await server.post('/people', { email })).body
  assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - 86_400_000) < 60_000)
  assert.match(link, /^http.*\/welcome#[\w-]{43}$/)

  const newer = (await server.post(`/people/${person.id}/link`)).body.link
  assert.equal(codeOf(await setPassword(server.url, link)), '401 UNAUTHORIZED')
  const both = await Promise.all([setPassword(server.url, newer), setPassword(server.url, newer)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401])
  assert.equal(codeOf(await setPassword(server.url, newer)), '401 UNAUTHORIZED')

  const late = (await server.post(`/people/${person.id}/link`)).body.link
  await server.database.everyone.run(
    sql`update sign_in_links set expires_at = now() where user_id = ${person.id as number}`,
  )
  assert.equal(codeOf(await setPassword(server.url, late)), '401 UNAUTHORIZED')
})

test('the first admin chooses an address with the password; invited people keep theirs', async (t) => {
  const server = await startServer(t)
  const [first] = (await server.get('/people')).body.people
  assert.deepEqual([first.name, first.email, first.role, first.hasPassword], ['Admin', null, 'admin', false])
  const { link } = (await server.post(`/people/${first.id}/link`)).body

  const without = await setPassword(server.url, link)
  assert.deepEqual([without.status, without.body.error.field], [400, 'email'])
  const taken = await addPerson(server)
  const second = await setPassword(server.url, link, { email: taken.email.toUpperCase() })
  assert.deepEqual([codeOf(second), second.body.error.field], ['409 EMAIL_TAKEN', 'email'])
  const email = anEmail()
  const done = await setPassword(server.url, link, { email, name: 'Maria' })
  assert.deepEqual([done.body.person.name, done.body.person.email, done.body.scopes], ['Maria', email, ['*']])
  assert.equal((await signIn(server.url, email)).status, 200)

  const { link: reset } = (await server.post(`/people/${first.id}/link`)).body
  assert.equal((await setPassword(server.url, reset, { email: anEmail() })).body.error.field, 'email')
})

test('a new password ends every session except the one it was set in', async (t) => {
  const server = await startServer(t)
  const person = await addPerson(server)
  const other = browser(server.url, cookieOf(await signIn(server.url, person.email)))
  const change = (currentPassword: string, password: string) =>
    person.put('/session/password', { currentPassword, password })

  assert.equal(codeOf(await change('not the password', 'another password')), '403 WRONG_PASSWORD')
  assert.equal((await change(aPassword, person.email)).body.error.field, 'password')
  assert.equal((await change(aPassword, 'another password')).status, 200)
  assert.equal((await person.get('/session')).status, 200)
  assert.equal((await other.get('/session')).status, 401)
  assert.equal((await signIn(server.url, person.email)).status, 401)
  assert.equal((await signIn(server.url, person.email, 'another password')).status, 200)

  const { link } = (await server.post(`/people/${person.id}/link`)).body
  assert.equal((await person.get('/session')).status, 200, 'a link alone ends nothing')
  await setPassword(server.url, link)
  assert.equal((await person.get('/session')).status, 401)
})

test('signing out ends this session, signing out everywhere ends all, in every process', async (t) => {
  const server = await startServer(t)
  const second = await startSecond(t, server)
  const person = await addPerson(server)
  const laptop = browser(second.url, cookieOf(await signIn(second.url, person.email)))
  const phone = browser(server.url, cookieOf(await signIn(server.url, person.email)))

  const out = await phone.delete('/session')
  assert.match(out.headers.getSetCookie().join(), /^waybill=; Max-Age=0; /)
  assert.equal((await browser(second.url, phone.cookie).get('/session')).status, 401)
  assert.equal((await laptop.get('/session')).status, 200)

  assert.equal((await person.delete('/sessions')).status, 200)
  for (const one of [laptop, browser(second.url, person.cookie), person])
    assert.equal(codeOf(await one.get('/tasks')), '401 UNAUTHORIZED')
})

test('an unused session ends after 12 hours, any session after 30 days', async (t) => {
  const server = await startServer(t)
  const person = await addPerson(server)
  const age = (column: 'last_used_at' | 'created_at', hours: number) =>
    server.database.everyone.run(
      column === 'created_at'
        ? sql`update sessions set created_at = now() - make_interval(hours => ${hours}) where user_id = ${person.id}`
        : sql`update sessions set last_used_at = now() - make_interval(hours => ${hours}) where user_id = ${person.id}`,
    )
  const idleMs = async () => {
    const { at } = await server.database.everyone.get<{ at: Date }>(
      sql`select last_used_at as at from sessions where user_id = ${person.id}`,
    )
    return Date.now() - at.getTime()
  }

  await age('last_used_at', 11)
  await age('created_at', 29 * 24)
  assert.equal((await person.get('/session')).status, 200)
  assert.ok((await idleMs()) < 60_000, 'using it keeps it')
  await age('created_at', 30 * 24)
  assert.equal((await person.get('/session')).status, 401)
  await age('created_at', 1)
  await age('last_used_at', 12)
  const reply = await person.get('/session')
  assert.equal(reply.status, 401)
  assert.match(reply.headers.getSetCookie().join(), /^waybill=; Max-Age=0; /, 'the browser stops sending it')

  await signIn(server.url, person.email)
  const { count } = await server.database.everyone.get<{ count: number }>(
    sql`select count(*) from sessions where user_id = ${person.id}`,
  )
  assert.equal(count, 1, 'what is over is cleared away')
})

test('a change with a session is accepted only from our own pages', async (t) => {
  const server = await startServer(t)
  const { cookie } = await addPerson(server)
  const json = { 'content-type': 'application/json' }
  const { host } = new URL(server.url)
  const cases: [headers: Record<string, string>, expected: string][] = [
    [{ ...json, 'sec-fetch-site': 'same-origin' }, '200'],
    [{ ...json, origin: server.url }, '200'],
    [{ ...json, origin: server.url, 'sec-fetch-site': 'same-origin' }, '200'],
    [json, '403 CROSS_SITE'],
    [{ ...json, 'sec-fetch-site': 'cross-site' }, '403 CROSS_SITE'],
    [{ ...json, 'sec-fetch-site': 'same-site' }, '403 CROSS_SITE'],
    [{ ...json, 'sec-fetch-site': 'none' }, '403 CROSS_SITE'],
    [{ ...json, origin: 'https://evil.example' }, '403 CROSS_SITE'],
    [{ ...json, origin: 'null' }, '403 CROSS_SITE'],
    [{ ...json, origin: `http://${host}.evil.example`, 'sec-fetch-site': 'same-origin' }, '403 CROSS_SITE'],
  ]
  for (const [headers, expected] of cases) {
    const reply = await request(server.url, 'POST', '/api/v1/hubs', {
      raw: new TextEncoder().encode('{"name":"North","lat":44,"lng":26}'),
      headers: { ...headers, cookie },
    })
    assert.equal(codeOf(reply), expected, JSON.stringify(headers))
  }
  for (const headers of [{}, { 'content-type': 'text/plain' }, { 'content-type': 'multipart/form-data' }]) {
    const simple = { ...headers, 'sec-fetch-site': 'same-origin', cookie }
    const reply = await request(server.url, 'DELETE', '/api/v1/session', { headers: simple })
    assert.equal(codeOf(reply), '403 CROSS_SITE', JSON.stringify(headers))
  }
  const { hubs } = (await server.get('/hubs')).body
  assert.equal(hubs.length, 3)
  assert.equal((await request(server.url, 'GET', '/api/v1/hubs', { headers: { cookie } })).status, 200)
})

test('another site cannot sign a browser in', async (t) => {
  const server = await startServer(t)
  const { email } = await addPerson(server)
  const { link } = (await server.post('/people', { email: anEmail() })).body
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    const reply = await signIn(server.url, email, aPassword, headers as Record<string, string>)
    assert.deepEqual([codeOf(reply), reply.headers.getSetCookie()], ['403 CROSS_SITE', []])
    const body = { token: tokenIn(link), password: aPassword }
    const path = '/api/v1/session/password'
    assert.equal(
      (await request(server.url, 'POST', path, { body, headers: headers as Record<string, string> })).status,
      403,
    )
  }
})

test('if a request has a key and a cookie, the key counts', async (t) => {
  const server = await startServer(t)
  const stranger = await server.another()
  const { cookie } = await addPerson(server)
  const ask = (path: string, key?: string) =>
    request(server.url, 'GET', `/api/v1${path}`, { ...(key && { key }), headers: { cookie } })

  assert.equal((await ask('/company')).body.company.id, server.organisationId)
  assert.equal((await ask('/company', stranger.key)).body.company.id, stranger.organisationId)
  assert.equal((await ask('/company', 'a wrong key')).status, 401)
  assert.equal((await ask('/session', server.key)).status, 401, 'a key has no session')
  const made = await request(server.url, 'POST', '/api/v1/tasks', {
    key: server.key,
    body: aTask(),
    headers: { cookie, 'sec-fetch-site': 'cross-site' },
  })
  assert.equal(made.status, 200, 'and where it came from is no matter')
})

test('passwords, links and tokens are never stored or logged in plain text', async (t) => {
  const server = await startServer(t)
  const second = await startSecond(t, server, 'debug')
  const email = anEmail()
  const invite = () =>
    request(second.url, 'POST', '/api/v1/people', {
      key: server.key,
      body: { email },
      headers: { 'idempotency-key': 'once' },
    })
  const first = await invite()
  const again = await invite()
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual([again.body.link, again.body.person], ['', first.body.person])

  const set = await setPassword(second.url, first.body.link)
  const me = browser(second.url, cookieOf(set))
  const changed = await request(second.url, 'PUT', '/api/v1/session/password', {
    body: { currentPassword: aPassword, password: 'another password' },
    headers: { ...fromOwnPage, cookie: me.cookie, 'idempotency-key': 'password' },
  })
  assert.equal(changed.status, 200)
  await me.post('/tasks', aTask())
  await signIn(second.url, email, 'a wrong password')

  const db = server.database.everyone
  const tables = await db.many<{ name: string }>(sql`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and not relispartition`)
  const kept = await Promise.all(
    tables.map(({ name }) =>
      db.many(sql`select t::text as row from (select table_to_xml(${name}::regclass, true, false, '')) t`),
    ),
  )
  const everything = JSON.stringify(kept) + second.logged()
  assert.ok(everything.includes(email), 'what is written down is looked at')
  const secrets = [aPassword, 'another password', 'a wrong password', tokenIn(first.body.link), me.cookie.split('=')[1]]
  for (const secret of secrets) assert.ok(!everything.includes(secret as string), `${secret} was written down`)
  const { count } = await db.get<{ count: number }>(
    sql`select count(*) from kept_answers where organisation_id = ${server.organisationId} and key = 'password'`,
  )
  assert.equal(count, 0, 'not even a fingerprint of a password')
})
