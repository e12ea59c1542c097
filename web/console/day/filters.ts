import type { StatusId } from '../../../core/task-status.ts'
import type { Task } from '../../api/data.ts'
import { riskOf } from '../../tasks/risk.ts'
import { statusOrder } from '../../tasks/status-order.ts'

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
  /** Only tasks that are late or may become late. */
  risk?: true
  /** The task whose panel is open. */
  task?: number
}

/** Reads the filters from an address. Invalid ones are dropped, not refused: addresses are shared and edited. */
export function readFilters(search: Record<string, unknown>): Filters {
  const id = (value: unknown) => (Number.isSafeInteger(Number(value)) && Number(value) > 0 ? Number(value) : undefined)
  const view = views.find((one) => one === search['view'])
  const status = statusOrder.find((one) => one === Number(search['status']))
  const day = /^\d{4}-\d\d-\d\d$/.test(String(search['day'])) ? String(search['day']) : undefined
  const q = search['q'] === undefined ? undefined : String(search['q'])
  const [driver, team, task] = [id(search['driver']), id(search['team']), id(search['task'])]
  return {
    ...(view && { view }),
    ...(day && { day }),
    ...(q && { q }),
    ...(status && { status }),
    ...(driver && { driver }),
    ...(driver && search['track'] ? { track: true as const } : {}),
    ...(team && { team }),
    ...(search['risk'] ? { risk: true as const } : {}),
    ...(task && { task }),
  }
}

/** Folds case and accents, so that “sos pipera” finds “Șos. Pipera”. */
export const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const searched = new WeakMap<Task, string>()
function textOf(task: Task): string {
  const known = searched.get(task)
  if (known !== undefined) return known
  const parts = [
    task.awb,
    task.address.address,
    task.address.area,
    task.customer?.name,
    task.customer?.phone,
    task.details,
    task.user?.name,
  ]
  const text = fold(parts.filter(Boolean).join(' '))
  searched.set(task, text)
  return text
}

/** Whether a task passes every filter except the one for the state, because each state shows its count. */
function passes(
  task: Task,
  { q, driver, team, risk }: Filters,
  isAtRisk: (task: Task) => boolean,
  teamOf: (driverId: number) => Set<number>,
) {
  if (driver && task.userId !== driver) return false
  if (team && task.teamId !== team && !(task.userId && teamOf(task.userId).has(team))) return false
  if (risk && !isAtRisk(task)) return false
  return (
    !q ||
    fold(q)
      .split(/\s+/)
      .every((word) => textOf(task).includes(word))
  )
}

const noTeam: Set<number> = new Set()

/** The tasks to show, by window and then by number, and the count per state, whichever state is selected. */
export function filterTasks(all: Task[], filters: Filters, now: number, teamsByDriver: Map<number, Set<number>>) {
  const teamsOf = (driverId: number) => teamsByDriver.get(driverId) ?? noTeam
  const isAtRisk = (task: Task) => riskOf(task, now) !== 'none'
  const passing = all.filter((task) => passes(task, filters, isAtRisk, teamsOf))
  const counts = Object.fromEntries(statusOrder.map((status) => [status, 0])) as Record<StatusId, number>
  for (const { statusId } of passing) counts[statusId] += 1
  const tasks = passing.filter(({ statusId }) => !filters.status || statusId === filters.status)
  tasks.sort(byWindow)
  return { tasks, counts }
}

const endOf = (task: Task) => task.completeBefore ?? task.completeAfter ?? '9999'
const byWindow = (one: Task, other: Task) =>
  endOf(one) < endOf(other) ? -1 : endOf(one) > endOf(other) ? 1 : one.id - other.id
