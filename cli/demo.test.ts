import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Conflict } from '../contract/sync.ts'
import type { Task } from '../contract/task.ts'
import { distanceMetres } from '../core/geo.ts'
import { aTask } from '../server/test/factories.ts'
import { cookieOf } from '../server/test/people.ts'
import { request, startServer, type TestServer } from '../server/test/server.ts'
import { until } from '../server/test/until.ts'
import { UsageError } from './command.ts'
import { demo } from './demo.ts'
import { runHere } from './test/run-here.ts'

const program = join(import.meta.dirname, 'waybill.ts')

/** The demo as a person starts it. */
function start(t: TestContext, args: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, 'demo', ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (said.out += chunk))
  child.stderr.on('data', (chunk) => (said.err += chunk))
  const ended = once(child, 'close').then(([code]) => code as number)
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  })
  return { child, said, ended }
}

const small = ['--drivers', '3', '--tasks', '12']
const into = ({ url, key }: TestServer) => ['--url', url, '--key', key, ...small]

const tasksOf = async (server: TestServer): Promise<Task[]> => (await server.get('/tasks')).body.tasks
const endedOf = (tasks: Task[]) => tasks.filter(({ statusId }) => statusId === 9 || statusId === 10)
const standing = (tasks: Task[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(tasks, ({ status }) => status.name)).map(([name, of]) => [name, of?.length]),
  )

/** A demo that only fills in the morning. */
async function fill(server: TestServer, ...options: string[]) {
  const said = await runHere({}, 'demo', ...into(server), '--still', ...options)
  assert.equal(said.code, 0, said.err)
  return said
}

async function makeDay(t: TestContext) {
  const server = await startServer(t)
  return { server, said: await fill(server) }
}

/** In an organisation that had a task before. */
async function makeForcedDay(t: TestContext) {
  const server = await startServer(t)
  await server.post('/tasks', aTask({ awb: 'MINE' }))
  const refused = await runHere({}, 'demo', ...into(server), '--still')
  const [drivers, webhooks] = [(await server.get('/drivers')).body.users, (await server.get('/webHooks')).body.webHooks]
  await fill(server, '--force')
  return { server, refused, drivers, webhooks }
}

/** For tests that only look at them. */
let sharedDay: ReturnType<typeof makeDay> | undefined
const getDay = (t: TestContext) => {
  sharedDay ??= makeDay(t)
  return sharedDay
}
let sharedForcedDay: ReturnType<typeof makeForcedDay> | undefined
const getForcedDay = (t: TestContext) => {
  sharedForcedDay ??= makeForcedDay(t)
  return sharedForcedDay
}

test('a stopped day has tasks in every state, reported by webhooks', async (t) => {
  const { server, said } = await getDay(t)
  const tasks = await tasksOf(server)
  // How many drivers have set out depends on the time of day, because of the time windows.
  const { Succeeded, Failed, 'In Transit': onTheWay = 0, Assigned = 0, Unassigned = 0 } = standing(tasks)
  assert.deepEqual([Succeeded, Failed, tasks.length], [5, 1, 12])
  assert.ok(onTheWay > 0 && Assigned > 0 && Unassigned > 0, said.out)
  assert.ok(tasks.find(({ statusId }) => statusId === 10)?.cancelReason)
  assert.ok(
    tasks.some(({ route }) => route !== null),
    'routes were planned',
  )
  const { users } = (await server.get('/drivers')).body
  assert.deepEqual(
    users.map(({ inShift }: { inShift: boolean }) => inShift),
    [true, true, true],
  )
  const near = { lat: 44.4353, lng: 26.1025 }
  for (const { name, position } of users) assert.ok(position && distanceMetres(near, position) < 15_000, name)
  const done = tasks.filter(({ statusId }) => statusId === 9)
  const pictures = done.flatMap(({ notes }) => notes).filter(({ type }) => type === 2 || type === 3)
  assert.deepEqual([...new Set(pictures.map(({ type }) => type))].sort(), [2, 3], 'photos and signatures')
  for (const { image } of pictures) {
    const { status, headers } = await request(server.url, 'GET', `${image}?size=thumb`, { key: server.key })
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /^image\//)
  }
  assert.ok(done.some(({ totalPrice }) => totalPrice) && done.every(({ leftToBePaid }) => !leftToBePaid), 'all is paid')
  assert.ok(
    done.some(({ mobileTaskForm }) => mobileTaskForm),
    'forms are filled in',
  )
  assert.ok(
    tasks.every(({ sendNotifications }) => !sendNotifications),
    'on a server that is not the demo’s own, nobody is messaged',
  )
  assert.ok(
    tasks.some(({ feedbacks }) => feedbacks.length > 0),
    'a customer said how it was',
  )
  const { conflicts } = (await server.get('/conflicts')).body
  assert.ok(
    conflicts.some(({ type, evidence }: Conflict) => type === 'complete' && evidence.some(({ image }) => image)),
    'one task was given to another driver while its own was without a network',
  )
  assert.equal((await server.get('/hubs')).body.hubs.length, 3)
  const { webHooks } = (await server.get('/webHooks')).body
  assert.equal(webHooks.length, 9)
  assert.ok(
    said.out.includes(`5 done · 1 failed · ${onTheWay} on the way · ${Assigned} assigned · ${Unassigned} waiting`),
    said.out,
  )
  assert.equal(said.err, '')
})

test('two demos with the same seed have the same tasks in the same states', async (t) => {
  const seen = []
  for (const { server } of [await getDay(t), await getForcedDay(t)]) {
    const tasks = (await tasksOf(server)).filter(({ awb }) => awb !== 'MINE')
    seen.push(
      tasks.map(({ awb, address, customer, totalPrice, statusId, cancelReason, notes, mobileTaskForm }) => [
        awb,
        address.address,
        address.lat,
        customer?.name,
        customer?.phone,
        totalPrice,
        ...(statusId === 9 || statusId === 10
          ? [statusId, cancelReason, notes.map(({ type, note }) => [type, note]), mobileTaskForm]
          : ['open']),
      ]),
    )
  }
  assert.equal(seen[0]?.length, 12)
  assert.deepEqual(seen[0], seen[1])
})

test('an organisation with data in it is left alone, unless forced', async (t) => {
  const { server, refused, drivers, webhooks } = await getForcedDay(t)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /^This organisation already has tasks or drivers; use --force .*\.\n$/)
  assert.deepEqual([drivers, webhooks], [[], []])

  assert.equal((await tasksOf(server)).length, 13)
  const twice = await runHere({}, 'demo', ...into(server), '--still', '--force')
  assert.equal(twice.code, 1)
  assert.match(twice.err, /^This organisation already has the tasks of seed 1; choose another with --seed\.\n$/)
})

test('a day ends after its duration', async (t) => {
  const { server } = await getForcedDay(t)
  const said = await runHere({}, 'demo', ...into(server), '--force', '--seed', '2', '--duration', '0')
  assert.deepEqual([said.code, said.err], [0, ''])
  assert.match(said.out, /The morning is over; time now runs 30 times faster\.\n(.*\n)*The demo is over: \d+ done/)
})

// Both mostly wait.
suite('a day that goes on', { concurrency: true }, () => {
  test('in a running day drivers move and end their tasks, and new tasks arrive', async (t) => {
    const server = await startServer(t)
    const { child, said, ended } = start(t, [...into(server), '--speed', '900'])
    const positions = async () =>
      (await server.get('/drivers')).body.users.map(({ position }: { position: unknown }) => position)
    await until(
      () => `the morning to end: ${said.out}${said.err}`,
      () => /The morning is over/.test(said.out),
    )
    const before = await positions()
    const tasks = await until(
      () => `drivers to move, more tasks to end and new ones to come: ${said.out}${said.err}`,
      async () => {
        const tasks = await tasksOf(server)
        const hasMoved = !isDeepStrictEqual(await positions(), before)
        return hasMoved && endedOf(tasks).length > 6 && tasks.length > 12 && tasks
      },
      500,
    )
    child.kill('SIGINT')
    assert.equal(await ended, 0, said.err)
    const byDriver = endedOf(tasks)
      .flatMap(({ timelines }) => timelines)
      .filter(({ actor }) => actor.type === 'DRIVER')
    assert.ok(byDriver.length >= 2 * endedOf(tasks).length)
    assert.match(said.out, /The demo is over: \d+ done/)
    assert.deepEqual((await server.get('/webHooks')).body.webHooks, [], 'nothing is sent to a receiver that is gone')
  })

  test('without --url the demo starts its own server, shows how to sign in, and leaves nothing behind', async (t) => {
    // The demo must ignore the settings of a real installation.
    const real = { DATABASE_URL: 'postgres://127.0.0.1:1/real', WAYBILL_API_KEY: 'the-key-of-the-real-one' }
    const { child, said, ended } = start(t, ['--port', '0', '--drivers', '1', '--tasks', '5'], real)
    const spoken = () => said.out + said.err
    const [, url = ''] = await until(spoken, () => /Open +(http:\S+)/.exec(said.out))
    const [, email] = /E-mail +(\S+)/.exec(said.out) ?? []
    const [, password] = /Password +(\S+)/.exec(said.out) ?? []
    const signedIn = await request(url, 'POST', '/api/v1/session', { body: { email, password } })
    assert.deepEqual([signedIn.status, signedIn.body.person?.role], [200, 'admin'])
    assert.equal((await request(url, 'GET', '/api/v1/tasks', { key: real.WAYBILL_API_KEY })).status, 401)
    await until(spoken, () => /The morning is over/.test(said.out))

    // The shop that gives parcels to it has a console of its own.
    const asShop = { email: 'magazin@waybill.local', password: /magazin\S+\s+Password +(\S+)/.exec(said.out)?.[1] }
    const shop = await request(url, 'POST', '/api/v1/session', { body: asShop })
    const { tasks } = (await request(url, 'GET', '/api/v1/tasks', { headers: { cookie: cookieOf(shop) } })).body
    assert.ok(tasks.length > 0 && tasks.every(({ side }: Task) => side === 'owner'), 'all of them are with the courier')

    child.kill('SIGINT')
    assert.equal(await ended, 0, spoken())
    assert.match(said.out, /The demo is over: \d+ done.*\.\n$/)
    assert.equal(said.err, '')
    await assert.rejects(fetch(url))
  })
})

test('a mistyped command is explained in one sentence', async () => {
  const url = 'http://127.0.0.1:1'
  const cases: [options: Record<string, string>, flags: string[], says: RegExp][] = [
    [{ drivers: '0' }, [], /^--drivers must be a whole number from 1 to 200$/],
    [{ tasks: '1001' }, [], /^--tasks must be a whole number from 5 to 1000$/],
    [{ seed: '-1' }, [], /^--seed must be a whole number from 0 to 999999$/],
    [{ duration: '1h' }, [], /^--duration must be a whole number from 0 to 86400$/],
    [{ port: '70000' }, [], /^--port must be a whole number from 0 to 65535$/],
    [{ key: 'x' }, [], /^--key needs --url$/],
    [{ url }, [], /^--url needs --key$/],
    [{ url: 'nowhere', key: 'x' }, [], /^--url must be an http or https address$/],
    [{ url, key: 'x', port: '1' }, [], /^--port cannot be used with --url$/],
    [{}, ['force'], /^--force needs --url$/],
  ]
  for (const [options, flags, says] of cases)
    await assert.rejects(demo.run({ arguments: [], options, flags: new Set(flags) }), (error) => {
      assert.ok(error instanceof UsageError)
      assert.match(error.message, says)
      return true
    })
  const said = await runHere({}, 'demo', '--speed', 'fast')
  assert.deepEqual(said, { code: 2, out: '', err: '--speed must be a whole number from 1 to 3600.\n' })
})

test('a failed start is explained in one sentence', async (t) => {
  const busy = createServer().listen(0, '127.0.0.1')
  await once(busy, 'listening')
  t.after(() => busy.close())
  const { port } = busy.address() as { port: number }
  const { url } = await startServer(t)
  const cases: [args: string[], says: RegExp][] = [
    [['--url', url, '--key', 'wrong'], /^[A-Z][^\n]+\.\n$/],
    [['--url', 'http://127.0.0.1:1', '--key', 'x'], /^The server at http:\/\/127\.0\.0\.1:1 does not answer\.\n$/],
    [['--port', String(port)], /^Port \d+ is in use; choose another with --port, .*\.\n$/],
  ]
  for (const [args, says] of cases) {
    const { code, out, err } = await runHere({}, 'demo', ...args)
    assert.deepEqual([code, out], [1, ''], args.join(' '))
    assert.match(err, says)
  }
})
