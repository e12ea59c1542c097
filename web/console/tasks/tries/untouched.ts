import type { Task } from '../../../api/data.ts'

/** What the service changes by itself, and what belongs to other records. */
const notOfIt = new Set<string>([
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
  'attemptOf',
  'returnOf',
] satisfies (keyof Task)[])

/** Of these only a part: that the customer was changed elsewhere is nothing that was done with the task. */
const itsPart: { [Field in keyof Task]?: (value: Task[Field]) => unknown } = {
  customer: (customer) => customer?.id,
  dependencies: (dependencies) => dependencies.map(({ taskId }) => taskId),
}

function partOf(task: Task, field: keyof Task) {
  const part = itsPart[field] as ((value: unknown) => unknown) | undefined
  return JSON.stringify((part ? part(task[field]) : task[field]) ?? null)
}

/** A place with a detail was found by the service; a person gives one without. */
function isSameAddress({ address: was }: Task, { address: is }: Task): boolean {
  const isFound = is.precisionDetail !== null
  return isFound
    ? was.address === is.address && was.addressSecondLine === is.addressSecondLine
    : JSON.stringify({ ...was, geocodingProblem: '' }) === JSON.stringify({ ...is, geocodingProblem: '' })
}

/** Whether nobody has done anything with a task since it was made. Being given to a driver counts, whoever did it. */
export function isUntouched(made: Task, now: Task): boolean {
  const fields = new Set([...Object.keys(made), ...Object.keys(now)] as (keyof Task)[])
  const isSame = (field: keyof Task) =>
    field === 'address' ? isSameAddress(made, now) : notOfIt.has(field) || partOf(made, field) === partOf(now, field)
  return [...fields].every(isSame)
}
