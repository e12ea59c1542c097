import { distanceMetres, type Point } from '../../core/geo.ts'
import { estimateTravelTable } from '../../core/travel.ts'

/*
 * What must come of a day in which drivers move and time passes, as plainly as it can be said: no claims, no locks, no
 * sets, no clocks but one. Times are milliseconds of that clock.
 */

export const minute = 60_000
const [assigned, inTransit, succeeded] = [6, 7, 9]
const freshMs = 30 * minute
const radius = 150
const unassigned = { eta: null, hasDriver: false, startedAt: null, arrivedAt: null }

export interface ModelTask {
  awb: string
  place: Point
  serviceMinutes: number
  after: number | null
  before: number | null
  status: number
  driver: number | null
  position: number
  startedAt: number | null
  arrivedAt: number | null
  endedAt: number | null
  eta: number | null
  hasDriver: boolean
  willBeDelayed: boolean
  delayed: boolean
  wasStartedByItself: boolean
  /** What was told about it: the trigger, and which flags changed with it. */
  told: string[]
}

export interface ModelDriver {
  isOnDuty: boolean
  /** Since the last look. */
  seen: (Point & { at: number; accuracy: number | null })[]
}

export function createModel(drivers: ModelDriver[], tasks: ModelTask[], startsByItself: boolean) {
  let now = 0
  const isOpen = ({ status }: ModelTask) => status < succeeded
  const openOf = (driver: number) =>
    tasks
      .filter((task) => task.driver === driver && isOpen(task))
      .sort((one, other) => one.position - other.position || tasks.indexOf(one) - tasks.indexOf(other))
  const routeOf = (driver: number) => {
    const open = openOf(driver)
    return [...open.filter(({ status }) => status === inTransit), ...open.filter(({ status }) => status !== inTransit)]
  }
  const isAwaited = (task: ModelTask) => task.driver !== null && isOpen(task) && !task.hasDriver

  /** Makes a change and tells it, with the flags as they are then. */
  function tell(task: ModelTask, triggers: number[], change: Partial<ModelTask> = {}) {
    const flags = () => ({ arrived: task.hasDriver, will: task.willBeDelayed, delayed: task.delayed })
    const was = flags()
    const wasEnded = !isOpen(task)
    Object.assign(task, change)
    const isLate = task.before !== null && now > task.before
    task.willBeDelayed = isAwaited(task) && task.before !== null && (isLate || (task.eta ?? 0) > task.before)
    if (!wasEnded) task.delayed = task.before !== null && (task.endedAt ?? now) > task.before
    const is = flags()
    const changed = (Object.keys(was) as (keyof typeof was)[]).filter((flag) => was[flag] !== is[flag])
    for (const trigger of triggers) task.told.push([trigger, ...changed].join(' '))
  }

  function startOf(driver: number): Point | null {
    const here = routeOf(driver).find(({ arrivedAt }) => arrivedAt !== null)
    if (here) return here.place
    const newest = drivers[driver]?.seen.reduce(
      (best, one) => (best && best.at >= one.at ? best : one),
      undefined as never,
    )
    const done = tasks
      .filter((task) => task.driver === driver && (task.endedAt ?? task.arrivedAt) !== null)
      .sort((one, other) => (other.endedAt ?? other.arrivedAt ?? 0) - (one.endedAt ?? one.arrivedAt ?? 0))[0]
    const doneAt = done ? (done.endedAt ?? done.arrivedAt ?? 0) : Number.NEGATIVE_INFINITY
    if (newest && now - newest['at'] < freshMs && newest['at'] > doneAt) return newest
    return done?.place ?? null
  }

  const secondsBetween = (from: Point, to: Point) =>
    estimateTravelTable([from, to], 'best_guess', 'car').seconds[1] as number

  function arrivalsOf(driver: number): Map<ModelTask, number> {
    let place = startOf(driver)
    let time = now
    const arrivals = new Map<ModelTask, number>()
    for (const task of routeOf(driver)) {
      if (place) time += secondsBetween(place, task.place) * 1000
      arrivals.set(task, time)
      const service = task.serviceMinutes * minute
      const left = task.arrivedAt === null ? service : Math.max(0, service - (now - task.arrivedAt))
      time = Math.max(time, task.after ?? time) + left
      place = task.place
    }
    return arrivals
  }

  return {
    now: () => now,
    routeOf,
    pass(ms: number) {
      now += ms
    },
    report(driver: number, at: Point, time: number, accuracy: number | null) {
      const { seen } = drivers[driver] as ModelDriver
      // A driver is at one place at a time: what was heard first counts.
      if (!seen.some((one) => one.at === time)) seen.push({ lat: at.lat, lng: at.lng, at: time, accuracy })
    },
    start: (task: ModelTask) => tell(task, [1], { status: inTransit, startedAt: now }),
    arrive: (task: ModelTask) => tell(task, [5], { hasDriver: true, arrivedAt: now }),
    end: (task: ModelTask, status: number) => tell(task, [status === succeeded ? 2 : 3], { status, endedAt: now }),
    give(task: ModelTask, driver: number) {
      if (task.driver === driver) return
      const last = Math.max(0, ...openOf(driver).map(({ position }) => position))
      const triggers = task.driver === null ? [7, 5] : [8, 7, 5]
      tell(task, triggers, { ...unassigned, driver, status: assigned, position: last + 1 })
    },
    take(task: ModelTask) {
      if (task.driver !== null) tell(task, [8, 5], { ...unassigned, driver: null, status: 1 })
    },
    moveWindow(task: ModelTask, before: number) {
      if (task.before !== before) tell(task, [5], { before })
    },
    /** Time alone. */
    markLate() {
      for (const task of tasks)
        if (isOpen(task) && !task.delayed && task.before !== null && task.before < now) tell(task, [5])
    },
    startFirst() {
      for (const [driver, { isOnDuty }] of drivers.entries()) {
        const [first] = openOf(driver)
        if (!startsByItself || !isOnDuty || !first || routeOf(driver)[0]?.status === inTransit) continue
        if (first.after === null || first.after > now || first.wasStartedByItself) continue
        first.wasStartedByItself = true
        // After what was reported in this moment.
        tell(first, [1], { status: inTransit, startedAt: now + 2 })
      }
    },
    follow(driver: number) {
      if (!drivers[driver]?.isOnDuty) return
      for (const task of routeOf(driver)) {
        const isThere = drivers[driver]?.seen.some(
          (one) =>
            one.at >= (task.startedAt ?? Number.POSITIVE_INFINITY) &&
            (one.accuracy ?? 0) <= radius &&
            distanceMetres(one, task.place) <= radius,
        )
        if (task.status === inTransit && !task.hasDriver && isThere) tell(task, [5], { hasDriver: true })
      }
      for (const [task, arrival] of arrivalsOf(driver)) {
        if (task.hasDriver || (task.eta !== null && Math.abs(task.eta - arrival) < minute)) continue
        const isLate = task.before !== null && (now > task.before || arrival > task.before)
        if (isLate === task.willBeDelayed) task.eta = arrival
        else tell(task, [5], { eta: arrival })
      }
    },
  }
}
