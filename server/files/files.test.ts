import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { sql } from '../db/sql.ts'
import { openFolder } from '../outside/files/folder.ts'
import { aTask, makeDriver, signIn } from '../test/factories.ts'
import { addPerson, fromOwnPage } from '../test/people.ts'
import { makePng, photo, webp } from '../test/pictures.ts'
import { type Reply, request, startServer, type TestServer } from '../test/server.ts'
import { collectFiles } from './collect.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A driver with a task, and what they and the office can do with files. */
async function aStop(t: TestContext) {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const token = await signIn(server, driver)
  const { task } = (await server.post('/tasks', aTask({ awb: 'A-1', userId: driver.id }))).body
  const asDriver = (method: string, path: string, body?: object, key = token) =>
    request(server.url, method, `/api/v1/driver${path}`, { key, body })
  const send = (fileId: string, bytes: Bytes = photo, key = token) =>
    request(server.url, 'PUT', `/api/v1/driver/files/${fileId}`, { key, raw: bytes, headers: jpeg })
  const note = (body: object, key = token) => asDriver('POST', `/tasks/${task.id}/notes`, body, key)
  const fetchFile = (path: string, key = server.key, headers = {}) => request(server.url, 'GET', path, { key, headers })
  return { server, driver, token, task, asDriver, send, note, fetchFile }
}

const jpeg = { 'content-type': 'image/jpeg' }
const upload = (server: TestServer, bytes: Bytes = photo, key = server.key, headers = {}) =>
  request(server.url, 'POST', '/api/v1/files', { key, raw: bytes, headers: { ...jpeg, ...headers } })
const codeOf = ({ status, body }: Reply) => `${status} ${body.error?.code ?? 'fine'}`

test('a photo from the stop is on the task, for the driver and for the office', async (t) => {
  const { server, send, note, token, fetchFile } = await aStop(t)
  const id = randomUUID()
  const { file } = (await send(id)).body
  assert.deepEqual(
    { ...file, bytes: 0, createdAt: '' },
    {
      id,
      path: `/files/${id}`,
      type: 'image/jpeg',
      bytes: 0,
      createdAt: '',
      // It was lying on its side.
      width: 60,
      height: 80,
    },
  )
  const [shown] = (await note({ fileId: id, note: 'At the door' })).body.task.notes
  assert.deepEqual([shown.image, shown.type, shown.note], [`/files/${id}`, 2, 'At the door'])
  for (const key of [server.key, token]) {
    const { status, bytes } = await fetchFile(shown.image, key)
    assert.deepEqual([status, bytes.length, [...bytes.slice(0, 3)]], [200, file.bytes, [0xff, 0xd8, 0xff]])
  }
  assert.deepEqual(await server.triggers('A-1'), ['TASK_CREATED', 'TASK_ASSIGNED', 'TASK_UPDATED'])
})

test('a photo keeps nothing but its pixels', async (t) => {
  const { server, fetchFile } = await aStop(t)
  assert.match(Buffer.from(photo).toString('latin1'), /Exif.*KANARIENVOGEL/s)
  const { file } = (await upload(server)).body
  for (const path of [file.path, `${file.path}?size=thumb`]) {
    const { bytes } = await fetchFile(path)
    assert.doesNotMatch(Buffer.from(bytes).toString('latin1'), /Exif|KANARIENVOGEL|ICC_PROFILE|http/)
  }
})

test('what is large is made smaller, what is transparent stays so', async (t) => {
  const { server, fetchFile } = await aStop(t)
  const sizes: [Bytes, object][] = [
    [makePng(2_200, 1_100), { type: 'image/jpeg', width: 2_048, height: 1_024 }],
    [makePng(90, 30, { alpha: 100 }), { type: 'image/png', width: 90, height: 30 }],
    [webp, { type: 'image/jpeg', width: 80, height: 60 }],
  ]
  for (const [bytes, expected] of sizes) {
    const { type, width, height, path } = (await upload(server, bytes)).body.file
    assert.deepEqual({ type, width, height }, expected)
    assert.equal((await fetchFile(path)).headers.get('content-type'), type)
    assert.equal((await fetchFile(`${path}?size=thumb`)).headers.get('content-type'), type)
  }
})

test('a note may come before its photo, which fires when it arrives', async (t) => {
  const { server, send, note, fetchFile } = await aStop(t)
  const id = randomUUID()
  const [waiting] = (await note({ fileId: id })).body.task.notes
  assert.deepEqual([waiting.image, waiting.note, waiting.type], [null, null, 2])
  assert.equal(codeOf(await fetchFile(`/files/${id}`)), '404 FILE_NOT_FOUND')

  await send(id.toUpperCase())

  assert.equal((await server.get('/tasks/awb/A-1')).body.task.notes[0].image, `/files/${id}`)
  const { events } = (await server.get('/events')).body
  const [before, after] = events.slice(-2)
  assert.deepEqual([before.triggerName, before.data.task.notes[0].image], ['TASK_UPDATED', null])
  assert.deepEqual([after.triggerName, after.data.task.notes[0].image], ['TASK_UPDATED', `/files/${id}`])
  assert.equal(after.data.previous.notes[0].image, null)
  assert.deepEqual(after.actionContext.type, 'DRIVER')
  await send(id)
  assert.equal((await server.triggers('A-1')).length, 4, 'the same again is no news')
})

test('a note and its photo that come at the same moment find each other', async (t) => {
  const { server, send, note } = await aStop(t)
  const ids = Array.from({ length: 6 }, () => randomUUID())
  await Promise.all(ids.flatMap((fileId) => [send(fileId), note({ fileId })]))
  const { task } = (await server.get('/tasks/awb/A-1')).body
  assert.equal(task.notes.length, 6)
  const { events } = (await server.get('/events')).body
  const last = events.at(-1).data.task.notes
  assert.deepEqual(
    last.map(({ image }: { image: string }) => image).sort(),
    ids.map((id) => `/files/${id}`).sort(),
    'the last event shows them all',
  )
})

test('the same bytes again are fine, other bytes under the same id are refused', async (t) => {
  const { server, send } = await aStop(t)
  const id = randomUUID()
  const first = (await send(id)).body.file
  assert.deepEqual((await send(id)).body.file, first)
  assert.equal(codeOf(await send(id, webp)), '409 FILE_TAKEN')
  const other = await signIn(server, await makeDriver(server))
  assert.equal(codeOf(await send(id, photo, other)), '409 FILE_TAKEN')
  assert.equal(codeOf(await send('7')), '400 VALIDATION_FAILED')
})

test('many who send other bytes under one id at once: one of them is stored, whole', async (t) => {
  const { send, fetchFile, token } = await aStop(t)
  const id = randomUUID()
  const pictures = Array.from({ length: 5 }, (_, shade) => makePng(20 + shade, 20, { shade, alpha: 9 }))
  const replies = await Promise.all(pictures.map((bytes) => send(id, bytes)))
  const winners = replies.filter(({ status }) => status === 200)
  assert.equal(winners.length, 1)
  const { bytes } = await fetchFile(`/files/${id}`, token)
  assert.equal(Buffer.from(bytes).readUInt32BE(16), winners[0]?.body.file.width, 'the width in the PNG itself')
})

test('a file of a task is for those who may see the task', async (t) => {
  const { server, driver, send, note, token, fetchFile } = await aStop(t)
  const id = randomUUID()
  await send(id)
  await note({ fileId: id })
  const { image } = (await server.get('/tasks/awb/A-1')).body.task.notes[0]
  const keyFor = async (...scopes: string[]) => (await server.post('/keys', { name: 'K', scopes })).body.key.secret
  const colleague = await makeDriver(server)
  const colleagueToken = await signIn(server, colleague)
  const stranger = (await server.another()).key

  assert.equal(codeOf(await fetchFile(image, await keyFor('tasks:read'))), '200 fine')
  assert.equal(codeOf(await fetchFile(image, await keyFor('drivers:read', 'files:write'))), '403 FORBIDDEN')
  assert.equal(codeOf(await fetchFile(image, colleagueToken)), '404 FILE_NOT_FOUND')
  assert.equal(codeOf(await fetchFile(image, stranger)), '404 FILE_NOT_FOUND')
  assert.equal(codeOf(await request(server.url, 'GET', image)), '401 UNAUTHORIZED')
  const { cookie } = await addPerson(server, 'dispatcher')
  assert.equal(codeOf(await request(server.url, 'GET', image, { headers: { cookie } })), '200 fine')

  await server.put(`/containers/drivers/${colleague.id}`, { tasks: ['A-1'] })
  assert.equal(codeOf(await fetchFile(image, colleagueToken)), '200 fine', 'the driver who has the task now sees it')
  assert.equal(codeOf(await fetchFile(image, token)), '200 fine', 'and so does the one who took it')
  assert.notEqual(driver.id, colleague.id)
})

test('a file that is for nothing yet is only for those who sent it', async (t) => {
  const { server, send, token, fetchFile } = await aStop(t)
  const id = randomUUID()
  await send(id)
  assert.equal(codeOf(await fetchFile(`/files/${id}`, token)), '200 fine')
  assert.equal(codeOf(await fetchFile(`/files/${id}`)), '404 FILE_NOT_FOUND')
  const { path } = (await upload(server)).body.file
  assert.equal(codeOf(await fetchFile(path)), '200 fine')
  assert.equal(codeOf(await fetchFile(path, token)), '404 FILE_NOT_FOUND')
})

test('a browser keeps a picture to itself, asks whether it is still good, and runs nothing in it', async (t) => {
  const { server, fetchFile } = await aStop(t)
  const { path, id, bytes } = (await upload(server)).body.file
  const { headers } = await fetchFile(path)
  const shown = (name: string) => headers.get(name)
  assert.equal(shown('cache-control'), 'private, no-cache')
  assert.equal(shown('x-content-type-options'), 'nosniff')
  assert.match(shown('content-security-policy') ?? '', /sandbox/)
  assert.equal(shown('content-disposition'), `inline; filename="${id}.jpg"`)
  assert.equal(shown('content-encoding'), null)

  const etag = shown('etag') as string
  const again = await fetchFile(path, server.key, { 'if-none-match': `"x", W/${etag}` })
  assert.deepEqual([again.status, again.bytes.length], [304, 0])
  assert.equal((await fetchFile(`${path}?size=thumb`, server.key, { 'if-none-match': etag })).status, 200)

  const head = await request(server.url, 'HEAD', path, { key: server.key })
  assert.deepEqual([head.status, head.headers.get('content-length'), head.bytes.length], [200, String(bytes), 0])
  assert.equal(codeOf(await fetchFile(`${path}?size=huge`)), '400 VALIDATION_FAILED')
  assert.equal(codeOf(await request(server.url, 'DELETE', path, { key: server.key })), '405 METHOD_NOT_ALLOWED')
})

test('the office adds pictures to tasks, one task each', async (t) => {
  const { server } = await aStop(t)
  const { id } = (await upload(server)).body.file
  const add = (awb: string, body: object) => server.post(`/tasks/awb/${awb}/notes`, body)
  const [shown] = (await add('A-1', { fileId: id, type: 3, note: 'Ana' })).body.task.notes
  assert.deepEqual([shown.image, shown.type], [`/files/${id}`, 3])
  await server.post('/tasks', aTask({ awb: 'A-2' }))
  assert.equal(codeOf(await add('A-2', { fileId: id })), '409 FILE_IN_USE')
  assert.equal(codeOf(await add('A-2', { fileId: randomUUID() })), '400 FILE_NOT_FOUND')
  assert.equal(codeOf(await add('A-2', {})), '400 VALIDATION_FAILED')
  assert.equal(codeOf(await server.put('/company', { logo: id })), '409 FILE_IN_USE')
})

test('drivers have a picture, and organisations a logo, that all their people see', async (t) => {
  const { server, driver, send, asDriver, token, fetchFile, task } = await aStop(t)
  const id = randomUUID()
  await send(id)
  const { user } = (await asDriver('PUT', '/profile', { avatar: id, hasDismissedIntroModal: true })).body
  assert.deepEqual([user.avatar, user.hasDismissedIntroModal], [`/files/${id}`, true])
  assert.equal((await server.get(`/tasks/${task.id}`)).body.task.user.avatar, `/files/${id}`)
  const colleague = await signIn(server, await makeDriver(server))
  for (const key of [server.key, token, colleague]) assert.equal(codeOf(await fetchFile(user.avatar, key)), '200 fine')
  const theft = await asDriver('PUT', '/profile', { avatar: id }, colleague)
  assert.equal(codeOf(theft), '400 FILE_NOT_FOUND', 'nobody takes the picture of another')

  const chosen = (await upload(server, webp)).body.file
  const changed = await server.put(`/drivers/${driver.id}`, { avatar: chosen.path })
  assert.equal(changed.body.user.avatar, chosen.path)
  assert.equal((await server.put(`/drivers/${driver.id}`, { avatar: null })).body.user.avatar, null)

  const logo = (await upload(server, makePng(8, 8, { alpha: 1 }))).body.file
  assert.equal((await server.put('/company', { logo: logo.id })).body.company.logo, logo.path)
  assert.equal((await server.get('/tasks/awb/A-1')).body.task.owner.logo, logo.path)
  assert.equal(codeOf(await fetchFile(logo.path, colleague)), '200 fine')
  assert.equal(codeOf(await server.put('/company', { logo: 'https://example.org/x.png' })), '400 VALIDATION_FAILED')
  assert.equal((await server.put('/company', { logo: '' })).body.company.logo, '')
  assert.equal(codeOf(await fetchFile(logo.path, colleague)), '404 FILE_NOT_FOUND')
})

test('an upload with an idempotency key makes one file, also if it is sent twice', async (t) => {
  const { server } = await aStop(t)
  const key = { 'idempotency-key': randomUUID() }
  const [first, second] = [await upload(server, photo, server.key, key), await upload(server, photo, server.key, key)]
  assert.deepEqual(second.body, first.body)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.equal(codeOf(await upload(server, webp, server.key, key)), '422 IDEMPOTENCY_MISMATCH')
})

test('a page of ours uploads with the session, a page of others does not', async (t) => {
  const { server } = await aStop(t)
  const { cookie } = await addPerson(server, 'dispatcher')
  const send = (headers: Record<string, string>) =>
    request(server.url, 'POST', '/api/v1/files', { raw: photo, headers: { ...fromOwnPage, cookie, ...headers } })
  assert.equal(codeOf(await send(jpeg)), '200 fine')
  assert.equal(codeOf(await send({ ...jpeg, 'sec-fetch-site': 'cross-site' })), '403 CROSS_SITE')
  assert.equal(codeOf(await send({ 'content-type': 'text/plain' })), '403 CROSS_SITE')
})

/** Lets time pass for the files of an organisation, and makes a round. */
async function collectLater({ database, config, organisationId }: TestServer, days: number) {
  const past = sql`make_interval(days => ${days})`
  const db = database.everyone
  await db.run(sql`update files set unused_since = unused_since - ${past} where organisation_id = ${organisationId}`)
  const store = openFolder(`${config.dataFolder}/files`)
  const round = () => collectFiles({ database, files: store })
  await round()
  await db.run(sql`update leftovers set due_at = due_at - ${past} where organisation_id = ${organisationId}`)
  await round()
  return store
}

test('a file that nothing refers to goes after a month, one that is used stays', async (t) => {
  const { server, send, note, fetchFile, driver } = await aStop(t)
  const [used, replaced, unused] = [randomUUID(), (await upload(server)).body.file, (await upload(server)).body.file]
  await send(used)
  await note({ fileId: used })
  for (const avatar of [replaced.id, null]) await server.put(`/drivers/${driver.id}`, { avatar })
  const keys = await server.database.everyone.many<{ store_key: string; id: string }>(sql`
    select store_key, id from files where organisation_id = ${server.organisationId}`)
  assert.equal(keys.length, 3)

  await collectLater(server, 29)
  assert.equal(codeOf(await fetchFile(unused.path)), '200 fine')
  const store = await collectLater(server, 2)
  for (const path of [unused.path, replaced.path]) assert.equal(codeOf(await fetchFile(path)), '404 FILE_NOT_FOUND')
  assert.equal(codeOf(await fetchFile(`/files/${used}`)), '200 fine')
  for (const { store_key, id } of keys)
    for (const key of [store_key, `${store_key}.thumb`])
      assert.equal((await store.get(key)) !== undefined, id === used, `${key} of ${id}`)
})

test('what was sent and refused leaves nothing behind', async (t) => {
  const { server, send } = await aStop(t)
  const id = randomUUID()
  await send(id)
  assert.equal(codeOf(await send(id, webp)), '409 FILE_TAKEN')
  const left = () =>
    server.database.everyone.many<{ store_key: string }>(sql`
      select store_key from leftovers where organisation_id = ${server.organisationId}`)
  const [refused] = await left()
  const store = await collectLater(server, 2)
  assert.equal(await store.get(refused?.store_key as string), undefined)
  assert.deepEqual(await left(), [])
})
