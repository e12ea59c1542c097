import { Refusal } from '../../../contract/errors.ts'
import { assigningMove, InTransit, isEnded, Unassigned } from '../../../core/task-status.ts'
import type { TaskChange } from '../change/change.ts'
import { moveTask, withoutDriver } from '../change/move.ts'
import { isSamePlan, planOf, type TaskPlan } from '../kept-plans/plan.ts'
import type { KeptPlan } from '../kept-plans/steps.ts'
import type { DriverView, TaskView } from '../tables.ts'

/** What is there now, locked. */
export interface Now {
  /** The tasks of the undo, and the open ones of its drivers. */
  tasks: readonly TaskView[]
  drivers: ReadonlyMap<number, DriverView & { active: boolean }>
  /** Why tasks must not become unassigned, if they must not. */
  noUnassigning: Refusal | undefined
}

export interface Restored {
  task: Pick<TaskView, 'id' | 'awb'>
  refusal: Refusal | undefined
  /** It was in transit, and only its driver can start it. */
  hasLostStart: boolean
}

/** One task through all steps of an undo. */
interface Chain extends KeptPlan {
  /** Somebody else changed its plan between two steps. */
  isBroken: boolean
}

/**
 * Which tasks get their plan back, and why others do not. A route is restored completely or not at all: once somebody
 * else has changed its order, the old places mean nothing in it. What drivers have done since is no change of the order,
 * and tasks that came meanwhile without a place go last.
 */
export function decideRestore(steps: readonly (readonly KeptPlan[])[], now: Now) {
  const chains = joinSteps(steps)
  const current = new Map(now.tasks.map((task) => [task.id, task]))
  const isOpenNow = (task: TaskView | undefined): task is TaskView =>
    task !== undefined && !isEnded({ statusId: task.status_id })
  const isChanged = ({ id, became, isBroken }: Chain) => {
    const task = current.get(id)
    return isOpenNow(task) && (isBroken || !isSamePlan(became, planOf(task)))
  }

  const spoiled = new Set<number>()
  const spoil = (driverId: number | null | undefined) => driverId != null && spoiled.add(driverId)
  for (const chain of chains.values())
    if (isChanged(chain)) {
      spoil(chain.became.userId)
      spoil(current.get(chain.id)?.user_id)
    }
  const newcomers = now.tasks.filter((task) => !chains.has(task.id) && isOpenNow(task))
  for (const { user_id, route } of newcomers) if (route) spoil(user_id)

  const wanted = [...chains.values()].filter(({ was, became }) => !isSamePlan(was, became))
  const refusals = new Map<number, Refusal>()
  const refuse = ({ id, was }: Chain, refusal: Refusal) => {
    refusals.set(id, refusal)
    // It stays where it is, so the route it is in does not become what it was.
    const task = current.get(id)
    if (isOpenNow(task) && task.user_id !== was.userId) spoil(task.user_id)
  }
  for (const chain of wanted) {
    const refusal = refusalOf(chain, current.get(chain.id), isChanged(chain), now)
    if (refusal) refuse(chain, refusal)
  }
  for (let count = -1; count !== refusals.size; ) {
    count = refusals.size
    for (const chain of wanted)
      if (!refusals.has(chain.id) && chain.was.userId !== null && spoiled.has(chain.was.userId))
        refuse(chain, routeChanged(now.drivers.get(chain.was.userId)))
  }

  const changes: TaskChange[] = []
  const results = wanted.map((chain): Restored => {
    const task = current.get(chain.id) as TaskView
    let refusal = refusals.get(chain.id)
    if (!refusal) {
      const change = restoreTask(task, chain.was, now.drivers)
      if (change instanceof Refusal) refusal = change
      else changes.push(change)
    }
    const hasLostStart = !refusal && chain.was.statusId === InTransit && task.status_id === Unassigned
    return { task: chain, refusal, hasLostStart }
  })
  return { results, changes: [...changes, ...putLast(newcomers, now.tasks, changes)] }
}

function joinSteps(steps: readonly (readonly KeptPlan[])[]): Map<number, Chain> {
  const chains = new Map<number, Chain>()
  for (const { id, awb, was, became } of steps.flat()) {
    const before = chains.get(id)
    const isBroken = before !== undefined && (before.isBroken || !isSamePlan(before.became, was))
    chains.set(id, { id, awb, was: before?.was ?? was, became, isBroken })
  }
  return chains
}

const routeChanged = (driver: DriverView | undefined) =>
  new Refusal('TOO_LATE', { message: `The route of ${driver?.name ?? 'the driver'} was changed since` })

function refusalOf(
  { was }: Chain,
  task: TaskView | undefined,
  isChanged: boolean,
  { drivers, noUnassigning }: Now,
): Refusal | undefined {
  if (!task) return new Refusal('TASK_NOT_FOUND')
  if (isEnded({ statusId: task.status_id })) return new Refusal('TASK_ALREADY_PROCESSED')
  if (isChanged) return new Refusal('TOO_LATE', { message: 'The driver or the place of the task was changed since' })
  if (was.userId === task.user_id) return undefined
  if (task.status_id === InTransit) return new Refusal('TASK_IN_TRANSIT')
  if (was.userId === null) return noUnassigning
  const driver = drivers.get(was.userId)
  if (!driver) return new Refusal('DRIVER_NOT_FOUND')
  return driver.active ? undefined : new Refusal('DRIVER_INACTIVE')
}

function restoreTask(task: TaskView, was: TaskPlan, drivers: ReadonlyMap<number, DriverView>): TaskChange | Refusal {
  const plan = {
    route_position: was.position,
    route: was.route,
    eta_at: was.etaAt === null ? null : new Date(was.etaAt),
  }
  if (was.userId === task.user_id)
    return { before: task, set: plan, fires: task.route === null && was.route === null ? [] : ['TASK_UPDATED'] }
  const driver = was.userId === null ? null : (drivers.get(was.userId) as DriverView)
  if (!driver) return moveTask(task, 'unassign', withoutDriver, { joined: { driver: null } })
  const move = assigningMove({ statusId: task.status_id, userId: task.user_id }, driver.id) ?? 'reassign'
  const accepted_at = was.acceptedAt === null ? null : new Date(was.acceptedAt)
  const loaded_at = was.loadedAt ? new Date(was.loadedAt) : null
  const set = { ...withoutDriver, user_id: driver.id, ...plan, accepted_at, loaded_at }
  return moveTask(task, move, set, { joined: { driver } })
}

/** Tasks that came to a route meanwhile go after what is back in it, in their order. */
function putLast(
  newcomers: readonly TaskView[],
  tasks: readonly TaskView[],
  changes: readonly TaskChange[],
): TaskChange[] {
  const sets = new Map(changes.map(({ before, set }) => [before.id, set]))
  const after = tasks.map((task) => ({ ...task, ...sets.get(task.id) }))
  const restored = new Set(after.filter(({ id }) => sets.has(id)).map(({ user_id }) => user_id))
  const isNew = new Set(newcomers.map(({ id }) => id))
  return [...Map.groupBy(newcomers, ({ user_id }) => user_id)].flatMap(([driverId, theirs]) => {
    if (driverId === null || !restored.has(driverId)) return []
    const places = after.filter((task) => task.user_id === driverId && !isNew.has(task.id))
    const last = Math.max(0, ...places.map(({ route_position }) => route_position ?? 0))
    const inOrder = theirs.toSorted(
      (one, other) => (one.route_position ?? 0) - (other.route_position ?? 0) || one.id - other.id,
    )
    if ((inOrder[0]?.route_position ?? 0) > last) return []
    return inOrder.map(
      (before, index): TaskChange => ({ before, set: { route_position: last + index + 1 }, fires: [] }),
    )
  })
}
