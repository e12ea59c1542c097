import { type PlanWarning, type PlanWarningCode, planWarnings } from '../../contract/planning.ts'
import { isToCheck } from '../../core/certainty.ts'
import { distanceMetres, type Point } from '../../core/geo.ts'
import { shownAs } from '../tasks/address.ts'
import { isDelayed } from '../tasks/arrival.ts'
import type { TaskView } from '../tasks/tables.ts'
import type { Clock } from './problem/clock.ts'
import { pointOf } from './problem/stops.ts'

/** In a straight line; no driver goes farther for one task. */
const farMetres = 400_000

export const warn = (
  code: PlanWarningCode,
  tasks: readonly TaskView[] = [],
  message: string = planWarnings[code],
): PlanWarning => ({ code, message, awbs: tasks.map(({ awb }) => awb) })

/** What is doubtful about these tasks, by kind. `known` are places the organisation certainly has: its hubs. */
export function warnOfTasks(tasks: readonly TaskView[], known: readonly Point[], clock: Clock): PlanWarning[] {
  const located = tasks.filter(pointOf)
  const centres = known.length > 0 ? known : middleOf(located.flatMap((task) => pointOf(task) ?? []))
  const far = located.filter((task) => isFar(pointOf(task) as Point, centres))
  const swapped = far.filter((task) => !isFar(swap(pointOf(task) as Point), centres))
  return [
    ['WITHOUT_PLACE', tasks.filter((task) => !pointOf(task))] as const,
    ['APPROXIMATE_PLACE', located.filter(isDoubtful)] as const,
    ['MAYBE_SWAPPED', swapped] as const,
    ['FAR_AWAY', far.filter((task) => !swapped.includes(task))] as const,
    ['WINDOW_PAST', tasks.filter((task) => isDelayed(task, clock.now))] as const,
  ].flatMap(([code, concerned]) => (concerned.length > 0 ? [warn(code, concerned)] : []))
}

/** Only its street or its city is known: planned, if people want it, but never without saying so. */
export const isDoubtful = (task: TaskView) => pointOf(task) !== null && isToCheck(shownAs(task.address))

const isFar = (point: Point, centres: readonly Point[]) =>
  centres.length > 0 && centres.every((centre) => distanceMetres(centre, point) > farMetres)

/** An impossible latitude cannot be a swap. */
const swap = ({ lat, lng }: Point): Point => (Math.abs(lng) <= 90 ? { lat: lng, lng: lat } : { lat, lng })

/** Without hubs, the middle of the tasks; with one or two tasks it is impossible to say which is the outlier. */
function middleOf(points: readonly Point[]): Point[] {
  if (points.length < 3) return []
  const median = (field: keyof Point) => {
    const values = points.map((point) => point[field]).sort((one, other) => one - other)
    return values[Math.floor(values.length / 2)] as number
  }
  return [{ lat: median('lat'), lng: median('lng') }]
}
