import { type ErrorCode, presentRefusal, Refusal } from '../../../contract/errors.ts'
import { toleratedMs } from '../../../core/device-clock.ts'
import type { Remark } from '../../events/record.ts'
import { discardDriversFile } from '../../files/claims.ts'
import type { TaskChange } from '../../tasks/change/change.ts'
import { hasRoomInTimeline } from '../../tasks/change/room.ts'
import { isErased } from '../../tasks/read/erased.ts'
import type { TaskView } from '../../tasks/tables.ts'
import type { NewConflict } from './conflict-queries.ts'
import { type Added, type Decision, decide, isEvidence, sharePicture, wereSettingsChanged } from './decide.ts'
import { claimPhotosOf, photosIn } from './form.ts'
import type { Op, TaskAction } from './op.ts'
import { type Answer, listTerms, wasChangedByOthers } from './queries.ts'
import type { Scene } from './scene.ts'

/* What an op comes to, if the task is not the driver's any more, a rule refuses it, or others went on from there. */

/** What an op comes to. It may be refused and still change something, or be kept for the office to decide. */
export interface Ruling {
  answer: Answer
  /** Why it was not done, if it was not. */
  refusal?: Refusal
  changes: TaskChange[]
  added?: Added | undefined
}

interface Setting extends Omit<Scene, 'task'> {
  now: Date
  op: Op<TaskAction>
  nextConflictId(): Promise<number>
}

/** Rules on an op about a locked task; undefined if there is none. */
export async function rule(setting: Setting, task: TaskView | undefined): Promise<Ruling> {
  const verdict = await judge(setting, task, setting.op.action)
  const { refusal, refused, changes, added } = verdict
  if (!refusal) return { answer: { success: true }, changes, added }
  const answer = { success: false, error: errorOf(refusal) }
  if (refused === 'noted') return { answer, refusal, changes: remarksOn(task, { noted: setting.op.action.type }) }
  if (refused === 'kept') return keepConflict(setting, task, refusal, answer)
  return { answer, refusal, changes, added }
}

/** What was not done may be noted, or kept for the office to decide. */
type Verdict = Decision & { refused?: 'plainly' | 'noted' | 'kept' }

const notFound = () => new Refusal('TASK_NOT_FOUND')

async function judge(scene: Omit<Scene, 'task'>, task: TaskView | undefined, action: TaskAction): Promise<Verdict> {
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
    // Work done is never thrown away: where the task has no room for it, or money is another by now, the office decides.
    const isExcused =
      refusal.code === 'TASK_FULL' ||
      refusal.code === 'CURRENCY_DIFFERS' ||
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
  { db, organisation, driverId }: Omit<Scene, 'task'>,
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

/** What the office is to decide about, and an entry in the timeline that says so. What is taken back never is. */
async function keepConflict(
  setting: Setting,
  task: TaskView | undefined,
  refusal: Refusal,
  answer: Answer,
): Promise<Ruling> {
  const { db, organisation, driverId, happened, now, op, nextConflictId } = setting
  const { action, lat, lng, accuracyMetres, name } = op
  if (action.type === 'takeBack') return { answer, refusal, changes: [] }
  // Its pictures are kept with it.
  if (action.type === 'form') await claimPhotosOf({ db, organisation, driverId }, action.taskId, action.answers)
  const picture = 'fileId' in action ? await sharePicture(setting, action) : undefined
  const id = await nextConflictId()
  const conflict: NewConflict = {
    id,
    user_id: driverId,
    task_id: action.taskId,
    op_id: name?.opId ?? null,
    op: { ...(picture?.kept ?? action), lat, lng, ...(accuracyMetres !== null && { accuracyMetres }) },
    code: refusal.code,
    message: refusal.message,
    occurred_at: happened.at,
    recorded_at: now,
  }
  const changes = remarksOn(task, { conflict: { id, type: action.type } })
  return { answer: { ...answer, conflict: { id } }, refusal, changes, added: { conflict, ...picture?.claim } }
}

const remarksOn = (task: TaskView | undefined, remark: Remark) =>
  task && hasRoomInTimeline(task) ? [remarkOn(task, remark)] : []

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
