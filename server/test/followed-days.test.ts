import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Service } from '../context.ts'
import { getTime } from '../db/clock.ts'
import { openDatabase } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { openNotices } from '../db/notices.ts'
import { sql } from '../db/sql.ts'
import { startTasks } from '../field/automatic-start.ts'
import { enginePolicy } from '../outside/addresses.ts'
import { createOutside } from '../outside/fetch.ts'
import { createTravel } from '../outside/travel/travel.ts'
import { followDrivers } from '../planning/arrivals/follow.ts'
import { markLateTasks } from '../tasks/change/late.ts'
import { topics } from '../topics.ts'
import { cleanUpOf } from './clean-up.ts'
import { beginDuty, makeDriver, signIn, zoneOfNoon } from './factories.ts'
import { createModel, type ModelDriver, type ModelTask, minute } from './followed-days-model.ts'
import { amountsOf, seedOr, tellNumbers } from './proofs.ts'
import { seededRandom } from './random.ts'
import { request, startServer, type TestServer } from './server.ts'

/*
 * Days by seed: drivers move, start, arrive and end tasks, phones send late and with wrong clocks, the office gives and
 * takes tasks and moves windows, processes work at the same time, die with what they claimed, or are away for an hour.
 * After every step the tasks, and in the end all events, must be what the model says. A failure names its seed,
 * and WAYBILL_SEED=… begins with that day.
 *
 * Time passes by moving everything that is stored into the past, and stands still for the workers during a step. So a
 * busy machine changes nothing, and a day takes seconds.
 */

const { days } = amountsOf('followed days')
const firstSeed = seedOr(1)
const steps = 30

const never = new AbortController().signal

/** What the rounds of one more process need. Its time is the one the test says. */
async function openProcess(t: TestContext, { config }: TestServer, now: () => number): Promise<Service> {
  const url = config.databaseUrl as string
  const cleanUp = cleanUpOf(t)
  const role = await migrate(url, () => {})
  const database = openDatabase({ url, role, connections: 4, onIdleError: () => {} })
  cleanUp.defer(database.close)
  const notices = openNotices(database.everyone, url, topics)
  cleanUp.defer(notices.close)
  const outside = createOutside(enginePolicy)
  cleanUp.defer(outside.close)
  const travel = createTravel(outside, { engine: 'estimate', url: '' })
  const clock = { now: () => new Date(now()), stop: () => {} }
  return { config, database, notices, travel, clock } as unknown as Service
}

async function openWorld(t: TestContext, seed: number) {
  const random = seededRandom(seed)
  const upTo = (count: number) => Math.floor(random() * count)
  const startsByItself = random() < 0.5
  const server = await startServer(t, { WAYBILL_ROLE: 'api' })
  await server.put('/company', { timezone: zoneOfNoon(), settings: { automaticStart: startsByItself } })
  const { everyone } = server.database
  const isOwn = sql`organisation_id = ${server.organisationId}`

  /** The moment of the last step: by the database, and by the model. */
  let real = (await getTime(everyone)).getTime()
  const realOf = (time: number) => real + (time - model.now())
  const iso = (time: number) => new Date(realOf(time)).toISOString()
  const processes = [await openProcess(t, server, () => real), await openProcess(t, server, () => real)]

  const drivers: ModelDriver[] = []
  const phones: { id: number; key: string }[] = []
  for (let count = 0; count < 2; count += 1) {
    const driver = await makeDriver(server)
    const key = await signIn(server, driver)
    await beginDuty(server.url, key)
    phones.push({ id: driver.id, key })
    drivers.push({ isOnDuty: true, seen: [] })
  }
  const somewhere = () => ({ lat: 44.4 + random() * 0.06, lng: 26 + random() * 0.08 })
  // Half a minute off the steps, so that nothing depends on milliseconds.
  const floor = (time: number) => time - (time % minute)
  const aMoment = (from: number, to: number) => (from + upTo(to - from)) * minute + minute / 2
  const tasks: ModelTask[] = []
  for (let number = 0; number < 7; number += 1) {
    const after = random() < 0.6 ? aMoment(-30, 90) : null
    const before = random() < 0.8 ? floor(Math.max(after ?? 0, 0)) + aMoment(5, 150) : null
    tasks.push({
      awb: `T${number}`,
      place: somewhere(),
      serviceMinutes: upTo(3) * 5,
      after,
      before,
      status: 6,
      driver: upTo(2),
      position: number,
      eta: null,
      startedAt: null,
      arrivedAt: null,
      endedAt: null,
      hasDriver: false,
      willBeDelayed: false,
      delayed: false,
      wasStartedByItself: false,
      told: ['4', '7'],
    })
  }
  const model = createModel(drivers, tasks, startsByItself)
  const ids = new Map<ModelTask, number>()
  for (const task of tasks) {
    const { awb, place, serviceMinutes, after, before, driver } = task
    const body = {
      awb,
      address: { address: awb, ...place },
      serviceTime: serviceMinutes,
      userId: phones[driver as number]?.id,
      completeAfter: after === null ? null : iso(after),
      completeBefore: before === null ? null : iso(before),
    }
    ids.set(task, (await server.post('/tasks', body)).body.task.id)
  }

  /** Everything that is stored moves back, as far as the clock of the world goes on beyond the real one. */
  async function letTimePass(ms: number) {
    const then = real
    await everyone.transaction(async (db) => {
      real = (await getTime(db)).getTime()
      const ago = sql`${ms - (real - then)} * interval '1 millisecond'`
      await db.run(sql`
        update tasks set eta_at = eta_at - ${ago}, complete_after = complete_after - ${ago},
          complete_before = complete_before - ${ago}, started_at = started_at - ${ago}, arrived_at = arrived_at - ${ago},
          completed_at = completed_at - ${ago}
        where ${isOwn}`)
      // By way of another century, or one position would meet the next.
      await db.run(sql`update locations set occurred_at = occurred_at - ${ago} - interval '100 years' where ${isOwn}`)
      await db.run(sql`update locations set occurred_at = occurred_at + interval '100 years' where ${isOwn}`)
      await db.run(sql`
        update driver_positions set occurred_at = occurred_at - ${ago}, recorded_at = recorded_at - ${ago} where ${isOwn}`)
      await db.run(sql`update followed_drivers set followed_at = followed_at - ${ago} where ${isOwn}`)
      await db.run(sql`
        update users set duty_started_at = duty_started_at - ${ago}, duty_ended_at = duty_ended_at - ${ago} where ${isOwn}`)
    })
    model.pass(ms)
  }

  /** One process makes the round, or both at once. */
  const makeRound = async (round: (service: Service, stopping: AbortSignal) => Promise<unknown>) => {
    const busy = random() < 0.5 ? processes : processes.slice(upTo(2)).slice(0, 1)
    await Promise.all(busy.map((service) => round(service, never)))
  }

  const send = async (driver: number, method: string, path: string, body: object) => {
    const reply = await request(server.url, method, `/api/v1/driver/${path}`, {
      key: phones[driver]?.key as string,
      body,
    })
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  const drive = (driver: number, task: ModelTask, verb: string) =>
    send(driver, 'POST', `tasks/${ids.get(task)}/${verb}`, { occurredAt: iso(model.now()) })

  async function act(driver: number) {
    const isOnDuty = drivers[driver]?.isOnDuty
    const [first] = model.routeOf(driver)
    const choice = random()
    if (choice < 0.06) {
      await send(driver, 'PUT', 'duty', { inShift: !isOnDuty, occurredAt: iso(model.now()) })
      ;(drivers[driver] as ModelDriver).isOnDuty = !isOnDuty
    } else if (choice < 0.55 && isOnDuty) await report(driver, first)
    else if (choice < 0.65 && first?.status === 6) {
      await drive(driver, first, 'start')
      model.start(first)
    } else if (choice < 0.75 && first?.status === 7 && first.arrivedAt === null) {
      await drive(driver, first, 'arrive')
      model.arrive(first)
    } else if (choice < 0.9 && first?.status === 7) {
      const isDone = random() < 0.8
      await drive(driver, first, isDone ? 'complete' : 'fail')
      model.end(first, isDone ? 9 : 10)
    }
  }

  /** On the way to the next task, at it, or elsewhere; now or some minutes ago; by a clock that is right or not. */
  async function report(driver: number, next: ModelTask | undefined) {
    const share = random()
    const [from, to] = [somewhere(), next?.place ?? somewhere()]
    const isAt = share < 0.3
    const place = isAt
      ? to
      : { lat: from.lat + (to.lat - from.lat) * share, lng: from.lng + (to.lng - from.lng) * share }
    const accuracyMetres = [null, 10, 140, 500][upTo(4)] ?? null
    const ago = random() < 0.2 ? upTo(8) * minute : 0
    const offset = ago === 0 && random() < 0.3 ? (upTo(2) ? 45 : -45) * minute : 0
    const occurredAt = iso(model.now() - ago + offset)
    const body = {
      locations: [{ ...place, occurredAt, accuracyMetres }],
      ...(offset && { deviceTime: iso(model.now() + offset) }),
    }
    const { kept } = await send(driver, 'POST', 'locations', body)
    // A wrong clock is corrected by when the report arrives, which is a moment later.
    if (kept === 1) model.report(driver, place, model.now() - ago + (offset ? 1 : 0), accuracyMetres)
  }

  async function beTheOffice() {
    const task = tasks[upTo(tasks.length)] as ModelTask
    const choice = random()
    if (task.status > 7) return
    if (choice < 0.35) {
      await server.post('/tasks/bulkUnassign', { tasks: [task.awb] })
      model.take(task)
    } else if (choice < 0.7 && task.status !== 7) {
      const driver = upTo(2)
      await server.put(`/containers/drivers/${phones[driver]?.id}`, { tasks: [task.awb] })
      model.give(task, driver)
    } else {
      const before = floor(Math.max(task.after ?? 0, model.now())) + aMoment(-20, 60)
      if (task.after !== null && before < task.after) return
      await server.put(`/tasks/awb/${task.awb}`, { completeBefore: iso(before) })
      model.moveWindow(task, before)
    }
  }

  /** Drivers are due by what is stored; a dead process may have claimed them and done nothing. */
  async function follow() {
    const isClaimed = random() < 0.15
    const followedAt = isClaimed ? sql`now()` : sql`now() - interval '2 minutes'`
    await everyone.run(sql`
      insert into followed_drivers (organisation_id, driver_id, followed_at)
      select organisation_id, id, ${followedAt} from users where ${isOwn} and is_driver
      on conflict (organisation_id, driver_id) do update set followed_at = excluded.followed_at`)
    await makeRound(followDrivers)
    if (!isClaimed) for (const driver of drivers.keys()) model.follow(driver)
  }

  async function compare(when: string) {
    const listed = (await server.get('/tasks')).body.tasks as Record<string, unknown>[]
    const shown = listed.map(({ awb, statusId, etaAt, driverArrived, taskWillBeDelayed, taskDelayed }) => ({
      awb,
      statusId,
      driverArrived,
      taskWillBeDelayed,
      taskDelayed,
      etaAt: etaAt && Date.parse(etaAt as string) - realOf(0),
    }))
    const wanted = tasks.map((task) => ({
      awb: task.awb,
      statusId: task.status,
      driverArrived: task.hasDriver,
      taskWillBeDelayed: task.willBeDelayed,
      taskDelayed: task.delayed,
      etaAt: task.status === 6 || task.status === 7 ? (task.hasDriver ? null : task.eta) : null,
    }))
    assert.deepEqual(shown, wanted, `seed ${seed}, ${when}`)
  }

  async function compareEvents() {
    const { events } = (await server.get('/events?limit=1000')).body
    const names = { driverArrived: 'arrived', taskWillBeDelayed: 'will', taskDelayed: 'delayed' }
    for (const { awb, told } of tasks) {
      const own = events.filter((event: { awb: string }) => event.awb === awb)
      const heard = own.map(({ triggerId, data }: { triggerId: number; data: { previous: object | null } }) =>
        [
          triggerId,
          ...Object.entries(names).flatMap(([field, name]) => (field in (data.previous ?? {}) ? [name] : [])),
        ].join(' '),
      )
      assert.deepEqual(heard, told, `seed ${seed}, events of ${awb}`)
    }
  }

  return { random, drivers, letTimePass, makeRound, model, act, beTheOffice, follow, compare, compareEvents }
}

async function liveADay(t: TestContext, seed: number) {
  const world = await openWorld(t, seed)
  const { random, model, makeRound } = world
  for (let step = 1; step <= steps; step += 1) {
    const minutes = [1, 1, 2, 3, 5, 8, 60][Math.floor(random() ** 2 * 7)] as number
    await world.letTimePass(minutes * minute)
    await makeRound(markLateTasks)
    model.markLate()
    for (const driver of world.drivers.keys()) await world.act(driver)
    if (random() < 0.3) await world.beTheOffice()
    await makeRound(markLateTasks)
    model.markLate()
    await makeRound(startTasks)
    model.startFirst()
    if (random() < 0.8) await world.follow()
    await world.compare(`step ${step}`)
  }
  await world.compareEvents()
  tellNumbers(t, 'followed days', { days: 1, steps })
}

for (let seed = firstSeed; seed < firstSeed + days; seed += 1)
  test(`day ${seed}: flags, arrivals and events are what a plain model says`, (t) => liveADay(t, seed))
