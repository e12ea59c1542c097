import { boundsOf } from '../../../../core/shift-bounds.ts'
import { isEnded } from '../../../../core/task-status.ts'
import type { Driver, Task } from '../../../api/data.ts'
import { addDays } from '../../../tasks/day.ts'
import { isAtRisk } from '../../../tasks/risk.ts'
import { routeOf } from '../../day/route.ts'
import { hoursOfDriver } from '../../day/workday.ts'
import { type Block, blocksOf, type Parcel, parcelOf } from './blocks.ts'
import { momentOf } from './zone.ts'

export interface Span {
  start: number
  end: number
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
  const numbers = new Map(route.flatMap(({ task, plan, number }) => (plan && number ? [[task.id, number]] : [])))
  const places = new Map(route.map(({ task }, place) => [task.id, place]))
  const parcels: Parcel[] = []
  const unplanned: Task[] = []
  for (const task of tasks) {
    const parcel = parcelOf(task, now)
    if (parcel && parcel.end > within.start && parcel.arrival < within.end) parcels.push(parcel)
    else if (!isEnded(task)) unplanned.push(task)
  }
  const placeOf = ({ task }: Parcel) => places.get(task.id) ?? -1
  parcels.sort((one, other) => one.arrival - other.arrival || placeOf(one) - placeOf(other))
  const blocks = blocksOf(parcels, numbers, now)
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

/**
 * Makes lanes and keeps them: a lane whose driver and tasks are the same is the same object, so that an event about one driver
 * does not draw the lanes of all others again.
 */
export function createLaneKeeper() {
  let kept = new Map<number, { lane: Lane; tasks: readonly Task[] }>()
  let keptFor = ''
  return (
    drivers: readonly Driver[],
    tasksOf: (driverId: number) => Task[],
    day: string,
    timeZone: string,
    now: number,
  ) => {
    const wanted = `${day} ${timeZone} ${now}`
    const before: typeof kept = wanted === keptFor ? kept : new Map()
    keptFor = wanted
    kept = new Map()
    return drivers.map((driver) => {
      const tasks = tasksOf(driver.id)
      const known = before.get(driver.id)
      const isSame = known?.lane.driver === driver && areSame(known.tasks, tasks)
      const lane = isSame ? known.lane : makeLane(driver, tasks, day, timeZone, now)
      kept.set(driver.id, { lane, tasks })
      return lane
    })
  }
}

const areSame = (some: readonly Task[], others: readonly Task[]) =>
  some.length === others.length && some.every((task, at) => task === others[at])

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

/** From the end of one stop, or from when the driver set off, to the next, without lunch. */
function findWays(blocks: Block[], lunch: Span | undefined): Way[] {
  return blocks.flatMap((block, index): Way[] => {
    const start = Math.max(blocks[index - 1]?.end ?? 0, block.leaves ?? 0)
    if (start === 0 || block.arrival - start < minute / 2) return []
    const pause = lunch ? Math.max(0, Math.min(lunch.end, block.arrival) - Math.max(lunch.start, start)) : 0
    return [{ to: block.id, start, end: block.arrival, minutes: Math.round((block.arrival - start - pause) / minute) }]
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
