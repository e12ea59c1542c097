import { expectedAt } from '../../../core/arrival.ts'
import { afterFailure } from '../../../core/attempt.ts'
import { rankOf } from '../../../core/attention.ts'
import { shownStatus } from '../../../core/delegation.ts'
import { fold } from '../../../core/search.ts'
import { isEnded } from '../../../core/task-status.ts'
import type { Task } from '../../api/data.ts'
import { riskOf } from '../../tasks/risk.ts'
import { type AfterRules, followedBy } from '../../tasks/to-decide.ts'
import { compareOnRoute } from './route.ts'

/** How a list can be sorted; without a choice, by what needs a hand, or the list of a driver by their route. */
export const sortings = ['window', 'eta', 'address', 'driver'] as const
export type Sorting = (typeof sortings)[number]

type Key = string | number
/** What decides between two tasks, in this order. Compared as it is, which is several times as fast as a collator. */
type KeysOf = (task: Task) => readonly Key[]

const last = '\uffff'
const endOf = ({ completeBefore, completeAfter }: Task) => completeBefore ?? completeAfter ?? last
/** "Strada Lungă 9" comes before "Strada Lungă 10". */
const inOrder = (text: string) => fold(text).replace(/\d+/g, (digits) => digits.padStart(6, '0'))

const keys: Record<Sorting, KeysOf> = {
  window: (task) => [endOf(task)],
  eta: (task) => [expectedAt(task) ?? last, endOf(task)],
  address: ({ address }) => [inOrder(address.address) || last],
  driver: ({ user, fulfillerDriver }) => [inOrder(user?.name ?? fulfillerDriver?.name ?? '') || last],
}

interface Wanted {
  sort?: Sorting | undefined
  driver?: number | undefined
}

/** Sorts tasks for the work. What is done comes last, however the rest is sorted. */
export function sortTasks(
  tasks: Task[],
  { sort, driver }: Wanted,
  now: number,
  conflicts: Pick<ReadonlySet<number>, 'has'>,
  rules: AfterRules = { mostAttempts: 0, afterLastAttempt: 'ask' },
): Task[] {
  const byNeed: KeysOf = (task) => [
    rankOf({
      statusId: shownStatus(task),
      risk: riskOf(task, now),
      hasConflict: conflicts.has(task.id),
      afterFailure: afterFailure(followedBy(task), rules),
    }),
    endOf(task),
  ]
  const isByRoute = sort === 'driver' || (!sort && driver !== undefined)
  const keysOf = sort ? keys[sort] : isByRoute ? () => [] : byNeed
  const entries = tasks.map((task) => ({
    task,
    keys: sort || isByRoute ? [isEnded(task) ? 1 : 0, ...keysOf(task)] : keysOf(task),
  }))
  entries.sort(
    (one, other) =>
      compareKeys(one.keys, other.keys) ||
      (isByRoute ? compareOnRoute(one.task, other.task) : one.task.id - other.task.id),
  )
  return entries.map(({ task }) => task)
}

function compareKeys(one: readonly Key[], other: readonly Key[]): number {
  for (const [at, key] of one.entries()) {
    const against = other[at] as Key
    if (key !== against) return key < against ? -1 : 1
  }
  return 0
}
