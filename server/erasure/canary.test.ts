import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { openArchive } from '../backup/archive.ts'
import { backUp } from '../backup/backup.ts'
import { checkContents, textOf } from '../backup/contents.ts'
import { cleanUpOf } from '../test/clean-up.ts'
import { startProcess } from '../test/crash.ts'
import { adminUrlOf, makeDatabase } from '../test/database.ts'
import { aTask, makeDriver, signIn } from '../test/factories.ts'
import { photo } from '../test/pictures.ts'
import { startReceiver } from '../test/receiver.ts'
import { request } from '../test/server.ts'
import { until } from '../test/until.ts'

/*
 * One customer leaves traces in every place there is, with a word that stands nowhere else; then they are erased, and the
 * word is looked for everywhere.
 */

const mark = /kanarek|765432198/i
const customer = {
  name: 'Ana Kanarekname',
  phone: '0765432198',
  email: 'kanarekmail@example.org',
  address: 'Kanarekflat',
}

async function aHouse(cleanUp: AsyncDisposableStack) {
  const { url: databaseUrl, drop } = await makeDatabase()
  cleanUp.defer(drop)
  const folder = await mkdtemp(join(tmpdir(), 'waybill-canary-'))
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }))
  const key = `key-${randomUUID()}`
  const environment = {
    WAYBILL_API_KEY: key,
    WAYBILL_DATA: folder,
    WAYBILL_LOG: 'debug',
    WAYBILL_ACCESS_LOG: join(folder, 'access.log'),
    WAYBILL_GEOCODER: 'off',
  }
  const server = await startProcess(databaseUrl, environment)
  cleanUp.defer(server.kill)
  const call = async (method: string, path: string, options: object = {}) => {
    const reply = await request(server.url, method, `/api/v1${path}`, { key, ...options })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text.slice(0, 300)}`)
    return reply
  }
  return {
    ...server,
    databaseUrl,
    folder,
    key,
    call,
    get: (path: string) => call('GET', path),
    post: (path: string, body?: unknown, options: object = {}) => call('POST', path, { body, ...options }),
    put: (path: string, body: unknown) => call('PUT', path, { body }),
  }
}
type House = Awaited<ReturnType<typeof aHouse>>

/** Everything that can be known about a customer, in every way it gets here. */
async function leaveTraces(house: House, receiverUrl: string) {
  const { url, post, put, call } = house
  await put('/company', { settings: { messageOnItsWay: true, messageDelivered: true, enableRecipientFeedback: true } })
  const { webHook } = (await post('/webHooks', { url: receiverUrl, trigger: 2 })).body
  const field = { field_key: 'who', label: 'Who took it', type: 'text' }
  await post('/forms', { name: 'Handover', isDefault: true, fields: [field] })
  const driver = await makeDriver(house)
  const token = await signIn(house, driver)
  const create = (awb: string) =>
    post(
      '/tasks',
      aTask({
        awb,
        customer,
        userId: driver.id,
        address: { address: 'Kanarekstreet 7, Cluj', streetName: 'Kanarekstreet', lat: 46.77, lng: 23.6 },
        details: 'Kanarekdetails',
        customerNotes: 'Kanareknotes',
        inventory: [{ sku: 'Kanarekitem' }],
        customFields: [{ key: 'Door', value: 'Kanarekcode' }],
        totalPrice: 40,
      }),
      { headers: { 'idempotency-key': `create ${awb}` } },
    )
  const task = (await create('CANARY-1')).body.task
  await put('/tasks/awb/CANARY-1', { address: { address: 'Kanarekstreet 8, Cluj' }, details: 'Kanarekdetails two' })
  await put('/tasks/awb/CANARY-1', { address: { lat: 46.7702, lng: 23.6002 } })
  await request(url, 'POST', `/t/${task.uuid}/instructions`, { body: { text: 'Kanarekgate' } })

  const device = (method: string, path: string, options: object) => call(method, path, { key: token, ...options })
  const sync = async (ops: object[]) => {
    const now = Date.now() - 1_000
    const sent = ops.map((op, index) => ({
      opId: randomUUID(),
      taskId: task.id,
      occurredAt: new Date(now + index).toISOString(),
      lat: 46.77,
      lng: 23.6,
      ...op,
    }))
    const { results } = (
      await device('POST', '/driver/sync', { body: { deviceTime: new Date().toISOString(), ops: sent } })
    ).body
    return results as { success: boolean; conflict?: { id: number } }[]
  }
  const [face, signature, late] = [randomUUID(), randomUUID(), randomUUID()]
  await sync([{ type: 'duty', inShift: true, taskId: undefined }, { type: 'start' }])
  const location = { lat: 46.7701, lng: 23.6001, occurredAt: new Date().toISOString() }
  await device('POST', '/driver/locations', { body: { locations: [location] } })
  const brought = await sync([
    { type: 'note', note: 'Kanareknote' },
    { type: 'photo', fileId: face, note: 'Kanarekface' },
    { type: 'signature', fileId: signature, name: 'Kanareksigned' },
    { type: 'scan', code: 'Kanarekscan' },
    { type: 'form', answers: [{ field_key: 'who', answer: 'Kanarekanswer' }] },
    { type: 'payment', amount: 40, method: 'cash' },
    { type: 'complete' },
  ])
  assert.ok(brought.at(-1)?.success, JSON.stringify(brought))
  for (const fileId of [face, signature])
    await device('PUT', `/driver/files/${fileId}`, { raw: photo, headers: { 'content-type': 'image/jpeg' } })
  await request(url, 'POST', `/t/${task.uuid}/feedback`, { body: { rating: 5, comment: 'Kanarekthanks' } })
  await post(`/tasks/${task.id}/payments`, { amount: -1, method: 'cash', note: 'Kanarekcoin' })
  // Something the office has to decide about.
  const other = (await create('CANARY-2')).body.task
  await put('/tasks/awb/CANARY-2/forceComplete', { success: false, failureReason: 'Kanarekreason' })
  const [kept] = await sync([{ taskId: other.id, type: 'complete' }])
  assert.ok(kept?.conflict, JSON.stringify(kept))
  await post(`/conflicts/${kept.conflict.id}/settle`, { apply: false, note: 'Kanarekdecision' })
  await create('CANARY-3')
  await call('DELETE', '/tasks/awb/CANARY-3')
  const { proofLink } = (await post('/proofLinks', { awbs: ['CANARY-1'] })).body
  const page = new URL(proofLink.link).pathname
  assert.match((await request(url, 'GET', page)).text, mark)
  await request(url, 'GET', `${page}/proof.pdf`)
  await request(url, 'GET', `/api/v1/tasks/${task.id}/proof.pdf`, { key: house.key })
  await until('everything to be delivered', async () => {
    const { deliveries } = (await house.get(`/webHooks/${webHook.id}/deliveries`)).body
    return deliveries.length > 0 && deliveries.every(({ state }: { state: string }) => state === 'delivered')
  })
  return { task, other, late, token, webhookId: webHook.id as number, page, pictures: [face, signature] }
}

/** Every row of every table, as text. */
async function dump(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`)
  const texts = new Map<string, string>()
  for (const { name } of rows) {
    const { rows } = await client.query<{ text: string }>(`select t::text as text from ${pg.escapeIdentifier(name)} t`)
    texts.set(name, rows.map(({ text }) => text).join('\n'))
  }
  return texts
}

/**
 * PostgreSQL keeps old rows for whoever may still see them: transactions that began before the erasure, and those that
 * began while such a one was running, in whichever database of the server.
 */
async function untilNobodySeesOldRows(client: pg.Client) {
  const { rows } = await client.query<{ xid: string }>('select pg_current_xact_id()::xid as xid')
  const older = `
    select from pg_stat_activity
    where pid <> pg_backend_pid() and greatest(age(backend_xid), age(backend_xmin)) > age($1::xid)`
  await until('older transactions to end', async () => (await client.query(older, [rows[0]?.xid])).rowCount === 0)
}

/** The bytes of every table and index of the database, as they lie on the disk. */
async function readRelations(client: pg.Client): Promise<Map<string, string>> {
  // Statistics keep samples of what was there when they were made; autovacuum makes them anew. Their old rows stay, like
  // those of any table, as long as somebody may see them.
  await client.query('analyze')
  await untilNobodySeesOldRows(client)
  await client.query('vacuum full')
  await client.query('checkpoint')
  const { rows } = await client.query<{ name: string; path: string }>(`
    select relname as name, pg_relation_filepath(oid) as path from pg_class
    where relkind in ('r', 'i', 't', 'm') and pg_relation_size(oid) > 0 and not relisshared`)
  const bytes = new Map<string, string>()
  for (const { name, path } of rows) {
    const { rows } = await client.query<{ bytes: Buffer }>('select pg_read_binary_file($1) as bytes', [path])
    for (const row of rows) bytes.set(name, row.bytes.toString('latin1'))
  }
  return bytes
}

async function readFolder(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = new Map<string, string>()
  for (const entry of entries.filter((entry) => entry.isFile()))
    files.set(join(entry.parentPath, entry.name), await readFile(join(entry.parentPath, entry.name), 'latin1'))
  return files
}

const marked = (texts: Map<string, string>) => [...texts].filter(([, text]) => mark.test(text)).map(([name]) => name)

test('of a customer who was erased nothing is left: no row, no byte, no file, no line, no answer, no backup', async (t) => {
  const cleanUp = cleanUpOf(t)
  const receiver = await startReceiver(t)
  // One that says what it heard: the log of attempts keeps what receivers answer.
  receiver.always(({ rawBody }, response) => response.end(rawBody))
  const house = await aHouse(cleanUp)
  const { task, webhookId, page, pictures, token, late } = await leaveTraces(house, receiver.url)
  const client = new pg.Client({ connectionString: adminUrlOf(house.databaseUrl) })
  await client.connect()
  cleanUp.defer(() => client.end())
  // As autovacuum may have done at any time.
  await client.query('analyze')
  const kept = await dump(client)
  const before = marked(kept)
  assert.notEqual(kept.get('learned_places'), '')
  assert.ok(
    ['addresses', 'attempts', 'conflicts', 'customers', 'events', 'kept_answers', 'notes', 'payments', 'tasks'].every(
      (name) => before.some((found) => found.startsWith(name)),
    ),
    `the mark should be everywhere before, and is in ${before.join(', ')}`,
  )

  const { counts, left, erasures } = (await house.post('/erasures', { phone: '+40 765 432 198' })).body
  assert.deepEqual([left, counts.tasks, counts.customers, counts.pictures], [[], 3, 1, 2])
  assert.ok(erasures[0].finishedAt)
  assert.ok(counts.positions > 0)
  // What a phone still sends.
  const op = { opId: randomUUID(), type: 'photo', fileId: late, note: 'Kanareklate', taskId: task.id }
  const ops = [{ ...op, occurredAt: new Date().toISOString() }]
  const synced = await house.post('/driver/sync', { deviceTime: new Date().toISOString(), ops }, { key: token })
  assert.deepEqual(
    synced.body.results.map(({ success }: { success: boolean }) => success),
    [true],
  )
  await house.call('PUT', `/driver/files/${late}`, {
    key: token,
    raw: photo,
    headers: { 'content-type': 'image/jpeg' },
  })
  await until('the receipt to be filed', () => readFile(join(house.folder, 'receipts.jsonl'), 'utf8').catch(() => ''))
  // Bytes that came late are deleted with the next round, which another erasure makes at once.
  await house.post('/tasks', aTask({ awb: 'LAST' }))
  await house.call('DELETE', '/tasks/awb/LAST')
  await house.post('/erasures', { awb: 'LAST' })

  const remaining = await dump(client)
  assert.deepEqual(marked(remaining), [], 'rows')
  assert.equal(remaining.get('learned_places'), '', 'nor where the corrected address is')
  assert.deepEqual(marked(await readRelations(client)), [], 'bytes of tables and indexes')
  const files = await readFolder(house.folder)
  assert.deepEqual(marked(files), [], 'files')
  assert.deepEqual(
    [...files.keys()].filter((path) => path.includes('/files/') || path.includes('/kept/')),
    [],
    'pictures and papers',
  )
  assert.doesNotMatch(house.said(), mark)

  const answers = new Map<string, string>()
  for (const path of [
    '/tasks',
    `/tasks/${task.id}`,
    `/tasks/${task.id}/timelines`,
    `/tasks/${task.id}/payments`,
    '/tasks?q=kanar',
    '/events',
    '/messages',
    '/conflicts?settled=true',
    '/audit',
    '/erasures',
    '/reports/feedback',
    `/webHooks/${webhookId}/deliveries`,
  ])
    answers.set(path, (await request(house.url, 'GET', `/api/v1${path}`, { key: house.key })).text)
  const synced2 = await house.post('/driver/sync', { deviceTime: new Date().toISOString() }, { key: token })
  answers.set('sync', synced2.text)
  // A search repeats what was searched for.
  assert.deepEqual(marked(answers), [])
  for (const path of [`/t/${task.uuid}`, page, ...pictures.map((id) => `/files/${id}`)])
    assert.equal((await request(house.url, 'GET', path, { key: house.key })).status, 404, path)
  const repeated = await request(house.url, 'POST', '/api/v1/tasks', {
    key: house.key,
    headers: { 'idempotency-key': 'create CANARY-1' },
    body: {},
  })
  assert.doesNotMatch(repeated.text, mark)

  // What receivers get from now on.
  const count = receiver.requests.length
  await house.post(`/webHooks/${webhookId}/replay`, { state: 'all' })
  await until('the replay', () => receiver.requests.length > count)
  assert.deepEqual(
    receiver.requests.slice(count).filter(({ rawBody }) => mark.test(rawBody)),
    [],
  )

  const path = join(house.folder, 'backup.tar')
  const quiet = { signal: new AbortController().signal, onProgress: () => {}, log: () => {} }
  await backUp({ ...quiet, path, databaseUrl: house.databaseUrl, dataFolder: house.folder, version: '1' })
  const archive = await openArchive(path)
  cleanUp.defer(archive.close)
  const { parts } = await checkContents(archive, path, () => {})
  for (const [name, members] of parts)
    for (const member of members) assert.doesNotMatch((await textOf(archive, member)).toString(), mark, name)
})
