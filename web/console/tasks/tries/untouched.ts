import type { Task } from '../../../api/data.ts'

/** What the service changes by itself, or shows of other records. Everything else somebody did, at a desk or on the road. */
const notTheirs = new Set<string>([
  'updatedAt',
  'timelines',
  'timelinesLeftOut',
  'route',
  'eta',
  'etaText',
  'etaAt',
  'sentETA',
  'taskWillBeDelayed',
  'taskDelayed',
  'lastLocationLat',
  'lastLocationLng',
  'currency',
  'owner',
  'fulfiller',
  'user',
  'team',
] satisfies (keyof Task)[])

/** That its address was found, or its customer changed elsewhere, is nothing that was done with the task. */
const theirPart: { [Field in keyof Task]?: (value: Task[Field]) => unknown } = {
  address: ({ address, addressSecondLine }) => [address, addressSecondLine],
  customer: (customer) => customer?.id,
  dependencies: (dependencies) => dependencies.map(({ taskId }) => taskId),
}

function partOf(task: Task, field: keyof Task) {
  const part = theirPart[field] as ((value: unknown) => unknown) | undefined
  return JSON.stringify((part ? part(task[field]) : task[field]) ?? null)
}

/** Whether somebody has done something with a task since it was made. */
export function isUntouched(made: Task, now: Task): boolean {
  const [was, is] = [made.address, now.address]
  if (was.lat !== null && (was.lat !== is.lat || was.lng !== is.lng)) return false
  const fields = new Set([...Object.keys(made), ...Object.keys(now)] as (keyof Task)[])
  return [...fields].every((field) => notTheirs.has(field) || partOf(made, field) === partOf(now, field))
}
