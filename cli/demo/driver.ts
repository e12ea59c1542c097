import { setTimeout as pause } from 'node:timers/promises'
import type { Task } from '../../contract/task.ts'
import { type FormField, formOf } from '../../core/form.ts'
import type { Point } from '../../core/geo.ts'
import { InTransit, Succeeded } from '../../core/task-status.ts'
import type { Client } from '../../sdk/client.ts'
import { rate } from './customer.ts'
import { type Journey, type Position, planJourney, whereOn } from './journey.ts'
import type { Ledger } from './ledger.ts'
import { type Pace, patiently } from './pace.ts'
import type { Phone, Sending } from './phone.ts'
import { drawPicture, type Subject } from './pictures.ts'
import { type Fate, fateOf } from './tasks.ts'

/** A driver with their phone: everything here is done with the driver's own token. */
export interface Driver {
  id: number
  name: string
  transportationId: number
  isOnDuty: boolean
  client: Client
  phone: Phone
  position: Position
  /** A task begun without a network: the office does not know. */
  unheard: Task | undefined
}

/** A phone reports at least this often while moving, and this often while standing. */
const movingMs = 1_000
const restingMs = 10_000
const lookAgainMs = 3_000
/** A refused task is not retried immediately: the office has changed it, or it waits for another task. */
const leaveAloneMs = 20_000

export async function reportPosition({ client, phone, position: { lat, lng, heading } }: Driver) {
  if (!phone.isOnline) return
  await client.reportDriverLocations({ body: { locations: [{ lat, lng, heading }] } })
}

/** The open tasks in the order of the route. */
export async function readRoute({ client }: Driver): Promise<Task[]> {
  return (await client.listOwnTasks({ query: { statusId: '6,7', limit: 100 } })).tasks
}

/** Sends what waits, unless there is no network. Whether everything was accepted. */
export async function report({ phone }: Driver, ledger: Ledger, pace: Pick<Pace, 'signal'>, sending?: Sending) {
  if (!phone.isOnline) return true
  const write = ({ tasks }: { tasks: Parameters<Ledger['write']>[0][] }) => tasks.forEach(ledger.write)
  const results = await patiently(() => phone.sync(write, sending), pace)
  await patiently(phone.sendPictures, pace)
  return results.every(({ success }) => success)
}

export function start({ phone, position: { lat, lng } }: Driver, { id: taskId }: Task) {
  phone.note({ type: 'start', taskId, lat, lng })
}

export function arrive(driver: Driver, { id: taskId, address }: Task) {
  Object.assign(driver.position, placeOf(address))
  const { lat, lng } = driver.position
  driver.phone.note({ type: 'arrive', taskId, lat, lng })
}

/** Everything at the door: evidence, money, the form, and how it ended. */
export async function finish(driver: Driver, task: Task, fate: Fate, seed: number) {
  const { phone, position } = driver
  const { failure, remark, hasPhoto, isSigned, isScanned, look } = fate
  const here = { taskId: task.id, lat: position.lat, lng: position.lng }
  const photograph = async (subject: Subject) => phone.keep(await drawPicture(seed, subject, look))
  if (isScanned) phone.note({ type: 'scan', code: task.awb, ...here })
  if (remark) phone.note({ type: 'note', note: remark, ...here })
  if (hasPhoto) phone.note({ type: 'photo', fileId: await photograph(failure ? 'door' : 'parcel'), ...here })
  const fields = formOf(task, phone.forms())?.fields.filter(({ at }) => at === (failure ? 'fail' : 'complete')) ?? []
  const answers = []
  for (const field of fields)
    answers.push({
      field_key: field.field_key,
      answer: field.type === 'photo' ? await photograph('parcel') : answerTo(field, task, look),
    })
  if (answers.length > 0) phone.note({ type: 'form', answers, ...here })
  if (failure) return phone.note({ type: 'fail', reason: failure, ...here })
  if (isSigned) {
    const name = task.customer?.name ?? null
    phone.note({ type: 'signature', fileId: await photograph('signature'), name, ...here })
  }
  const method = task.paymentTypeId === 2 ? 'card' : 'cash'
  if (task.leftToBePaid) phone.note({ type: 'payment', amount: task.leftToBePaid, method, ...here })
  phone.note({ type: 'complete', ...here })
}

/** Most answers are the usual one. */
function answerTo({ type, choices }: FormField, task: Task, look: number): string | number | boolean {
  switch (type) {
    case 'number':
      return task.quantity ?? 1
    case 'choice':
      return choices[look % 5 === 0 ? look % choices.length : 0] ?? ''
    case 'check':
      return true
    default:
      return task.customer?.name || 'Recepție'
  }
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
    if (await deliver(driver, next, ledger, pace)) continue
    leftAlone.set(next.id, now.getTime() + leaveAloneMs)
    await pause(movingMs, undefined, { signal: pace.signal })
  }
}

/** False if the office has changed the task, or it cannot be started yet. */
async function deliver(driver: Driver, task: Task, ledger: Ledger, pace: Pace): Promise<boolean> {
  const { phone, position, transportationId } = driver
  const fate = fateOf(pace.seed, task.awb)
  const isNew = task.statusId !== InTransit
  if (isNew && fate.isOffline && isFree(task)) {
    phone.isOnline = false
    driver.unheard = task
  }
  try {
    if (isNew) start(driver, task)
    if (!(await report(driver, ledger, pace))) return false
    if (task.arrivalTime === null) {
      await travel(driver, planJourney(position, placeOf(task.address) ?? position, transportationId), pace)
      arrive(driver, task)
      await report(driver, ledger, pace)
    }
    await pause(((task.serviceTime ?? 4) * 60_000) / pace.speed, undefined, { signal: pace.signal })
    await finish(driver, task, fate, pace.seed)
  } finally {
    phone.isOnline = true
    driver.unheard = undefined
  }
  if (!(await report(driver, ledger, pace, fate.sending))) return false
  await rate(driver.client, task, !fate.failure, pace)
  return true
}

/** It waits for no other task. */
export const isFree = ({ dependencies }: Task) => dependencies.every(({ statusId }) => statusId === Succeeded)

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
