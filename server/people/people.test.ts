import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Operation, operations } from '../../contract/operations.ts'
import { roles } from '../../contract/person.ts'
import { commandLine } from '../audit/record.ts'
import { aTask } from '../test/factories.ts'
import { addPerson, anEmail, fromOwnPage, setPassword, signIn } from '../test/people.ts'
import { startSecond } from '../test/second.ts'
import { request, startServer, type TestServer } from '../test/server.ts'
import { changeSuperAdmin } from './actions.ts'

const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  `${status} ${body.error?.code ?? ''}`.trim()

test('an admin can invite, list, change and delete people, and so can a key', async (t) => {
  const server = await startServer(t)
  const admin = await addPerson(server, 'admin', 'Maria')
  const email = anEmail()
  const { person, link } = (await admin.post('/people', { email })).body
  assert.deepEqual(
    [person.name, person.email, person.role, person.hasPassword],
    [email.split('@')[0], email, 'dispatcher', false],
  )
  await setPassword(server.url, link)

  const changed = (await admin.put(`/people/${person.id}`, { name: 'Ion' })).body.person
  assert.deepEqual([changed.name, changed.role, changed.hasPassword], ['Ion', 'dispatcher', true])
  assert.equal((await admin.put(`/people/${person.id}`, { role: 'admin' })).body.person.role, 'admin')
  const names = async () => (await server.get('/people')).body.people.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names(), ['Admin', 'Maria', 'Ion'])

  assert.equal((await admin.delete(`/people/${person.id}`)).status, 200)
  assert.deepEqual(await names(), ['Admin', 'Maria'])
  assert.equal((await signIn(server.url, email)).status, 401)
  for (const gone of [await admin.delete(`/people/${person.id}`), await admin.post(`/people/${person.id}/link`)])
    assert.equal(codeOf(gone), '404 PERSON_NOT_FOUND')
  assert.equal((await admin.post('/people', { email })).status, 200, 'the address is free again')
})

test('an email address belongs to one person of the installation, in any letter case', async (t) => {
  const server = await startServer(t)
  const { email } = await addPerson(server)
  for (const { post } of [server, await server.another()]) {
    const { status, body } = await post('/people', { email: email.toUpperCase() })
    assert.deepEqual([status, body.error.code, body.error.field], [409, 'EMAIL_TAKEN', 'email'])
  }
  assert.equal((await server.post('/people', { email: 'nobody' })).body.error.field, 'email')
  assert.equal((await server.get('/people')).body.people.length, 2)
})

test('an admin may do everything, a dispatcher all but keys, webhook secrets, people, settings, the audit log and erasure', async (t) => {
  const server = await startServer(t)
  const refusedTo = async (role: 'admin' | 'dispatcher') => {
    const { cookie } = await addPerson(server, role)
    const refused = new Set<string>()
    for (const { method, path, scope, streams, upload } of Object.values<Operation>(operations)) {
      if (!scope || streams) continue
      const target = path.replace(/:\w+/g, '999999999')
      const type = upload && { 'content-type': upload.types[0]! }
      const { status } = await request(server.url, method, target, { headers: { ...fromOwnPage, ...type, cookie } })
      assert.notEqual(status, 401, `${method} ${path}`)
      if (status === 403) refused.add(`${method} ${path.replace('/api/v1', '')}`)
    }
    return [...refused].sort()
  }
  assert.deepEqual(await refusedTo('admin'), [])
  assert.deepEqual(await refusedTo('dispatcher'), [
    'DELETE /forms/:formId',
    'DELETE /keys/:keyId',
    'DELETE /partners/:companyId',
    'DELETE /people/:personId',
    'DELETE /reasons/:reasonId',
    'DELETE /webHooks/:webhookId',
    'GET /audit',
    'GET /erasures',
    'GET /keys',
    'GET /people',
    'GET /personalData',
    'POST /erasures',
    'POST /forms',
    'POST /keys',
    'POST /keys/:keyId/rotate',
    'POST /messageTexts/test',
    'POST /partners',
    'POST /people',
    'POST /people/:personId/link',
    'POST /reasons',
    'POST /tasks/awb/:awb/correct',
    'POST /webHooks',
    'POST /webHooks/:webhookId/rotateSecret',
    'POST /webHooks/bulkCreate',
    'PUT /company',
    'PUT /forms/:formId',
    'PUT /messageTexts',
    'PUT /people/:personId',
    'PUT /reasons/:reasonId',
  ])
})

test('the history names the person who did something', async (t) => {
  const server = await startServer(t)
  const person = await addPerson(server, 'dispatcher', 'Ioana')
  const { task } = (await person.post('/tasks', aTask({ awb: 'A-1' }))).body
  const noted = (await person.post('/tasks/awb/A-1/notes', { note: 'The customer called' })).body.task

  assert.equal(noted.notes[0].userId, person.id)
  const { timelines } = (await server.get(`/tasks/${task.id}`)).body.task
  const actor = { type: 'ADMIN', id: person.id, name: 'Ioana' }
  assert.deepEqual(
    timelines.map((entry: { actor: object }) => entry.actor),
    [actor, actor],
  )
  const { events } = (await server.get('/events')).body
  assert.deepEqual(events[0].actionContext, { type: 'ADMIN', id: person.id })
})

test('a person who is deleted or loses a role is stopped at once, in every process', async (t) => {
  const server = await startServer(t)
  const second = await startSecond(t, server)
  await addPerson(server, 'admin')
  const person = await addPerson(server, 'admin')
  const ask = (path: string) =>
    request(second.url, 'GET', `/api/v1${path}`, { headers: { ...fromOwnPage, cookie: person.cookie } })

  assert.equal((await ask('/keys')).status, 200)
  await server.put(`/people/${person.id}`, { role: 'dispatcher' })
  const refused = await ask('/keys')
  assert.deepEqual([refused.status, refused.body.error.message], [403, 'Your role lacks the scope keys:read'])

  const stream = await fetch(`${second.url}/api/v1/events/stream`, { headers: { cookie: person.cookie } })
  await server.delete(`/people/${person.id}`)
  assert.equal((await ask('/tasks')).status, 401)
  // Returns only when the stream has ended.
  for await (const _ of stream.body as ReadableStream<Uint8Array>);
})

test('an organisation always has an admin, even if two delete each other at the same time', async (t) => {
  const server = await startServer(t)
  const [first] = (await server.get('/people')).body.people
  assert.equal(codeOf(await server.delete(`/people/${first.id}`)), '409 LAST_ADMIN')
  assert.equal(codeOf(await server.put(`/people/${first.id}`, { role: 'dispatcher' })), '409 LAST_ADMIN')
  assert.equal((await server.put(`/people/${first.id}`, { name: 'Boss' })).status, 200)

  const { person: second } = (await server.post('/people', { email: anEmail(), role: 'admin' })).body
  const replies = await Promise.all([
    server.delete(`/people/${first.id}`),
    server.put(`/people/${second.id}`, { role: 'dispatcher' }),
  ])
  assert.deepEqual(replies.map(codeOf).sort(), ['200', '409 LAST_ADMIN'])
})

test('an admin who never signed in does not count as another admin', async (t) => {
  const server = await startServer(t)
  const only = await addPerson(server, 'admin')
  const { person: invited, link } = (await server.post('/people', { email: anEmail(), role: 'admin' })).body
  assert.equal(codeOf(await server.delete(`/people/${only.id}`)), '409 LAST_ADMIN')
  assert.equal(codeOf(await server.put(`/people/${only.id}`, { role: 'dispatcher' })), '409 LAST_ADMIN')
  assert.equal((await setPassword(server.url, link)).status, 200)
  assert.equal(codeOf(await server.delete(`/people/${only.id}`)), '200')
  assert.equal(codeOf(await server.delete(`/people/${invited.id}`)), '409 LAST_ADMIN')
})

test('a link made for a dispatcher cannot be used to sign in as an admin', async (t) => {
  const server = await startServer(t)
  const { person, link } = (await server.post('/people', { email: anEmail() })).body
  await server.put(`/people/${person.id}`, { role: 'admin' })
  assert.equal((await setPassword(server.url, link)).status, 401)
  const renewed = (await server.post(`/people/${person.id}/link`)).body.link
  assert.equal((await setPassword(server.url, renewed)).status, 200)
})

test('a key cannot grant more rights than it has, or change a person with more rights', async (t) => {
  const server = await startServer(t)
  const [first] = (await server.get('/people')).body.people
  const limitedTo = async (scopes: string[]) => {
    const { secret } = (await server.post('/keys', { name: 'People', scopes })).body.key
    return (method: string, path: string, body?: object) =>
      request(server.url, method, `/api/v1${path}`, { key: secret, body })
  }
  const ask = await limitedTo(['people:read', 'people:write', 'tasks:read'])
  const { person } = (await server.post('/people', { email: anEmail() })).body
  const attempts: [method: string, path: string, body?: object][] = [
    ['POST', '/people', { email: anEmail() }],
    ['POST', '/people', { email: anEmail(), role: 'admin' }],
    ['POST', `/people/${first.id}/link`],
    ['POST', `/people/${person.id}/link`],
    ['PUT', `/people/${person.id}`, { role: 'admin' }],
    ['PUT', `/people/${person.id}`, { name: 'Ana' }],
    ['DELETE', `/people/${person.id}`],
  ]
  for (const [method, path, body] of attempts)
    assert.equal(codeOf(await ask(method, path, body)), '403 FORBIDDEN', `${method} ${path}`)
  assert.equal((await server.get('/people')).body.people.length, 2)
  const equal = await limitedTo(['people:write', ...roles.dispatcher])
  assert.equal((await equal('PUT', `/people/${person.id}`, { name: 'Ana' })).status, 200)
})

test('the people of another organisation look as if they did not exist', async (t) => {
  const server = await startServer(t)
  const stranger: Pick<TestServer, 'put' | 'delete' | 'post'> = await server.another()
  const { id } = await addPerson(server)
  assert.equal(codeOf(await stranger.put(`/people/${id}`, { name: 'x' })), '404 PERSON_NOT_FOUND')
  assert.equal(codeOf(await stranger.delete(`/people/${id}`)), '404 PERSON_NOT_FOUND')
  assert.equal(codeOf(await stranger.post(`/people/${id}/link`)), '404 PERSON_NOT_FOUND')
  const driver = await server.post('/teams', { name: 'Day' })
  const { user } = (await server.post('/drivers', { name: 'Ion', phone: '0712 345 678', teams: [driver.body.team.id] }))
    .body
  assert.equal(codeOf(await server.post(`/people/${user.id}/link`)), '404 PERSON_NOT_FOUND', 'a driver is no person')
})

test('a super admin sees the installation in numbers, other admins do not, and only the command line decides who is one', async (t) => {
  const server = await startServer(t)
  const ana = await addPerson(server, 'admin')
  const refused = await ana.get('/installation')
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'FORBIDDEN'])
  const { body } = await ana.put(`/people/${ana.id}`, { superAdmin: true, name: 'Ana' })
  assert.equal(body.person.superAdmin, false)
  const by = { db: server.database.of(server.organisationId), ...commandLine }
  await changeSuperAdmin(by, server.organisationId, ana.id, true)
  const { installation } = (await ana.get('/installation')).body
  assert.ok(installation.organisations >= 1 && installation.people >= 1 && installation.database.bytes > 0)
  assert.equal((await ana.get('/session')).body.person.superAdmin, true)
  const names = JSON.stringify(installation)
  assert.equal(names.includes('Ana'), false, 'numbers, not names')
  const other = await addPerson(server, 'admin')
  await other.put(`/people/${ana.id}`, { role: 'dispatcher' })
  assert.equal((await ana.get('/installation')).status, 403, 'a dispatcher is none')
})
