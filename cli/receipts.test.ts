import assert from 'node:assert/strict'
import { appendFile, copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { readReceipts } from '../server/backup/receipts.ts'
import { readConfig } from '../server/config.ts'
import { createLog } from '../server/log.ts'
import { startServer as startService } from '../server/main.ts'
import { cleanUpOf } from '../server/test/clean-up.ts'
import { findDamage } from '../server/test/crash.ts'
import { makeEmptyDatabase } from '../server/test/database.ts'
import { aTask, makeDriver, signIn } from '../server/test/factories.ts'
import { agree, give, taskOf } from '../server/test/partners.ts'
import { makeNoise } from '../server/test/pictures.ts'
import { quiet, request, startServer, type TestServer } from '../server/test/server.ts'
import { runHere as run } from './test/run-here.ts'

const customer = { name: 'Zamfira Quintescu', phone: '0712345678', email: 'zamfira@quintescu.example' }
const secrets = [
  'Quintescu',
  '712345678',
  'quintescu',
  'Plopilor',
  'Porumbescu',
  '733111222',
  'Fourth floor',
  'Ciprian',
]

async function makeFolder(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-receipts-test-'))
  cleanUpOf(t).defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function ask(url: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("set waybill.organisation = '0'")
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Which tables have something of what was planted, read as text. */
async function tablesWith(url: string, texts: string[]) {
  const tables = await ask(
    url,
    `select relname::text as name from pg_class
     where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by 1`,
  )
  const looks = tables.map(({ name }) => `select '${name}' as name from ${name} row where row::text ~* $1 group by 1`)
  return (await ask(url, looks.join(' union all '), [texts.join('|')])).map(({ name }) => name)
}

/** Without workers: what is erased is erased by the start. */
async function serve(t: TestContext, environment: Record<string, string>) {
  const config = readConfig({ ...quiet, WAYBILL_ROLE: 'api', ...environment })
  const server = await startService(config, createLog(config.log, process.stderr))
  cleanUpOf(t).defer(server.stop)
  return server
}

const address = { address: 'Strada Plopilor 4, București', lat: 44.4323, lng: 26.1004 }

/** A parcel of a partner, who is told the name and the number of who brings it. */
async function doForShop(server: TestServer, driverId: number) {
  const shop = await server.another()
  await agree(shop, server)
  await server.put('/company', { settings: { showDriverPhoneToPartners: true } })
  await shop.post('/tasks', aTask({ awb: 'OF-SHOP' }))
  await give(shop, server, 'OF-SHOP')
  const { id } = await taskOf(server, 'OF-SHOP')
  await server.post(`/drivers/${driverId}/tasks/bulkAssign`, { tasks: [id] })
  await server.put('/tasks/awb/OF-SHOP/forceComplete', { success: true })
  assert.equal((await taskOf(shop, 'OF-SHOP')).fulfillerDriver.name, 'Ciprian Porumbescu')
}

/** A customer and a driver who are erased after a backup was made, in which one of the tasks is still on its way. */
async function makeHistory(server: TestServer, folder: string) {
  const environment = { DATABASE_URL: server.config.databaseUrl as string, WAYBILL_DATA: server.config.dataFolder }
  const headers = { 'content-type': 'image/png' }
  const upload = async () =>
    (await request(server.url, 'POST', '/api/v1/files', { key: server.key, raw: makeNoise(40, 30), headers })).body.file
  const avatar = await upload()
  const driver = await makeDriver(server, { name: 'Ciprian Porumbescu', phone: '0733111222', avatar: avatar.path })
  const create = async (awb: string) =>
    (await server.post('/tasks', aTask({ awb, customer, address, details: 'Fourth floor', userId: driver.id }))).body
      .task
  const [ended, open] = [await create('ENDED'), await create('OPEN')]
  const token = await signIn(server, driver)
  const op = { opId: crypto.randomUUID(), type: 'start', taskId: open.id, occurredAt: new Date().toISOString() }
  const body = { deviceTime: op.occurredAt, cursor: null, ops: [op] }
  assert.ok((await request(server.url, 'POST', '/api/v1/driver/sync', { key: token, body })).body.results[0].success)
  await doForShop(server, driver.id)
  const file = await upload()
  await server.post('/tasks/awb/ENDED/notes', { fileId: file.id, note: 'For Quintescu' })
  await server.put('/tasks/awb/ENDED/forceComplete', { success: true })
  const before = join(folder, 'before.tar')
  const first = await run(environment, 'backup', before)
  assert.deepEqual([first.code, first.out.includes('Receipts')], [0, false], 'there are none yet')

  await server.put('/tasks/awb/OPEN/forceComplete', { success: true })
  await create('LATER')
  await server.put('/tasks/awb/LATER/forceComplete', { success: false })
  const { erasures } = (await server.post('/erasures', { phone: customer.phone })).body
  assert.equal(erasures[0].taskIds.length, 3)
  await server.delete(`/drivers/${driver.id}`)
  const left = (await server.post('/erasures', { driverId: driver.id })).body.erasures
  await server.makeRound('receipts')
  return { environment, before, ended, open, driver, pictures: [file, avatar], receipts: [erasures[0], left[0]] }
}

test('what was erased after a backup is erased again before anything is served', async (t) => {
  const server = await startServer(t)
  const folder = await makeFolder(t)
  const { environment, before, ended, open, driver, pictures, receipts } = await makeHistory(server, folder)
  assert.deepEqual(await tablesWith(environment.DATABASE_URL, secrets), [], 'nothing is left of them')

  const after = join(folder, 'after.tar')
  const made = await run(environment, 'backup', after)
  const beside = `${after}.receipts.jsonl`
  assert.match(made.out, /\. Receipts of erasures are beside it: \S+after\.tar\.receipts\.jsonl\.\n$/)
  assert.equal((await stat(beside)).mode & 0o777, 0o600)
  assert.deepEqual(await readFile(beside), await readFile(server.config.receipts))
  await rm(after)
  const again = await run(environment, 'backup', after)
  assert.match(again.err, /after\.tar\.receipts\.jsonl already exists: choose another name, or move it away/)
  assert.deepEqual((await readdir(folder)).sort(), ['after.tar.receipts.jsonl', 'before.tar'])

  const { url, drop } = await makeEmptyDatabase()
  cleanUpOf(t).defer(drop)
  const target = { DATABASE_URL: url, WAYBILL_DATA: join(folder, 'data') }
  await t.test('with the file that is beside a newer backup', async (t) => {
    const restored = await run(target, 'restore', before, '--receipts', beside)
    assert.deepEqual([restored.code, restored.err], [0, ''])
    assert.match(
      restored.out,
      /\n2 erasures in \S+ the backup does not know: repeated when the server starts, before it /,
    )
    assert.ok((await tablesWith(url, secrets)).includes('events'), 'the backup has brought it back')

    // Each is asked as soon as it answers, whichever has done the work.
    const servers = await Promise.all(
      [0, 1].map(async () => {
        const started = await serve(t, target)
        assert.deepEqual(await tablesWith(url, secrets), [])
        return started
      }),
    )
    const get = (path: string) => request(servers[0]?.url as string, 'GET', `/api/v1${path}`, { key: server.key })
    const shown = (await get(`/tasks/${ended.id}`)).body.task
    assert.deepEqual([shown.customer, shown.user.name], [null, `Former driver ${driver.id}`])
    assert.ok(shown.erasedAt)
    assert.equal((await get(`/tasks/${open.id}`)).status, 404, 'nothing of it is left to deliver')
    assert.equal((await get('/tasks/awb/LATER')).status, 404)
    for (const { path } of pictures)
      assert.equal((await request(servers[0]?.url as string, 'GET', path, { key: server.key })).status, 404)
    const known = (await get('/erasures')).body.erasures
    const told = (one: Record<string, unknown>) => [
      one['receipt'],
      one['reason'],
      one['actor'],
      one['taskIds'],
      one['counts'],
    ]
    assert.deepEqual(known.map(told), receipts.map(told).reverse(), 'each once, as it was')
    assert.ok(known.every((one: { finishedAt: string | null }) => one.finishedAt))
    const { entries } = (await get('/audit?kind=data.erased')).body
    assert.equal(entries.length, 2)
    assert.deepEqual(
      await ask(url, findDamage(server.organisationId).text, [...findDamage(server.organisationId).values]),
      [],
    )
    for (const one of servers) await one.stop()
  })

  await t.test('without a file it says from when on erasures are unknown', async () => {
    const { out } = await run(target, 'restore', before, '--replace')
    const time = /made (\S+ \S+)Z by/.exec(out)?.[1]
    assert.ok(out.includes(`No receipts of erasures were found, so erasures since ${time}:`), out)
  })

  await t.test('with the file of the installation, and what comes from elsewhere is put into it', async (t) => {
    const ours = join(folder, 'data/receipts.jsonl')
    await copyFile(beside, ours)
    await appendFile(ours, await readFile(beside))
    const { out } = await run(target, 'restore', before, '--replace')
    assert.match(out, /\n2 erasures in \S+data\/receipts\.jsonl the backup does not know/)
    const [{ count }] = await ask(url, 'select count(filed_at)::int from erasures where finished_at is null')
    assert.equal(count, 2, 'they are in the file already')
    await rm(ours)
    assert.match((await run(target, 'restore', before, '--replace', '--receipts', beside)).out, /\n2 erasures in/)
    const { stop, makeRound } = await serve(t, { ...target, WAYBILL_ROLE: 'all' })
    assert.deepEqual(await tablesWith(url, secrets), [])
    await makeRound('receipts')
    await stop()
    const filed = await readReceipts(ours)
    assert.deepEqual(
      filed.map(({ receipt, taskIds }) => [receipt, taskIds]),
      receipts.map(({ receipt, taskIds }) => [receipt, taskIds]),
    )
    const whole = join(folder, 'whole.tar')
    assert.equal((await run(target, 'backup', whole)).code, 0)
    const known = await run(target, 'restore', whole, '--replace')
    assert.match(known.out, /\nThe backup knows all erasures in \S+data\/receipts\.jsonl\.\n$/)
  })
})

async function makeEnded(server: TestServer): Promise<string> {
  const { id } = await makeDriver(server)
  const { awb } = (await server.post('/tasks', aTask({ userId: id }))).body.task
  await server.put(`/tasks/awb/${awb}/forceComplete`, { success: true })
  return awb
}

test('a file of receipts with a damaged line is refused, and nothing is restored', async (t) => {
  const server = await startServer(t)
  const folder = await makeFolder(t)
  const environment = { DATABASE_URL: server.config.databaseUrl as string, WAYBILL_DATA: folder }
  const before = join(folder, 'before.tar')
  assert.equal((await run(environment, 'backup', before)).code, 0)
  const { receipt } = (await server.post('/erasures', { awb: await makeEnded(server) })).body.erasures[0]
  await server.makeRound('receipts')
  const line = (await readFile(server.config.receipts, 'utf8'))
    .split('\n')
    .find((one) => one.includes(receipt)) as string
  const { url, drop } = await makeEmptyDatabase()
  cleanUpOf(t).defer(drop)
  const path = join(folder, 'receipts.jsonl')
  const damaged = [
    line.slice(0, -9),
    line.replace('"taskIds":[', '"taskIds":["1",'),
    line.replace('"reason":"request"', '"reason":"whim"'),
    'Hello',
    '[]',
  ]
  for (const text of damaged) {
    await writeFile(path, `${line.replace(/[0-9a-f]{8}/, 'aaaaaaaa')}\n\n${text}\n`)
    const { code, err } = await run({ DATABASE_URL: url, WAYBILL_DATA: folder }, 'restore', before)
    assert.deepEqual(
      [code, err],
      [1, `Line 3 of ${path} is not a receipt of an erasure: correct it first. Nothing was restored.\n`],
      text,
    )
  }
  const missing = await run({ DATABASE_URL: url }, 'restore', before, '--receipts', join(folder, 'none'))
  assert.deepEqual([missing.code, missing.err], [1, `No such file or folder: ${folder}/none.\n`])
  assert.deepEqual(await ask(url, "select from pg_class where relnamespace = 'public'::regnamespace"), [])

  await writeFile(path, `${line.slice(0, 40)}\n${line}\n${line}`)
  assert.deepEqual(
    (await readReceipts(path)).map((receipt) => JSON.stringify(receipt)),
    [line],
    'a line that a crash has cut off is there again',
  )
})
