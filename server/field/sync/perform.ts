import { orThrow, Refusal } from '../../../contract/errors.ts'
import type { Scanned } from '../../../contract/scan.ts'
import { type Corrected, correctTime } from '../../../core/device-clock.ts'
import type { Context } from '../../context.ts'
import { setDuty } from '../../drivers/queries.ts'
import type { Happened } from '../../events/record.ts'
import { judgeScans, readScans } from '../../loading/actions.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { markSeenByDriver } from '../../tasks/queries.ts'
import type { TaskView } from '../../tasks/tables.ts'
import type { Desk } from './desk.ts'
import type { Action, Op, TaskAction } from './op.ts'
import type { Answer } from './queries.ts'
import type { TakeBack } from './take-back.ts'
import { errorOf, rule } from './verdict.ts'

/* One op on the desk: what it comes to, what it changes, and that it was answered. */

export interface Outcome {
  answer: Answer
  /** Why it was not done, if it was not. */
  refusal?: Refusal
  /** The task as it is now. */
  task?: TaskView
  /** What a scan while loading came to. */
  scanned?: Scanned
  /** It was the first time that the driver saw something of the office. */
  hasSeen?: boolean
}

/** An op, what it is to be done to, and by whom. A taking back says by now which task it is about, or is refused. */
export interface Attempt<Wanted = Action | TakeBack | Refusal> {
  context: Context
  organisation: Organisation
  driverId: number
  op: Op
  action: Wanted
  /** Other tasks of the route may start by themselves. */
  flows: boolean
}

export async function perform(desk: Desk, attempt: Attempt): Promise<Outcome> {
  const { action } = attempt
  if (action instanceof Refusal) {
    const outcome: Outcome = { answer: { success: false, error: errorOf(action) }, refusal: action }
    remember(desk, attempt, outcome, timeOf(desk, attempt, null).at, null)
    return outcome
  }
  switch (action.type) {
    case 'duty':
      return changeDuty(desk, { ...attempt, action })
    case 'seen':
      return see(desk, { ...attempt, action })
    case 'load':
      return load(desk, { ...attempt, action })
    default:
      return performOnTask(desk, { ...attempt, action: action as TaskAction })
  }
}

/** When it happened, by our clock. */
function timeOf(desk: Desk, { driverId, op }: Attempt<unknown>, taskId: number | null): Corrected {
  if (!op.occurredAt) return { at: desk.now }
  return correctTime(op.occurredAt, op.offsetMs, desk.now, desk.earliestOf(driverId, taskId))
}

async function changeDuty(desk: Desk, attempt: Attempt<Extract<Action, { type: 'duty' }>>): Promise<Outcome> {
  const { organisation, driverId, action } = attempt
  const { at } = timeOf(desk, attempt, null)
  const outcome: Outcome = { answer: { success: true } }
  remember(desk, attempt, outcome, at, null)
  await setDuty(desk.db, organisation.id, driverId, action.inShift, at)
  return outcome
}

/** Created and recorded by two clocks that differ by less. */
const sameTimeMs = 1_000

/**
 * The driver looked at a task and saw what the phone knew of it: nothing newer than its last sync before, however late it
 * was when they looked.
 */
async function see(desk: Desk, attempt: Attempt<Extract<Action, { type: 'seen' }>>): Promise<Outcome> {
  const { organisation, driverId, op, action } = attempt
  const { at } = timeOf(desk, attempt, null)
  const outcome: Outcome = { answer: { success: true } }
  remember(desk, attempt, outcome, at, null)
  const { taskId } = action
  if (taskId === null || !op.knownUntil) return outcome
  const until = new Date(Math.min(op.knownUntil.getTime(), at.getTime()) + sameTimeMs)
  const hasSeen = (await markSeenByDriver(desk.db, organisation.id, driverId, taskId, until, at)) > 0
  return { ...outcome, hasSeen }
}

/** Loading refuses no code: what does not belong is a fact, too. */
async function load(desk: Desk, attempt: Attempt<Extract<Action, { type: 'load' }>>): Promise<Outcome> {
  const { context, organisation, driverId, op, action } = attempt
  const { lat, lng, accuracyMetres } = op
  const time = timeOf(desk, attempt, null)
  const happened: Happened = { ...time, lat, lng, accuracyMetres }
  const [read] = await readScans({ ...context, db: desk.db }, organisation, [{ ...action, driverId, happened }])
  const { answers, changes } = await judgeScans(context, desk.db, organisation, [orThrow(read)], desk.now)
  const scanned = answers[0] as Scanned
  const { scan, driver } = scanned
  const answer: Answer = {
    success: true,
    scanned: { result: scan.result, taskId: scan.taskId, driver: driver?.name ?? null },
  }
  remember(desk, attempt, { answer }, time.at, null)
  desk.take(context.actor, driverId, changes)
  return { answer, scanned }
}

async function performOnTask(desk: Desk, attempt: Attempt<TaskAction>): Promise<Outcome> {
  const { context, organisation, driverId, op, action, flows } = attempt
  const { lat, lng, accuracyMetres } = op
  const task = desk.find(action.taskId)
  const happened: Happened = { ...timeOf(desk, attempt, action.taskId), lat, lng, accuracyMetres }
  const route = flows ? desk.routeOf(driverId) : []
  const { db, look, now, nextConflictId } = desk
  const setting = { db, look, now, nextConflictId, organisation, driverId, happened, route, op: { ...op, action } }
  const ruling = await rule(setting, task)
  const { refusal, changes, added } = ruling
  desk.take(
    context.actor,
    driverId,
    changes.map((change) => ({ happened, ...change })),
    added,
  )
  const own = refusal ? undefined : changes.find(({ before }) => before.id === action.taskId)
  const sequence = own ? own.before.last_sequence + own.fires.length : null
  const isBegun = !refusal && !own && (action.type === 'start' || action.type === 'arrive')
  const answer: Answer = { ...ruling.answer, ...(isBegun && { unchanged: true }) }
  remember(desk, attempt, { answer }, happened.at, sequence)
  if (refusal) refusal.isRecorded = changes.length > 0 || answer.conflict !== undefined
  const after = desk.find(action.taskId)
  return { answer, ...(refusal && { refusal }), ...(after && { task: after }) }
}

function remember(
  desk: Desk,
  { driverId, op, action }: Attempt<unknown>,
  { answer }: Pick<Outcome, 'answer'>,
  at: Date,
  sequence: number | null,
) {
  if (!op.name) return
  const { opId, digest } = op.name
  const about = action instanceof Refusal ? op.action : (action as Action)
  desk.remember({
    user_id: driverId,
    op_id: opId,
    type: op.action.type,
    task_id: 'taskId' in about ? about.taskId : null,
    digest,
    answer,
    occurred_at: at,
    sequence,
  })
}
