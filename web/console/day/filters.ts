import { shownStatus } from '../../../core/delegation.ts'
import { isFound, readSearch, type Term, wordsOf } from '../../../core/search.ts'
import type { StatusId } from '../../../core/task-status.ts'
import type { Task } from '../../api/data.ts'
import { isInDoubt } from '../../tasks/doubt.ts'
import { isAtRisk } from '../../tasks/risk.ts'
import { statusOrder } from '../../tasks/status-order.ts'
import type { AfterRules } from '../../tasks/to-decide.ts'
import { type Sorting, sortings, sortTasks } from './sorting.ts'

export const views = ['map', 'table', 'board', 'timeline'] as const
export type View = (typeof views)[number]

/** The state of the dispatch screen that is in the address. Default values are left out. */
export interface Filters {
  view?: View
  /** YYYY-MM-DD; today if not given. */
  day?: string
  q?: string
  status?: StatusId
  driver?: number
  /** The map shows where the driver drove that day. */
  track?: true
  team?: number
  /** Only tasks shared with this partner. */
  partner?: number
  /** Only tasks that are late or may become late. */
  risk?: true
  /** Only open tasks whose address is to be checked. */
  doubt?: true
  /** Without it, what needs a hand comes first. */
  sort?: Sorting
  /** The task whose panel is open. */
  task?: number
}

/** Reads the filters from an address. Invalid ones are dropped, not refused: addresses are shared and edited. */
export function readFilters(search: Record<string, unknown>): Filters {
  const id = (value: unknown) => (Number.isSafeInteger(Number(value)) && Number(value) > 0 ? Number(value) : undefined)
  const view = views.find((one) => one === search['view'])
  const status = statusOrder.find((one) => one === Number(search['status']))
  const day = /^\d{4}-\d\d-\d\d$/.test(String(search['day'])) ? String(search['day']) : undefined
  const sort = sortings.find((one) => one === search['sort'])
  const q = search['q'] === undefined ? undefined : String(search['q'])
  const [driver, team, task, partner] = ['driver', 'team', 'task', 'partner'].map((name) => id(search[name]))
  return {
    ...(view && { view }),
    ...(day && { day }),
    ...(q && { q }),
    ...(status && { status }),
    ...(driver && { driver }),
    ...(driver && search['track'] ? { track: true as const } : {}),
    ...(team && { team }),
    ...(partner && { partner }),
    ...(search['risk'] ? { risk: true as const } : {}),
    ...(search['doubt'] ? { doubt: true as const } : {}),
    ...(sort && { sort }),
    ...(task && { task }),
  }
}

const searched = new WeakMap<Task, string[]>()
/** Here also by the driver, whom the page knows anyway. */
function wordsIn(task: Task): string[] {
  const known = searched.get(task)
  if (known) return known
  const { awb, address, customer, details, user, fulfillerDriver, partnerAwbs = [] } = task
  const driver = user?.name ?? fulfillerDriver?.name
  const texts = [customer?.name, address.area, address.city, address.addressSecondLine, driver, details, ...partnerAwbs]
  const words = wordsOf({ awb, phone: customer?.phone ?? '', address: address.address, texts })
  searched.set(task, words)
  return words
}

const isShared = ({ side, ownerId, fulfillerId }: Task, partnerId: number) =>
  side !== undefined && (ownerId === partnerId || fulfillerId === partnerId)

/** Whether a task passes every filter except the one for the state, because each state shows its count. */
function passes(
  task: Task,
  { driver, team, partner, risk, doubt }: Filters,
  terms: readonly Term[] | undefined,
  now: number,
  teamOf: (driverId: number) => Set<number>,
) {
  if (driver && task.userId !== driver) return false
  if (team && task.teamId !== team && !(task.userId && teamOf(task.userId).has(team))) return false
  if (partner && !isShared(task, partner)) return false
  if (risk && !isAtRisk(task, now)) return false
  if (doubt && !isInDoubt(task)) return false
  return !terms || isFound(wordsIn(task), terms)
}

const noTeam: Set<number> = new Set()
const noConflicts: Pick<ReadonlySet<number>, 'has'> = new Set()

/** The tasks to show, sorted, and the count per state, whichever state is selected. */
export function filterTasks(
  all: Task[],
  filters: Filters,
  now: number,
  teamsByDriver: Map<number, Set<number>>,
  conflicts = noConflicts,
  rules?: AfterRules,
) {
  const teamsOf = (driverId: number) => teamsByDriver.get(driverId) ?? noTeam
  const terms = filters.q?.trim() ? readSearch(filters.q) : undefined
  const passing = all.filter((task) => passes(task, filters, terms, now, teamsOf))
  const counts = Object.fromEntries(statusOrder.map((status) => [status, 0])) as Record<StatusId, number>
  for (const task of passing) counts[shownStatus(task)] += 1
  const tasks = passing.filter((task) => !filters.status || shownStatus(task) === filters.status)
  return { tasks: sortTasks(tasks, filters, now, conflicts, rules), counts }
}
