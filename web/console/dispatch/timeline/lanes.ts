import type { PlannedStop } from '../../../../contract/task.ts'
import { hasArrived, lateSeconds } from '../../../../core/arrival.ts'
import { boundsOf } from '../../../../core/shift-bounds.ts'
import { stopsOf } from '../../../../core/stop.ts'
import { InTransit, isEnded } from '../../../../core/task-status.ts'
import type { Driver, Task } from '../../../api/data.ts'
import { arrivalOf } from '../../../tasks/arrival.ts'
import { addDays } from '../../../tasks/day.ts'
import { isAtRisk, stopOf } from '../../../tasks/risk.ts'
import { routeOf } from '../../day/route.ts'
import { hoursOfDriver } from '../../day/workday.ts'
import { momentOf } from './zone.ts'

export interface Span {
  start: number
  end: number
}

/** A task at its time of the day: as it happened, or as planned. */
export interface Block {
  task: Task
  /** When the driver arrives; until `start` they wait for the window to open. */
  arrival: number
  start: number
  end: number
  /** When the driver set off, if known. */
  leaves: number | undefined
  lateSeconds: number
  distanceMetres: number
  /** The number of its stop, if it is still to come. */
  stop: number | undefined
  isPlanned: boolean
  /** The driver should be there by now, but is not. */
  isBehind: boolean
}

/** The trip to a stop. */
export interface Way extends Span {
  to: number
  minutes: number
}

export interface Lane {
  driver: Driver
  blocks: Block[]
  ways: Way[]
  /** Open tasks without a planned time. */
  unplanned: Task[]
  shift: Span | undefined
  /** The shift of the day before, if it lasts into this day. */
  nightBefore: Span | undefined
  lunch: Span | undefined
  done: number
  late: number
  all: number
}

const minute = 60_000
const hour = 60 * minute

/** The time range of a day's plans; plans of other days are ignored. */
export const dayOfPlans = (day: string, timeZone: string): Span => ({
  start: momentOf(day, '00:00', timeZone),
  end: momentOf(addDays(day, 1), '12:00', timeZone),
})

export function makeLane(driver: Driver, tasks: Task[], day: string, timeZone: string, now: number): Lane {
  const within = dayOfPlans(day, timeZone)
  const route = routeOf(tasks, driver.id)
  const numbers = new Map(route.map(({ task, number }) => [task.id, number]))
  const places = new Map(route.map(({ task }, place) => [task.id, place]))
  const blocks: Block[] = []
  const unplanned: Task[] = []
  for (const task of tasks) {
    const block = isEnded(task) ? endedBlock(task, now) : openBlock(task, numbers.get(task.id), now)
    if (block && block.end > within.start && block.arrival < within.end) blocks.push(block)
    else if (!isEnded(task)) unplanned.push(task)
  }
  const placeOf = ({ task }: Block) => places.get(task.id) ?? -1
  blocks.sort((one, other) => one.arrival - other.arrival || placeOf(one) - placeOf(other))
  const shift = shiftOn(driver, day, timeZone)
  const dayBefore = shiftOn(driver, addDays(day, -1), timeZone)
  const lunch = findLunch(driver, blocks, shift, day, timeZone)
  return {
    driver,
    blocks,
    ways: findWays(blocks, lunch),
    unplanned,
    shift,
    nightBefore: dayBefore && dayBefore.end > within.start ? dayBefore : undefined,
    lunch,
    done: tasks.filter(isEnded).length,
    late: tasks.filter((task) => isAtRisk(task, now)).length,
    all: tasks.length,
  }
}

const parsed = (moment: string | null) => (moment === null ? undefined : Date.parse(moment))
const serviceMs = ({ serviceTime }: Task) => (serviceTime ?? 0) * minute

function endedBlock(task: Task, now: number): Block {
  const end = Date.parse(task.completedAt ?? task.updatedAt)
  const leaves = parsed(task.startedAt)
  const arrival = parsed(task.arrivalTime) ?? Math.max(end - serviceMs(task), leaves ?? 0)
  return {
    task,
    arrival: Math.min(arrival, end),
    start: Math.min(arrival, end),
    end,
    leaves,
    lateSeconds: lateSeconds(task, now),
    distanceMetres: stopOf(task)?.distanceMetres ?? 0,
    stop: undefined,
    isPlanned: false,
    isBehind: false,
  }
}

function openBlock(task: Task, number: number | undefined, now: number): Block | undefined {
  const plan = stopOf(task)
  const leaves = task.statusId === InTransit ? parsed(task.startedAt) : undefined
  const shared = {
    task,
    leaves,
    lateSeconds: lateSeconds(task, now),
    distanceMetres: plan?.distanceMetres ?? 0,
    stop: plan && number,
  }
  const arrived = task.statusId === InTransit ? parsed(task.arrivalTime) : undefined
  if (arrived !== undefined) {
    const end = Math.max(arrived + serviceMs(task), now)
    return { ...shared, arrival: arrived, start: arrived, end, isPlanned: false, isBehind: false }
  }
  const expected = arrivalOf(task, now)
  if (!expected) return hasArrived(task) ? hereNow(shared, plan, now) : undefined
  const { at: arrival, isBehind } = expected
  // A plan that waits for a window to open waits less if the driver comes later.
  const opens = plan && plan.waitSeconds > 0 ? Date.parse(plan.arrivalTime) + plan.waitSeconds * 1000 : arrival
  const start = Math.max(arrival, opens)
  return { ...shared, arrival, start, end: start + serviceMs(task), isPlanned: true, isBehind }
}

/** The position of the driver says that they are there, but nobody said since when. */
function hereNow(
  shared: Pick<Block, 'task' | 'leaves' | 'lateSeconds' | 'distanceMetres' | 'stop'>,
  plan: PlannedStop | undefined,
  now: number,
): Block {
  const arrival = Math.min(now, plan ? Date.parse(plan.arrivalTime) : now)
  const end = Math.max(arrival + serviceMs(shared.task), now)
  return { ...shared, arrival, start: arrival, end, isPlanned: false, isBehind: false }
}

function shiftOn(driver: Driver, day: string, timeZone: string): Span | undefined {
  const bounds = boundsOf(hoursOfDriver(driver, day))
  return bounds && spanOf(day, bounds.start, bounds.end, timeZone)
}

function spanOf(day: string, start: string | null, end: string | null, timeZone: string): Span | undefined {
  if (start === null || end === null) return undefined
  const from = momentOf(day, start, timeZone)
  const to = momentOf(day, end, timeZone)
  return { start: from, end: to > from ? to : momentOf(addDays(day, 1), end, timeZone) }
}

/**
 * A plan includes lunch but does not say when. So it is shown in the gap, within the times for lunch, with the lowest
 * travel speed; if no gap is long enough, at the start of those times.
 */
function findLunch(
  driver: Driver,
  blocks: Block[],
  shift: Span | undefined,
  day: string,
  timeZone: string,
): Span | undefined {
  const times = spanOf(day, driver.lunchBreakStart, driver.lunchBreakEnd, timeZone)
  const within = times ?? shift
  const lasts = driver.lunchBreakDuration
    ? Number(driver.lunchBreakDuration) * minute
    : times && times.end - times.start
  if (!within || !lasts) return undefined
  let best: { start: number; speed: number } | undefined
  for (const [index, block] of blocks.entries()) {
    const before = blocks[index - 1]
    if (!before || !block.isPlanned) continue
    const start = Math.max(before.end, within.start)
    const speed = block.distanceMetres / (block.arrival - before.end)
    if (block.arrival - start < lasts || start + lasts > within.end) continue
    if (!best || speed < best.speed) best = { start, speed }
  }
  const start = best?.start ?? times?.start
  return start === undefined ? undefined : { start, end: start + lasts }
}

/** From the end of one stop, or from when the driver set off, to the next, without lunch. Tasks at one door are one stop. */
function findWays(blocks: Block[], lunch: Span | undefined): Way[] {
  const stops = stopsOf(blocks, ({ task }) => task.address)
  return stops.flatMap(([block], index): Way[] => {
    if (!block) return []
    const before = stops[index - 1]?.at(-1)
    const start = Math.max(before?.end ?? 0, block.leaves ?? 0)
    if (start === 0 || block.arrival - start < minute / 2) return []
    const pause = lunch ? Math.max(0, Math.min(lunch.end, block.arrival) - Math.max(lunch.start, start)) : 0
    return [
      { to: block.task.id, start, end: block.arrival, minutes: Math.round((block.arrival - start - pause) / minute) },
    ]
  })
}

/** From the first to the last thing of the day, in whole hours. */
export function rangeOf(lanes: Lane[], day: string, timeZone: string, now: number | undefined): Span {
  const marks = lanes.flatMap(({ blocks, shift, lunch }) => [
    ...(shift ? [shift.start, shift.end] : []),
    ...(lunch ? [lunch.start, lunch.end] : []),
    ...blocks.flatMap(({ arrival, end }) => [arrival, end]),
  ])
  const usual = [momentOf(day, '08:00', timeZone), momentOf(day, '18:00', timeZone)]
  const within = dayOfPlans(day, timeZone)
  const all = (marks.length > 0 ? marks : usual).concat(now === undefined ? [] : [now, now + hour])
  const start = Math.max(within.start, Math.min(...all) - hour / 4)
  const end = Math.min(within.end, Math.max(...all) + hour / 4)
  const first = within.start + Math.floor((start - within.start) / hour) * hour
  return { start: first, end: first + Math.max(4, Math.ceil((end - first) / hour)) * hour }
}
