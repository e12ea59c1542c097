import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Task } from '../../contract/task.ts'
import type { Point } from '../../core/geo.ts'
import { InTransit } from '../../core/task-status.ts'
import { type Client, WaybillError } from '../../sdk/client.ts'
import { type Journey, type Position, planJourney, whereOn } from './journey.ts'
import type { Ledger } from './ledger.ts'
import { type Fate, fateOf } from './tasks.ts'

/** A driver with their phone: everything here is done with the driver's own token. */
export interface Driver {
  id: number
  name: string
  transportationId: number
  isOnDuty: boolean
  client: Client
  position: Position
}

export interface Pace {
  seed: number
  /** How many times faster than real time. */
  speed: number
  signal: AbortSignal
}

/** A phone reports at least this often while moving, and this often while standing. */
const movingMs = 1_000
const restingMs = 10_000
const lookAgainMs = 3_000
/** A refused task is not retried immediately: the office has changed it, or it waits for another task. */
const leaveAloneMs = 20_000

export async function reportPosition({ client, position: { lat, lng, heading } }: Driver) {
  await client.reportDriverLocations({ body: { locations: [{ lat, lng, heading }] } })
}

/** The open tasks in the order of the route. */
export async function readRoute({ client }: Driver): Promise<Task[]> {
  return (await client.listOwnTasks({ query: { statusId: '6,7', limit: 100 } })).tasks
}

/** A task as last reported: started, ended, noted. */
export async function finish({ client }: Driver, task: Task, { failure, remark }: Fate, ledger: Ledger) {
  const params = { taskId: task.id }
  if (remark) await client.addOwnNote({ params, body: { note: remark } })
  if (failure === undefined) await collect(client, task)
  const { task: ended } =
    failure === undefined
      ? await client.completeTask({ params, body: {} })
      : await client.failTask({ params, body: { reason: failure } })
  ledger.write(ended)
}

/** Takes the money, as a phone does. If it could not be taken, completing is refused and says why. */
async function collect(client: Client, { id, leftToBePaid, paymentTypeId }: Task) {
  if (!leftToBePaid) return
  const occurredAt = new Date().toISOString()
  const payment = { amount: leftToBePaid, method: paymentTypeId === 2 ? 'card' : 'cash' } as const
  const op = { opId: randomUUID(), type: 'payment', taskId: id, occurredAt, ...payment } as const
  await client.syncDriver({ body: { deviceTime: occurredAt, ops: [op] } })
}

export async function start({ client }: Driver, { id }: Task, ledger: Ledger) {
  ledger.write((await client.startTask({ params: { taskId: id }, body: {} })).task)
}

export async function arrive(driver: Driver, { id, address }: Task) {
  await driver.client.arriveAtTask({ params: { taskId: id }, body: {} })
  Object.assign(driver.position, placeOf(address))
}

export const placeOf = ({ lat, lng }: Task['address']): Point | undefined =>
  lat === null || lng === null ? undefined : { lat, lng }

/** Not before its time window, and not without coordinates. */
export const canBegin = ({ completeAfter, address }: Task, now: Date) =>
  placeOf(address) !== undefined && (completeAfter === null || Date.parse(completeAfter) <= now.getTime())

/** One task after the other until the demo ends. Changes by the office in the meantime are respected. */
export async function drive(driver: Driver, ledger: Ledger, pace: Pace): Promise<never> {
  const leftAlone = new Map<number, number>()
  let restedMs = restingMs
  for (;;) {
    pace.signal.throwIfAborted()
    const now = new Date()
    const route = await patiently(() => readRoute(driver), pace)
    for (const task of route) ledger.write(task)
    const next =
      route.find(({ statusId }) => statusId === InTransit) ??
      route.find((task) => canBegin(task, now) && (leftAlone.get(task.id) ?? 0) < now.getTime())
    if (!next) {
      if (restedMs >= restingMs) await patiently(() => reportPosition(driver), pace)
      restedMs = restedMs >= restingMs ? lookAgainMs : restedMs + lookAgainMs
      await pause(lookAgainMs, undefined, { signal: pace.signal })
      continue
    }
    try {
      await deliver(driver, next, ledger, pace)
    } catch (error) {
      if (!isRefusal(error)) throw error
      leftAlone.set(next.id, now.getTime() + leaveAloneMs)
      await pause(movingMs, undefined, { signal: pace.signal })
    }
  }
}

async function deliver(driver: Driver, task: Task, ledger: Ledger, pace: Pace) {
  if (task.statusId !== InTransit) await start(driver, task, ledger)
  if (task.arrivalTime === null) {
    const { position, transportationId } = driver
    await travel(driver, planJourney(position, placeOf(task.address) ?? position, transportationId), pace)
    await arrive(driver, task)
  }
  await pause(((task.serviceTime ?? 4) * 60_000) / pace.speed, undefined, { signal: pace.signal })
  await finish(driver, task, fateOf(pace.seed, task.awb), ledger)
}

async function travel(driver: Driver, journey: Journey, { speed, signal }: Pace) {
  const lastsMs = Math.max(1, (journey.seconds * 1_000) / speed)
  const begun = performance.now()
  for (;;) {
    const part = (performance.now() - begun) / lastsMs
    driver.position = whereOn(journey, part)
    await reportPosition(driver)
    if (part >= 1) return
    await pause(Math.min(movingMs, (1 - part) * lastsMs + 1), undefined, { signal })
  }
}

/** Errors with a good reason, and errors because the server was busy. */
export const isRefusal = (error: unknown) => error instanceof WaybillError && error.status < 500
const isPassing = (error: unknown) => error instanceof WaybillError && [429, 503].includes(error.status)

/** Retries while the server says that it is busy. */
export async function patiently<Result>(call: () => Promise<Result>, { signal }: Pick<Pace, 'signal'>) {
  for (let attempt = 1; ; attempt += 1)
    try {
      signal.throwIfAborted()
      return await call()
    } catch (error) {
      if (!isPassing(error) || attempt === 30) throw error
      await pause(1_000, undefined, { signal })
    }
}
