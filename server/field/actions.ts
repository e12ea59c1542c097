import { orThrow, Refusal } from '../../contract/errors.ts'
import type { Task } from '../../contract/task.ts'
import { type SettingName, type Settings, settingsOf } from '../../core/settings.ts'
import { Assigned, InTransit, Succeeded } from '../../core/task-status.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { commitWithEvents } from '../events/record.ts'
import { claimDriversFile } from '../files/claims.ts'
import type { Organisation } from '../organisations/queries.ts'
import { forbiddenBySetting } from '../organisations/refusals.ts'
import { changeTasks, type TaskChange } from '../tasks/change/change.ts'
import { moveTask } from '../tasks/change/move.ts'
import { noteOf, signature } from '../tasks/change/notes.ts'
import { insertNotes, type NewNote } from '../tasks/queries.ts'
import { lockOpenTasksOfDriver, lockTasks } from '../tasks/read/lock.ts'
import { presentTasks } from '../tasks/read/timeline.ts'
import type { TaskView } from '../tasks/tables.ts'

/** One thing a driver does to one of their tasks. */
export type Op =
  | { type: 'accept' | 'start' | 'arrive' | 'complete'; taskId: number }
  | { type: 'fail'; taskId: number; reason: string | null }
  | { type: 'note'; taskId: number; note: string }
  | { type: 'photo'; taskId: number; fileId: string; note: string | null }
  | { type: 'signature'; taskId: number; fileId: string; name: string | null }

/** Does one thing, in one transaction with what follows from it, and answers the task. */
export async function applyOp(context: Context, organisation: Organisation, driverId: number, op: Op): Promise<Task> {
  const settings = settingsOf(organisation)
  return commitWithEvents(context, async (db) => {
    // The whole route at once, in id order, or two changes could wait for each other.
    const flows = op.type === 'complete' && settings.automaticDriverFlow
    const route = flows ? await lockOpenTasksOfDriver(db, organisation.id, driverId) : []
    const task = await lockOwnTask(db, organisation.id, driverId, op.taskId)
    const now = context.clock.now()
    const change = await decide(db, organisation, driverId, settings, task, op, now)
    const next = nextStart(settings, route, task, now)
    const changed = await changeTasks(context, db, organisation, [...change, ...next], now)
    const [answer] = await presentTasks(db, organisation, [changed.find(({ id }) => id === task.id) ?? task], now)
    return answer as Task
  })
}

/** A task of somebody else looks like one that does not exist. */
async function lockOwnTask(db: Db, organisationId: number, driverId: number, taskId: number): Promise<TaskView> {
  const [task] = await lockTasks(db, organisationId, [taskId])
  if (!task || task.user_id !== driverId) throw new Refusal('TASK_NOT_FOUND')
  return task
}

/** What the op changes; nothing if it was done before. */
async function decide(
  db: Db,
  organisation: Organisation,
  driverId: number,
  settings: Settings,
  task: TaskView,
  op: Op,
  now: Date,
): Promise<TaskChange[]> {
  switch (op.type) {
    case 'accept':
      return accept(settings, task, now)
    case 'start':
      return [start(settings, task, now)]
    case 'arrive':
      return arrive(task, now)
    case 'complete':
      return [complete(settings, task, now)]
    case 'fail':
      requireSetting(settings, 'allowDriverToCancelTask')
      return [orThrow(moveTask(task, 'fail', { completed_at: now, cancel_reason: op.reason }))]
    case 'note':
      requireSetting(settings, 'allowDriverToTakeNotesOnSite')
      return [await write(db, task, noteOf(task, driverId, op.note))]
    case 'photo': {
      requireSetting(settings, 'allowDriverToTakePicturesOnSite')
      const file = await claimDriversFile(db, organisation.id, op.fileId, driverId, task.id)
      return [await write(db, task, noteOf(task, driverId, op.note, file))]
    }
    case 'signature': {
      requireSetting(settings, 'allowDriverToTakeSignaturesOnSite')
      const file = await claimDriversFile(db, organisation.id, op.fileId, driverId, task.id)
      return [await write(db, task, noteOf(task, driverId, op.name, file, signature))]
    }
  }
}

async function write(db: Db, task: TaskView, note: NewNote): Promise<TaskChange> {
  await insertNotes(db, task.organisation_id, [note])
  return { before: task, set: {}, fires: ['TASK_UPDATED'], rereads: ['notes'] }
}

export function requireSetting(settings: Settings, name: SettingName) {
  if (!settings[name]) throw forbiddenBySetting(name)
}

function accept(settings: Settings, task: TaskView, now: Date): TaskChange[] {
  const accepted = { accepted_at: task.accepted_at ?? now }
  const change = orThrow(moveTask(task, 'accept', accepted, {}))
  if (settings.driverAutoStartsTaskOnAccept && task.status_id === Assigned)
    return [start(settings, { ...task, ...accepted }, now, accepted)]
  return task.accepted_at ? [] : [change]
}

const isAccepted = (settings: Settings, task: TaskView) => settings.driverAutoAcceptOrders || task.accepted_at !== null

function start(settings: Settings, task: TaskView, now: Date, also: Partial<TaskView> = {}): TaskChange {
  const change = orThrow(moveTask(task, 'start', { started_at: now, ...also }))
  if (!isAccepted(settings, task)) throw new Refusal('TASK_NOT_ACCEPTED')
  requireDependencies(task)
  return change
}

function arrive(task: TaskView, now: Date): TaskChange[] {
  const change = orThrow(moveTask(task, 'arrive', { arrived_at: now, driver_arrived: true }, {}))
  return task.arrived_at ? [] : [change]
}

function complete(settings: Settings, task: TaskView, now: Date): TaskChange {
  const change = orThrow(
    moveTask(task, settings.automaticDriverFlow ? 'completeUnstarted' : 'complete', { completed_at: now }),
  )
  if (task.status_id === Assigned) requireDependencies(task)
  // Its picture may still be on its way.
  if (settings.makeSignaturesMandatory && !task.notes.some(({ type }) => type === signature))
    throw new Refusal('SIGNATURE_REQUIRED')
  return change
}

function requireDependencies({ dependencies }: TaskView) {
  const open = dependencies.find(({ status_id }) => status_id !== Succeeded)
  if (open) throw new Refusal('DEPENDENCY_OPEN', { message: `${open.awb} must succeed first` })
}

/** Completing one task starts the next of the route, if nothing stands in its way. */
function nextStart(settings: Settings, route: TaskView[], done: TaskView, now: Date): TaskChange[] {
  const others = route.filter(({ id }) => id !== done.id)
  if (others.some(({ status_id }) => status_id === InTransit)) return []
  const isReady = (task: TaskView) =>
    isAccepted(settings, task) &&
    task.dependencies.every(({ task_id, status_id }) => task_id === done.id || status_id === Succeeded)
  const [next] = others.filter(isReady).sort((one, other) => (one.route_position ?? 0) - (other.route_position ?? 0))
  return next ? [orThrow(moveTask(next, 'start', { started_at: now }))] : []
}
