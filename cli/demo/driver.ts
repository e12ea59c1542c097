import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Task } from '../../contract/task.ts'
import { type FormField, formOf } from '../../core/form.ts'
import type { Point } from '../../core/geo.ts'
import { InTransit, Succeeded } from '../../core/task-status.ts'
import type { Action, Picture } from '../../phone/keep.ts'
import { rate } from './customer.ts'
import { type Journey, type Position, planJourney, whereOn } from './journey.ts'
import type { Ledger } from './ledger.ts'
import { type Pace, patiently } from './pace.ts'
import type { DemoPhone, Network } from './phone.ts'
import { drawPicture, type Subject } from './pictures.ts'
import { type Ending, endingOf } from './tasks.ts'

/** A driver with their phone: everything here is done with the driver's own token. */
export interface Driver {
  id: number
  name: string
  transportationId: number
  isOnDuty: boolean
  phone: DemoPhone
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

/** Without a network it is sent later. */
export async function reportPosition({ phone, position: { lat, lng, heading } }: Driver) {
  await phone.keepPosition({ lat, lng, heading })
  if (phone.isOnline) await phone.sendPositions()
}

/** The open tasks in the order of the route. */
export async function readRoute({ phone }: Driver): Promise<Task[]> {
  return (await phone.client.listOwnTasks({ query: { statusId: '6,7', limit: 100 } })).tasks
}

/** Sends what waits, unless there is no network. Whether everything was accepted. */
export async function report({ phone }: Driver, ledger: Ledger, network?: Network) {
  if (!phone.isOnline) return true
  const { tasks, isAccepted } = await phone.sync(network)
  for (const task of tasks) ledger.write(task)
  return isAccepted
}

export const start = ({ phone, position: { lat, lng } }: Driver, { id: taskId }: Task) =>
  phone.keepDone([{ type: 'start', taskId, lat, lng }])

export function arrive(driver: Driver, { id: taskId, address }: Task) {
  Object.assign(driver.position, placeOf(address))
  const { lat, lng } = driver.position
  return driver.phone.keepDone([{ type: 'arrive', taskId, lat, lng }])
}

/** Everything at the door: evidence, money, the form, and how it ended. */
export async function finish({ phone, position }: Driver, task: Task, ending: Ending, seed: number) {
  const { failure, remark, hasPhoto, isSigned, isScanned, look } = ending
  const here = { taskId: task.id, lat: position.lat, lng: position.lng }
  const actions: Action[] = []
  const pictures: Picture[] = []
  const photograph = async (subject: Subject, kind: Picture['kind']) => {
    const fileId = randomUUID()
    const { buffer } = await drawPicture(seed, subject, look)
    pictures.push({ fileId, kind, taskId: task.id, bytes: buffer })
    return fileId
  }
  if (isScanned) actions.push({ type: 'scan', code: task.awb, ...here })
  if (remark) actions.push({ type: 'note', note: remark, ...here })
  if (hasPhoto) actions.push({ type: 'photo', fileId: await photograph(failure ? 'door' : 'parcel', 'photo'), ...here })
  const form = formOf(task, await phone.forms())
  const answers = []
  for (const field of form?.fields.filter(({ at }) => at === (failure ? 'fail' : 'complete')) ?? [])
    answers.push({
      field_key: field.field_key,
      answer: field.type === 'photo' ? await photograph('parcel', 'answer') : answerTo(field, task, look),
    })
  if (answers.length > 0) actions.push({ type: 'form', answers, ...here })
  if (!failure && isSigned) {
    const name = task.customer?.name ?? null
    actions.push({ type: 'signature', fileId: await photograph('signature', 'signature'), name, ...here })
  }
  const method = task.paymentTypeId === 2 ? 'card' : 'cash'
  if (!failure && task.leftToBePaid) actions.push({ type: 'payment', amount: task.leftToBePaid, method, ...here })
  actions.push(failure ? { type: 'fail', reason: failure, ...here } : { type: 'complete', ...here })
  await phone.keepDone(actions, pictures)
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
      if (restedMs >= restingMs) await reportPosition(driver)
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
  const ending = endingOf(pace.seed, task.awb)
  const isNew = task.statusId !== InTransit
  if (isNew && ending.isOffline && isFree(task)) {
    phone.isOnline = false
    driver.unheard = task
  }
  try {
    if (isNew) await start(driver, task)
    if (!(await report(driver, ledger))) return false
    if (task.arrivalTime === null) {
      await travel(driver, planJourney(position, placeOf(task.address) ?? position, transportationId), pace)
      await arrive(driver, task)
      await report(driver, ledger)
    }
    await pause(((task.serviceTime ?? 4) * 60_000) / pace.speed, undefined, { signal: pace.signal })
    await finish(driver, task, ending, pace.seed)
  } finally {
    phone.isOnline = true
    driver.unheard = undefined
  }
  if (!(await report(driver, ledger, ending.network))) return false
  await rate(phone.client, task, !ending.failure, pace)
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
