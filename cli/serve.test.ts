import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createClient } from '../sdk/client.ts'
import { readConfig } from '../server/config.ts'
import { createLog } from '../server/log.ts'
import { startServer } from '../server/main.ts'
import { cleanUpOf } from '../server/test/clean-up.ts'
import { prepareFolder } from '../server/test/cluster.ts'
import { makeDatabase } from '../server/test/database.ts'
import { aTask } from '../server/test/factories.ts'
import { amountsOf, tellNumbers } from '../server/test/proofs.ts'
import { hang, startReceiver } from '../server/test/receiver.ts'
import { quiet, request } from '../server/test/server.ts'
import { until } from '../server/test/until.ts'
import { banner } from './banner.ts'
import { explain } from './serve.ts'

const launcher = join(import.meta.dirname, '../bin/waybill.js')

/** A real process, as started by `npm start`, with its own database. */
async function start(cleanUp: AsyncDisposableStack, environment: Record<string, string> = {}) {
  const { url, drop } = await makeDatabase()
  const { WAYBILL_API_KEY: _, ...clean } = process.env
  const child = spawn('node', [launcher, 'serve'], {
    env: { ...clean, PORT: '0', DATABASE_URL: url, ...environment },
  })
  // Not "exit", at which the last words may still be in the pipe.
  const ended = once(child, 'close').then(([code]) => code as number | null)
  cleanUp.defer(async () => {
    child.kill('SIGTERM')
    await ended
    await drop()
  })
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output.text += chunk))
  return { child, output, ended }
}

/** Waits until the output of the process has what `find` looks for. */
const waitFor = <Found>(output: { text: string }, find: (text: string) => Found) =>
  until(
    () => `the process to say it. It said:
${output.text}`,
    () => find(output.text),
  )

const addressIn = (text: string) => /ready at (http\S+)/.exec(text)?.[1]

const lasting = new AsyncDisposableStack()
after(() => lasting.disposeAsync())

/** A first start that failed, and the next one. */
async function startTwice() {
  const { url: DATABASE_URL, drop } = await makeDatabase()
  lasting.defer(drop)
  const failed = await start(lasting, { DATABASE_URL, HOST: '192.0.2.1' })
  const code = await failed.ended
  const { child, output } = await start(lasting, { DATABASE_URL })
  return { failed: { code, output: failed.output }, child, output }
}

let shared: ReturnType<typeof startTwice> | undefined
const getShared = () => {
  shared ??= startTwice()
  return shared
}

test('the first start shows a key and a curl that works when pasted', async () => {
  const { output } = await getShared()
  const command = await waitFor(output, (text) => /^ {2}curl [\s\S]*?}'$/m.exec(text)?.[0])
  const { stdout } = await promisify(execFile)('sh', ['-c', command])
  const { success, task } = JSON.parse(stdout)
  assert.equal(success, true)
  assert.equal(task.customer.phone, '+40712345678')
})

test('the first start shows a link with which the first admin can sign in once', async () => {
  const { output } = await getShared()
  const [, url, token] = await waitFor(output, (text) => /Sign-in .*: (http\S+)\/welcome#([\w-]{43})$/m.exec(text))
  const body = { token, email: 'boss@example.org', password: 'correct horse battery' }
  const choose = () => request(url as string, 'POST', '/api/v1/session/password', { body })

  const { status, body: answer } = await choose()
  assert.deepEqual([status, answer.person?.role, answer.person?.email], [200, 'admin', 'boss@example.org'])
  assert.equal((await choose()).status, 401)
  const { email, password } = body
  assert.equal((await request(url as string, 'POST', '/api/v1/session', { body: { email, password } })).status, 200)
})

test('if the first start fails, the next one shows the key', async () => {
  const { failed, output } = await getShared()
  assert.equal(failed.code, 1)
  assert.match(failed.output.text, /cannot start: HOST must be .* of this machine; "192\.0\.2\.1" is not\.\n$/)
  assert.doesNotMatch(failed.output.text, /\n\s+at /, 'no stack')
  const key = await waitFor(output, (text) => /Key \(shown only once\): (\S+)/.exec(text)?.[1])
  const url = await waitFor(output, addressIn)
  assert.equal((await request(url, 'GET', '/api/v1/company', { key })).status, 200)
})

// The last one with this server, because it ends it.
test('when the launcher is killed, the server stops too', async () => {
  const { child, output } = await getShared()
  const url = await waitFor(output, addressIn)
  child.kill('SIGKILL')
  await waitFor(output, (text) => /Stopped/.exec(text))
  await assert.rejects(fetch(url))
})

suite('a server with a key chosen by the operator', () => {
  const key = 'Cheia mea: aleasă pentru scripturi'
  let server: ReturnType<typeof start> | undefined
  const getServer = () => {
    server ??= start(lasting, { WAYBILL_API_KEY: key })
    return server
  }

  test('the key can be any text, is used, and is not shown', async () => {
    const { output } = await getServer()
    const url = await waitFor(output, addressIn)
    assert.deepEqual((await createClient({ url, key }).listWebhooks()).webHooks, [])
    const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
    assert.equal((await request(url, 'GET', '/api/v1/webHooks', { key: basic })).status, 200)
    assert.ok(!output.text.includes(key))
  })

  // The last one, because it ends the server.
  test('when told to stop, the server drops hanging requests and exits cleanly within ten seconds', async (t) => {
    const receiver = await startReceiver(t)
    const { child, output, ended } = await getServer()
    const client = createClient({ url: await waitFor(output, addressIn), key })
    await client.createWebhook({ body: { url: receiver.url, trigger: 4 } })
    receiver.always(hang)
    await client.createTask({ body: aTask() })
    await receiver.next()

    const begun = Date.now()
    child.kill('SIGTERM')
    assert.equal(await ended, 0, output.text)
    t.diagnostic(`stopped in ${Date.now() - begun} ms with an attempt on its way`)
  })
})

test('a killed database is restarted, and one that cannot be restarted ends the server with one sentence', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-serve-test-'))
  cleanUpOf(t).defer(() => rm(folder, { recursive: true, force: true }))
  await prepareFolder(folder)
  const key = 'chosen-for-the-scripts'
  const { output, ended } = await start(cleanUpOf(t), {
    DATABASE_URL: '',
    WAYBILL_DATA: folder,
    WAYBILL_API_KEY: key,
  })
  const url = await waitFor(output, addressIn)
  const lockFile = join(folder, 'postgres/postmaster.pid')
  const killDatabase = async () => process.kill(Number.parseInt(await readFile(lockFile, 'utf8'), 10), 'SIGKILL')
  const create = () => request(url, 'POST', '/api/v1/tasks', { key, body: aTask() })
  assert.equal((await create()).status, 200)

  await killDatabase()
  const killedAt = performance.now()
  const answers = []
  do {
    answers.push(await request(url, 'GET', '/ready'), await create())
    await sleep(20)
  } while (answers.at(-1)?.status !== 200 && performance.now() - killedAt < 60_000)
  const tookMs = performance.now() - killedAt
  assert.equal((await request(url, 'GET', '/ready')).status, 200, output.text)
  for (const { status, headers } of answers) assert.ok(status === 200 || headers.get('retry-after'), String(status))
  t.diagnostic(`writes again ${tookMs.toFixed(0)} ms after the database was killed`)
  // A process of the killed database may have answered these requests before it noticed, and the new one answers before
  // it is watched: what is killed now would be the start, not what was started.
  await waitFor(output, (text) => /The database is back/.exec(text))

  await rename(join(folder, 'postgres/global/pg_control'), join(folder, 'pg_control'))
  await killDatabase()
  assert.equal(await ended, 1, output.text)
  const lastSaid = output.text.slice(-3_000)
  assert.match(
    /^Waybill is stopping: .*/m.exec(output.text)?.[0] ?? lastSaid,
    /^Waybill is stopping: The database stopped and could not be restarted: PostgreSQL did not start/,
  )
})

test('the banner shows an address that can be opened', () => {
  const server = { url: 'http://127.0.0.1:4000', firstKey: undefined, firstLink: undefined }
  const shown = (environment: Record<string, string>) => banner(readConfig(environment), server, 1_000, undefined)
  assert.match(shown({ HOST: '0.0.0.0' }), /ready at http:\/\/127\.0\.0\.1:4000[\s\S]+Set WAYBILL_PUBLIC_URL/)
  assert.doesNotMatch(shown({ HOST: '127.0.0.1' }), /WAYBILL_PUBLIC_URL/)
  assert.doesNotMatch(shown({ HOST: '0.0.0.0', WAYBILL_PUBLIC_URL: 'https://waybill.example.com' }), /127|PUBLIC_URL/)
})

test('a failed start is explained in one sentence', async (t) => {
  const busy = createServer().listen(0, '127.0.0.1')
  await once(busy, 'listening')
  t.after(() => busy.close())
  const { port } = busy.address() as { port: number }
  const { url: DATABASE_URL, drop } = await makeDatabase()
  cleanUpOf(t).defer(drop)
  const begin = async (environment: Record<string, string>) => {
    const config = readConfig({ ...quiet, DATABASE_URL, ...environment })
    return startServer(config, createLog(config.log, process.stderr))
  }
  const cases: [environment: Record<string, string>, says: RegExp][] = [
    [{ PORT: 'high' }, /^PORT must be a whole number from 0 to 65535\.$/],
    [{ PORT: String(port) }, /^the port is in use\. .*\.$/],
    [{ HOST: 'http://localhost' }, /^HOST must be .* of this machine; "http:\/\/localhost" is not\.$/],
    [{ DATABASE_URL: 'postgres://127.0.0.1:1/x' }, /^the database cannot be reached: .*ECONNREFUSED.*$/],
  ]
  for (const [environment, says] of cases)
    await assert.rejects(begin(environment), (error) => {
      assert.match(explain(error), says)
      return true
    })
  for (const [environment, says] of cases.slice(0, amountsOf('failed starts')['real programs'])) {
    const { output, ended } = await start(cleanUpOf(t), environment)
    assert.equal(await ended, 1)
    assert.match(/^Waybill cannot start: (.*)$/m.exec(output.text)?.[1] ?? output.text, says)
    tellNumbers(t, 'failed starts', { programs: 1 })
  }
})
