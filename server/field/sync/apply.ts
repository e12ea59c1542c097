import { type ErrorCode, orThrow, presentRefusal, Refusal } from '../../../contract/errors.ts'
import type { Scanned } from '../../../contract/scan.ts'
import { type Corrected, correctTime, toleratedMs } from '../../../core/device-clock.ts'
import { settingsOf } from '../../../core/settings.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { setDuty } from '../../drivers/queries.ts'
import { commitWithEvents, type Happened, type Remark } from '../../events/record.ts'
import { claimDriversFile, discardDriversFile } from '../../files/claims.ts'
import { judgeScans, readScans } from '../../loading/actions.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { changeTasks, type TaskChange } from '../../tasks/change/change.ts'
import { hasRoomInTimeline } from '../../tasks/change/room.ts'
import { markSeenByDriver } from '../../tasks/queries.ts'
import { isErased } from '../../tasks/read/erased.ts'
import { lockOpenTasksOfDriver, lockTasks } from '../../tasks/read/lock.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { type Decision, decide, isEvidence, wereSettingsChanged } from './decide.ts'
import { claimPhotosOf, photosIn } from './form.ts'
import type { Action, Op, TaskAction } from './op.ts'
import { type Answer, findEarliest, insertConflict, insertOps, listTerms, wasChangedByOthers } from './queries.ts'
import { readTakeBack } from './take-back.ts'

/*
 * The one way in which a driver does something, whether a phone sends it hours later with others or a verb at once: one
 * transaction for what changes, its events, what is kept because it cannot change anything, and the answer.
 */

export interface Outcome {
  answer: Answer
  /** Why it was not done, if it was not. */
  refusal?: Refusal
  /** The task as it is now. */
  task?: TaskView
  /** What a scan while loading came to. */
  scanned?: Scanned
}

/** Another request was faster with the same op; what it answered is there by now. */
export class AlreadyApplied extends Error {}

/** What a driver wants done, and the transaction to do it in. */
interface Attempt<Wanted extends Action | TaskAction = Action> {
  context: Context
  db: Db
  organisation: Organisation
  driverId: number
  op: Op<Wanted>
}

export async function applyOp(context: Context, organisation: Organisation, driverId: number, op: Op) {
  let hasSeen = false
  const outcome = await commitWithEvents(context, async (db): Promise<Outcome> => {
    const { action } = op
    const attempt = { context, db, organisation, driverId, op }
    if (action.type === 'takeBack') return applyTakeBack({ ...attempt, op: { ...op, action } })
    if (action.type === 'load') return applyLoad({ ...attempt, op: { ...op, action } })
    if (action.type !== 'duty' && action.type !== 'seen') return applyToTask({ ...attempt, op: { ...op, action } })
    const outcome: Outcome = { answer: { success: true } }
    const now = context.clock.now()
    const { at } = await timeOf(attempt, null, now)
    await remember(attempt, outcome, { at, now })
    if (action.type === 'duty') await setDuty(db, organisation.id, driverId, action.inShift, at)
    else hasSeen = await see({ ...attempt, op: { ...op, action } }, at)
    return outcome
  })
  if (op.action.type === 'load') context.announceChanges(['scans'])
  if (outcome.answer.conflict) context.announceChanges(['conflicts'])
  if (hasSeen || (op.action.type === 'note' && outcome.answer.success)) context.announceChanges(['notes'])
  return outcome
}

/** Created and recorded by two clocks that differ by less. */
const sameTimeMs = 1_000

/**
 * The driver looked at a task and saw what the phone knew of it: nothing newer than its last sync before, however late it
 * was when they looked. Answers whether that was something of the office they had not seen.
 */
async function see({ db, organisation, driverId, op }: Attempt<Extract<Action, { type: 'seen' }>>, seenAt: Date) {
  const { action, knownUntil } = op
  const { taskId } = action
  if (taskId === null || !knownUntil) return false
  const until = new Date(Math.min(knownUntil.getTime(), seenAt.getTime()) + sameTimeMs)
  return (await markSeenByDriver(db, organisation.id, driverId, taskId, until, seenAt)) > 0
}

/** When it happened, by our clock. */
async function timeOf(
  { db, organisation, driverId, op: { occurredAt, offsetMs } }: Attempt<Action | TaskAction>,
  taskId: number | null,
  now: Date,
): Promise<Corrected> {
  if (!occurredAt) return { at: now }
  return correctTime(occurredAt, offsetMs, now, await findEarliest(db, organisation.id, driverId, taskId))
}

/** What is taken back says which task it is about; what was never done is refused, and that is remembered. */
async function applyTakeBack(attempt: Attempt<Extract<Action, { type: 'takeBack' }>>): Promise<Outcome> {
  const { context, db, organisation, driverId, op } = attempt
  const action = await readTakeBack(db, organisation.id, driverId, op.action)
  if (!(action instanceof Refusal)) return applyToTask({ ...attempt, op: { ...op, action } })
  const outcome: Outcome = { answer: { success: false, error: errorOf(action) }, refusal: action }
  const now = context.clock.now()
  const { at } = await timeOf(attempt, null, now)
  await remember(attempt, outcome, { at, now })
  return outcome
}

/** Loading refuses no code: what does not belong is a fact, too. */
async function applyLoad(attempt: Attempt<Extract<Action, { type: 'load' }>>): Promise<Outcome> {
  const { context, db, organisation, driverId, op } = attempt
  const { action, lat, lng, accuracyMetres } = op
  const time = await timeOf(attempt, null, context.clock.now())
  const happened: Happened = { ...time, lat, lng, accuracyMetres }
  const [read] = await readScans({ ...context, db }, organisation, [{ ...action, driverId, happened }])
  const now = context.clock.now()
  const { answers, changes } = await judgeScans(context, db, organisation, [orThrow(read)], now)
  const scanned = answers[0] as Scanned
  const { scan, driver } = scanned
  const outcome: Outcome = {
    answer: {
      success: true,
      scanned: { result: scan.result, taskId: scan.taskId, driver: driver?.name ?? null },
    },
    scanned,
  }
  await remember(attempt, outcome, { at: time.at, now })
  await changeTasks(context, db, organisation, changes, now)
  return outcome
}

async function applyToTask(attempt: Attempt<TaskAction>): Promise<Outcome> {
  const { context, db, organisation, driverId, op } = attempt
  const { action, lat, lng, accuracyMetres } = op
  // The whole route at once, in id order, or two changes could wait for each other.
  const flows = action.type === 'complete' && settingsOf(organisation).automaticDriverFlow
  const route = flows ? await lockOpenTasksOfDriver(db, organisation.id, driverId) : []
  const [task] = await lockTasks(db, organisation.id, [action.taskId])
  // Under the lock: everything others did to the task happened before.
  const now = context.clock.now()
  const time = await timeOf(attempt, action.taskId, now)
  const happened: Happened = { ...time, lat, lng, accuracyMetres }
  const verdict = await judge({ db, organisation, driverId, happened, route }, task, action)

  const { outcome, changes } = await settleVerdict(attempt, task, verdict, { at: happened.at, now })
  const own = outcome.refusal ? undefined : changes.find(({ before }) => before.id === action.taskId)
  const sequence = own ? own.before.last_sequence + own.fires.length : null
  await remember(attempt, outcome, { at: happened.at, now }, sequence)
  const changed = await changeTasks(
    context,
    db,
    organisation,
    changes.map((change) => ({ ...change, happened })),
    now,
  )
  if (outcome.refusal) outcome.refusal.isRecorded = changes.length > 0 || outcome.answer.conflict !== undefined
  const after = changed.find(({ id }) => id === action.taskId) ?? task
  return { ...outcome, ...(after && { task: after }) }
}

/** What an op comes to. What was not done may be noted, or kept for the office to decide. */
type Verdict = Decision & { refused?: 'plainly' | 'noted' | 'kept' }

const notFound = () => new Refusal('TASK_NOT_FOUND')

async function judge(
  scene: Omit<Parameters<typeof decide>[0], 'task'>,
  task: TaskView | undefined,
  action: TaskAction,
): Promise<Verdict> {
  const { db, organisation, driverId, happened } = scene
  if (
    action.type !== 'payment' &&
    (task ? task.erased_at !== null : await isErased(db, organisation.id, action.taskId))
  )
    return judgeErased(scene, task, action)
  if (task?.user_id !== driverId && action.type === 'takeBack')
    return action.taken.wasDone
      ? { changes: [], refusal: new Refusal('TOO_LATE'), refused: 'plainly' }
      : { changes: [] }
  if (task?.user_id !== driverId) {
    const terms = await listTerms(db, organisation.id, driverId, action.taskId)
    // A task of another driver looks like one that does not exist.
    if (terms.length === 0) return { changes: [], refusal: notFound(), refused: 'plainly' }
    const isKept = isEvidence(action) && wasTheirs(terms, happened.at)
    if (!task || !isKept) return { changes: [], refusal: notFound(), refused: whenLost(task, action) }
  }
  try {
    return await decide({ ...scene, task }, action)
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal
    // Work done is never thrown away: where the task has no room for it, the office decides.
    const isExcused =
      refusal.code === 'TASK_FULL' ||
      (isRule(refusal) &&
        (wereSettingsChanged(organisation, happened.at) ||
          (await wasChangedByOthers(db, organisation.id, driverId, task.id, happened.at))))
    return { changes: [], refusal, refused: isExcused ? 'kept' : 'plainly' }
  }
}

/**
 * What arrives for a task whose data was erased is taken, so that the phone lets go of it, and only the op itself is
 * remembered. Payments are made as always: money has to add up.
 */
async function judgeErased(
  { db, organisation, driverId }: Omit<Parameters<typeof decide>[0], 'task'>,
  task: TaskView | undefined,
  action: TaskAction,
): Promise<Verdict> {
  const isTheirs =
    task?.user_id === driverId || (await listTerms(db, organisation.id, driverId, action.taskId)).length > 0
  if (!isTheirs) return { changes: [], refusal: notFound(), refused: 'plainly' }
  const brought = 'fileId' in action ? [action.fileId] : action.type === 'form' ? photosIn(action.answers) : []
  for (const fileId of brought) await discardDriversFile(db, organisation.id, fileId, driverId, action.taskId)
  return { changes: [] }
}

/** The last word before then, give or take what a clock may be wrong. */
const wasTheirs = (terms: { is_given: boolean; recorded_at: Date }[], at: Date) =>
  terms.some(({ is_given, recorded_at }, index) => {
    const lostAt = terms[index + 1]?.recorded_at.getTime() ?? Number.POSITIVE_INFINITY
    return is_given && recorded_at.getTime() <= at.getTime() + toleratedMs && at.getTime() < lostAt
  })

/** On a task that was taken away only what shows work done has to be decided; a deleted one has no timeline to note it in. */
function whenLost(task: TaskView | undefined, { type }: TaskAction): NonNullable<Verdict['refused']> {
  if (type !== 'accept' && type !== 'start' && type !== 'arrive') return 'kept'
  return task ? 'noted' : 'plainly'
}

/** Refusals that depend on what others did. What is wrong in itself stays wrong. */
const isRule = ({ code, rule }: Refusal) => rules.includes(code) || rule === 'decimals'
const rules: readonly ErrorCode[] = [
  'TASK_ALREADY_PROCESSED',
  'TASK_NOT_ASSIGNED',
  'TASK_NOT_STARTED',
  'TASK_NOT_ACCEPTED',
  'TASK_IN_TRANSIT',
  'DEPENDENCY_OPEN',
  'SIGNATURE_REQUIRED',
  'PAYMENT_TOO_MUCH',
  'PAYMENT_PARTIAL',
  'PAYMENT_REQUIRED',
  'FORM_REQUIRED',
  'PHOTO_REQUIRED',
  'NOTE_REQUIRED',
  'FORBIDDEN_BY_SETTING',
]

/** When it was done by our clock, and when we got to know. */
interface Times {
  at: Date
  now: Date
}

async function settleVerdict(
  { db, organisation, driverId, op }: Attempt<TaskAction>,
  task: TaskView | undefined,
  { changes, refusal, refused }: Verdict,
  { at, now }: Times,
): Promise<{ outcome: Outcome; changes: TaskChange[] }> {
  const { action, lat, lng, accuracyMetres, name } = op
  if (!refusal) return { outcome: { answer: { success: true } }, changes }
  const answer = { success: false, error: errorOf(refusal) }
  const remark = (said: Remark) => (task && hasRoomInTimeline(task) ? [remarkOn(task, said)] : [])
  if (refused === 'noted') return { outcome: { answer, refusal }, changes: remark({ noted: action.type }) }
  if (refused !== 'kept' || action.type === 'takeBack') return { outcome: { answer, refusal }, changes }
  // Its pictures are kept with it.
  if (action.type === 'form') await claimPhotosOf({ db, organisation, driverId }, action.taskId, action.answers)
  if ('fileId' in action) await claimDriversFile(db, organisation.id, action.fileId, driverId, action.taskId)
  const id = await insertConflict(db, organisation.id, {
    user_id: driverId,
    task_id: action.taskId,
    op_id: name?.opId ?? null,
    op: { ...action, lat, lng, ...(accuracyMetres !== null && { accuracyMetres }) },
    code: refusal.code,
    message: refusal.message,
    occurred_at: at,
    recorded_at: now,
  })
  return {
    outcome: { answer: { ...answer, conflict: { id } }, refusal },
    changes: remark({ conflict: { id, type: action.type } }),
  }
}

/** An entry in the timeline of a task that stays as it is. */
export const remarkOn = (task: TaskView, remark: Remark): TaskChange => ({
  before: task,
  set: {},
  fires: ['TASK_UPDATED'],
  remark,
})

/** Why an op was refused, in its result. The task stands in the op, so it is a field. */
export const errorOf = (refusal: Refusal) => ({
  ...(refusal.code === 'TASK_NOT_FOUND' && { field: 'taskId' }),
  ...presentRefusal(refusal),
})

async function remember(
  { db, organisation, driverId, op }: Attempt<Action | TaskAction>,
  { answer }: Outcome,
  { at, now }: Times,
  sequence: number | null = null,
) {
  if (!op.name) return
  const written = await insertOps(db, organisation.id, [
    {
      user_id: driverId,
      op_id: op.name.opId,
      type: op.action.type,
      task_id: 'taskId' in op.action ? op.action.taskId : null,
      digest: op.name.digest,
      answer,
      occurred_at: at,
      recorded_at: now,
      sequence,
    },
  ])
  if (written === 0) throw new AlreadyApplied()
}
