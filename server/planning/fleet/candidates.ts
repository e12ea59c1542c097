import { unknownInBody } from '../../../contract/errors.ts'
import {
  type AssignInput,
  type TaskRefusalCode,
  taskRefusals,
  type UnassignedTask,
} from '../../../contract/planning.ts'
import type { Point } from '../../../core/geo.ts'
import { Unassigned } from '../../../core/task-status.ts'
import type { Db } from '../../db/db.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { findTaskIds, holdTeams } from '../../tasks/queries.ts'
import { viewTasks } from '../../tasks/read/view.ts'
import { unknownAwb, unknownTeam } from '../../tasks/refusals.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { boundsOfDay, type Clock, isForToday } from '../problem/clock.ts'
import { isOfPlannedDay, pointOf } from '../problem/stops.ts'
import type { FleetDriver } from './drivers.ts'
import type { Candidate } from './problem.ts'
import { listWaitingTasks } from './queries.ts'

const mostTasks = 1_000

export async function requireTeam(db: Db, organisationId: number, teamId: number | undefined) {
  if (teamId === undefined) return
  const [found] = await holdTeams(db, organisationId, [teamId])
  if (!found) throw unknownTeam()
}

/** The named tasks, each once, all of them existing; or all waiting ones. */
export async function findTasks(db: Db, { id }: Organisation, input: AssignInput, clock: Clock) {
  const { tasks: ids = [], awbs = [], teamId } = input
  if (!input.tasks && !input.awbs) return listWaitingTasks(db, id, teamId, boundsOfDay(clock), mostTasks)
  const byAwb = awbs.length > 0 ? await findTaskIds(db, id, awbs) : []
  const known = new Set(byAwb.map(({ awb }) => awb))
  const missingAwb = awbs.find((awb) => !known.has(awb))
  if (missingAwb !== undefined) throw unknownAwb(missingAwb, 'awbs')
  const wanted = [...new Set([...ids, ...byAwb.map((task) => task.id)])]
  const found = await viewTasks(db, id, wanted)
  const missing = ids.find((wantedId) => !found.some((task) => task.id === wantedId))
  if (missing !== undefined) throw unknownInBody('TASK_NOT_FOUND', 'tasks', `Task ${missing} not found`)
  return found
}

export const leaveOut = ({ id, awb }: TaskView, reason: keyof typeof taskRefusals): UnassignedTask => ({
  taskId: id,
  awb,
  reason: reason satisfies TaskRefusalCode,
  message: taskRefusals[reason],
  refused: [],
})

/** Which tasks can be assigned at all, and why the others cannot. */
export function sortOut(
  tasks: readonly TaskView[],
  drivers: readonly FleetDriver[],
  room: number,
  clock: Clock,
  conflicted: ReadonlySet<number>,
) {
  const candidates: Candidate[] = []
  const unassigned: UnassignedTask[] = []
  for (const task of tasks) {
    const point = pointOf(task)
    if (task.status_id !== Unassigned || task.fulfiller_id !== null) unassigned.push(leaveOut(task, 'NOT_WAITING'))
    else if (!isForToday(clock) && !isOfPlannedDay(task, clock)) unassigned.push(leaveOut(task, 'OTHER_DAY'))
    else if (conflicted.has(task.id)) unassigned.push(leaveOut(task, 'OPEN_CONFLICT'))
    else if (!point) unassigned.push(leaveOut(task, 'WITHOUT_PLACE'))
    else if (drivers.length === 0) unassigned.push(leaveOut(task, 'NO_DRIVER'))
    else if (candidates.length >= room) unassigned.push(leaveOut(task, 'TOO_MANY_TASKS'))
    else candidates.push({ task, point: point satisfies Point })
  }
  return { candidates, unassigned }
}
