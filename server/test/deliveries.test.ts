import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { maxAttempts } from '../../core/retry.ts'
import { readConfig } from '../config.ts'
import { sql } from '../db/sql.ts'
import { createLog } from '../log.ts'
import { type Server, startServer as startService } from '../main.ts'
import {
  type Account,
  accountFor,
  countsOf,
  findDamage,
  findInversions,
  hurry,
  openArrivals,
  type Subscription,
} from './crash.ts'
import { aTask, makeDriver } from './factories.ts'
import { amountsOf, seedOr, tellNumbers } from './proofs.ts'
import { seededRandom } from './random.ts'
import { answer, type Behaviour, late, reset, startReceiver, tooMany } from './receiver.ts'
import { quiet, startServer, type TestServer } from './server.ts'
import { until } from './until.ts'

/*
 * Generated histories: tasks change, webhooks come and go, receivers fail by seed, workers stop and start. Whatever
 * happened, every event is accounted for at every webhook, and arrived in order. Deterministic by seed except for
 * timing: WAYBILL_SEED=… repeats a failure.
 */

const seed = seedOr(20_261_115)
const numRuns = amountsOf('deliveries').histories

const paths = ['/hook/one', '/hook/two', '/hook/three']
const fired = [2, 3, 4, 5, 6, 7, 8]

const aTaskNumber = fc.nat({ max: 3 })
const aTrigger = fc.constantFrom(...fired)
const aPath = fc.constantFrom(...paths)
const aChoice = fc.nat({ max: 99 })

/** What can happen next. Tasks and webhooks are named by a number; steps for missing ones are skipped. */
const aStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create'), task: aTaskNumber }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('edit'), task: aTaskNumber }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('assign'), task: aTaskNumber, driver: fc.nat({ max: 1 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unassign'), task: aTaskNumber }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('complete'), task: aTaskNumber, success: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), task: aTaskNumber }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('subscribe'), path: aPath, trigger: aTrigger }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unsubscribe'), webhook: aChoice }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rotate'), webhook: aChoice }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('replay'),
      webhook: aChoice,
      state: fc.constantFrom('dead', 'delivered', 'all'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mood'), path: aPath, good: fc.constantFrom(0, 30, 100) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('hurry'),
      times: fc.integer({ min: 1, max: 8 }),
      pauseMs: fc.nat({ max: 25 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tire') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart'), worker: fc.nat({ max: 1 }) }) },
)
type Step = typeof aStep extends fc.Arbitrary<infer One> ? One : never
type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>

const aHistory = fc.record({
  seed: fc.nat(),
  workers: fc.constantFrom(1, 2),
  steps: fc.array(aStep, { minLength: 30, maxLength: 60, size: 'max' }),
})

/** Senders in this process: the server of the test file only answers requests. */
function openWorkers(server: TestServer, count: number) {
  const config = readConfig({
    ...quiet,
    WAYBILL_ROLE: 'worker',
    DATABASE_URL: server.config.databaseUrl,
  })
  const start = () => startService(config, createLog(config.log, process.stderr))
  let running: Server[] = []
  return {
    async start() {
      while (running.length < count) running.push(await start())
    },
    async restart(index: number) {
      const worker = running[index % count] as Server
      await worker.stop()
      running[running.indexOf(worker)] = await start()
    },
    async stop() {
      await Promise.all(running.map((worker) => worker.stop()))
      running = []
    },
  }
}

async function live(t: TestContext, history: { seed: number; workers: number; steps: Step[] }) {
  const server = await startServer(t, { WAYBILL_ROLE: 'api' })
  const db = server.database.everyone
  const { organisationId } = server
  await using cleanUp = new AsyncDisposableStack()
  const receiver = await startReceiver()
  cleanUp.defer(receiver.close)
  const base = receiver.url.replace('/hook', '')
  const drivers = [await makeDriver(server), await makeDriver(server)]

  const secrets = new Map<string, string[]>()
  const arrivals = openArrivals((path) => secrets.get(path) ?? [])
  const complaints: unknown[] = []
  const random = seededRandom(history.seed)
  const goodPart = new Map(paths.map((path) => [path, 60]))
  const failures: Behaviour[] = [answer(500), reset, tooMany('1'), late(40, answer(500))]

  receiver.always((request, response) => {
    let messageId = ''
    try {
      messageId = arrivals.add(request)
    } catch (error) {
      complaints.push(error)
    }
    const accept: Behaviour = (...given) => {
      if (!complaints.length) arrivals.accepts(messageId)
      answer(200)(...given)
    }
    const isGood = random() * 100 < (goodPart.get(request.url) as number)
    const failure = failures[Math.floor(random() * failures.length)] as Behaviour
    const behave = isGood ? (random() < 0.2 ? late(40, accept) : accept) : failure
    behave(request, response)
  })

  const subscriptions: (Subscription & { isDeleted: boolean })[] = []
  const workers = openWorkers(server, history.workers)
  cleanUp.defer(workers.stop)
  await workers.start()

  const lastEventId = async () =>
    (
      await db.get<{ id: number }>(
        sql`select last_event_id as id from event_counters where organisation_id = ${organisationId}`,
      )
    ).id

  async function subscribe(path: string, trigger: number) {
    const { status, body } = await server.post('/webHooks', { url: base + path, trigger })
    assert.equal(status, 200, JSON.stringify(body))
    secrets.set(path, [...new Set([...(secrets.get(path) ?? []), body.webHook.secret])])
    subscriptions.push({ id: body.webHook.id, path, trigger, bornAfter: await lastEventId(), isDeleted: false })
  }
  const subscriptionOf = (choice: number) => subscriptions[choice % subscriptions.length]
  /** A number stands for its newest task; creating makes the next one. */
  const newest = new Map<number, number>()
  const awbOf = (task: number) => `T-${task}-${newest.get(task) ?? 0}`
  let edits = 0

  const take: { [Kind in Step['kind']]: (step: StepOf<Kind>) => Promise<unknown> } = {
    create({ task }) {
      newest.set(task, (newest.get(task) ?? 0) + 1)
      return server.post('/tasks', aTask({ awb: awbOf(task) }))
    },
    edit: ({ task }) => server.put(`/tasks/awb/${awbOf(task)}`, { details: `Edit ${++edits}` }),
    assign: ({ task, driver }) =>
      server.put(`/containers/drivers/${drivers[driver]?.id}`, { tasks: [awbOf(task), awbOf(task + 1)] }),
    unassign: ({ task }) => server.post('/tasks/bulkUnassign', { tasks: [awbOf(task), awbOf(task + 1)] }),
    complete: ({ task, success }) => server.put(`/tasks/awb/${awbOf(task)}/forceComplete`, { success }),
    delete: ({ task }) => server.delete(`/tasks/awb/${awbOf(task)}`),
    subscribe: ({ path, trigger }) => subscribe(path, trigger),
    async unsubscribe({ webhook }) {
      const chosen = subscriptionOf(webhook)
      if (!chosen) return
      await server.delete(`/webHooks/${chosen.id}`)
      chosen.isDeleted = true
    },
    async rotate({ webhook }) {
      const chosen = subscriptionOf(webhook)
      if (!chosen) return
      const { status, body } = await server.post(`/webHooks/${chosen.id}/rotateSecret`)
      if (status === 200) secrets.get(chosen.path)?.push(body.webHook.secret)
    },
    async replay({ webhook, state }) {
      const chosen = subscriptionOf(webhook)
      if (chosen) await server.post(`/webHooks/${chosen.id}/replay`, { state })
    },
    mood: async ({ path, good }) => goodPart.set(path, good),
    async hurry({ times, pauseMs }) {
      for (let time = 0; time < times; time += 1) {
        await db.run(hurry)
        await sleep(pauseMs)
      }
    },
    /** Makes failed deliveries look old, so that their next failure is the last. */
    tire: () =>
      db.run(sql`
        update deliveries set attempts = ${maxAttempts - 1}
        where organisation_id = ${organisationId} and claim is null and attempts > 0`),
    restart: ({ worker }) => workers.restart(worker),
  }

  for (const [index, trigger] of fired.entries()) await subscribe(paths[index % 2] as string, trigger)
  for (const task of [0, 1, 2, 3]) await take.create({ kind: 'create', task })
  for (const step of history.steps) await (take[step.kind] as (step: Step) => Promise<unknown>)(step)

  const audit = async () => countsOf(await db.many<Account>(accountFor(organisationId, subscriptions)))
  await audit()
  for (const path of paths) goodPart.set(path, 90)
  await until('everything to be sent', async () => {
    await db.run(hurry)
    return (await audit()).scheduled === 0
  })
  await workers.stop()

  const counts = await audit()
  assert.deepEqual(complaints, [], 'every message is signed and says what it said before')
  assert.deepEqual(await db.many(findDamage(organisationId)), [])
  await checkArrivals()
  return { counts, arrivals: arrivals.all() }

  async function checkArrivals() {
    const feed = new Map((await readWholeFeed(server)).map((event) => [event.eventId, event]))
    for (const { eventId, rawBody } of arrivals.all()) assert.deepEqual(JSON.parse(rawBody), feed.get(eventId))

    // Replaying "all" also sends events from before the webhook was created, which cannot be in order.
    const known = new Map(subscriptions.map((subscription) => [subscription.id, subscription]))
    const isOwn = ({ webhookId, eventId }: { webhookId: number; eventId: number }) =>
      eventId > (known.get(webhookId)?.bornAfter ?? Number.POSITIVE_INFINITY)
    assert.deepEqual(findInversions(arrivals.all().filter(isOwn)), [], 'first arrivals are in order')

    const rows = await db.many<{
      webhook_id: number
      event_id: number
      delivered: number
      count: number
      died: boolean
    }>(
      sql`
        select webhook_id, event_id, count(*)::int as count, bool_or(outcome = 'dead') as died,
          (count(*) filter (where outcome = 'delivered'))::int as delivered
        from attempts where organisation_id = ${organisationId}
        group by webhook_id, event_id`,
    )
    const written = new Map(rows.map((row) => [`msg_${organisationId}_${row.event_id}_${row.webhook_id}`, row]))
    const hasDied = ({ messageId }: { messageId: string }) => written.get(messageId)?.died
    assert.deepEqual(
      findInversions(arrivals.acceptedInOrder.filter((arrival) => isOwn(arrival) && !hasDied(arrival))),
      [],
      'what was accepted was accepted in order, but for what had been given up',
    )

    const byId = new Map(arrivals.all().map((arrival) => [arrival.messageId, arrival]))
    for (const [messageId, { count, delivered }] of written) {
      const arrival = byId.get(messageId)
      assert.ok(arrival && arrival.times >= count, `${messageId}: ${count} attempts, ${arrival?.times} arrivals`)
      assert.ok(
        arrival.accepted >= delivered,
        `${messageId}: ${delivered} times delivered, ${arrival.accepted} accepted`,
      )
    }
    for (const { path, webhookId, eventId } of arrivals.all()) {
      const subscription = known.get(webhookId)
      assert.deepEqual([subscription?.path, subscription?.trigger], [path, feed.get(eventId)?.triggerId])
    }
  }
}

async function readWholeFeed(server: TestServer): Promise<{ eventId: number; triggerId: number }[]> {
  const events = []
  for (let after = ''; ; ) {
    const { body } = await server.get(`/events?limit=1000${after && `&after=${after}`}`)
    if (body.events.length === 0) return events
    events.push(...body.events)
    after = body.nextCursor
  }
}

test('whatever fails or stops, every event arrives in order or is recorded as dead', async (t) => {
  const total = { arrivals: 0, repetitions: 0, dead: 0, delivered: 0, deleted: 0 }
  await fc.assert(
    fc.asyncProperty(aHistory, async (history) => {
      const { counts, arrivals } = await live(t, history)
      total.arrivals += arrivals.length
      total.repetitions += arrivals.reduce((sum, { times }) => sum + times - 1, 0)
      total.dead += counts.dead
      total.delivered += counts.delivered
      total.deleted += counts['webhook deleted']
    }),
    { seed, numRuns, endOnFailure: true },
  )
  tellNumbers(t, 'deliveries', { histories: numRuns, ...total })
  assert.ok(total.repetitions > 0 && total.delivered > 0, 'the histories were rich enough to prove something')
})
