import { orThrow, Refusal } from '../../../contract/errors.ts'
import { compareScan } from '../../../core/scan.ts'
import { type SettingName, type Settings, settingsOf } from '../../../core/settings.ts'
import { Assigned, Failed, InTransit, isEnded, Succeeded } from '../../../core/task-status.ts'
import type { Db } from '../../db/db.ts'
import type { Happened } from '../../events/record.ts'
import { claimDriversFile } from '../../files/claims.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { forbiddenBySetting } from '../../organisations/refusals.ts'
import { failedBy, getReason } from '../../reasons/failure.ts'
import type { ReasonRow } from '../../reasons/queries.ts'
import type { TaskChange } from '../../tasks/change/change.ts'
import { moveTask } from '../../tasks/change/move.ts'
import { noteOf, photo, scanOf, signature, text } from '../../tasks/change/notes.ts'
import { payTask, requirePayable } from '../../tasks/change/payments.ts'
import { insertNotes, type NewNote } from '../../tasks/queries.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { moveAddress } from './address.ts'
import { keepAnswers, requireAnswers, requireFittingAnswers } from './form.ts'
import type { TaskDeed } from './op.ts'
import { wasBroughtBy } from './queries.ts'

/** A driver, a locked task, and when and where the driver did something to it. */
export interface Scene {
  db: Db
  organisation: Organisation
  driverId: number
  task: TaskView
  happened: Happened
  /** The driver's open tasks, locked, if one of them may start by itself. */
  route: TaskView[]
}

/** What an op changes: nothing if it was done before. A scan of the wrong parcel is kept and refused. */
export interface Decision {
  changes: TaskChange[]
  refusal?: Refusal
}

/** What a driver brings along, and what a driver does to the state of a task. */
export type Evidence = Extract<TaskDeed, { type: 'note' | 'photo' | 'signature' | 'scan' | 'form' }>
export type Move = Exclude<TaskDeed, Evidence>

export const isEvidence = (deed: TaskDeed): deed is Evidence => deed.type in allowing

/** What the op changes, or a refusal that is thrown. */
export async function decide(scene: Scene, deed: TaskDeed): Promise<Decision> {
  if (await isDone(scene, deed)) return { changes: [] }
  const { organisation, task, happened } = scene
  const settings = settingsOf(organisation)
  switch (deed.type) {
    case 'accept':
      return { changes: accept(settings, task, happened.at) }
    case 'start':
      return { changes: [start(settings, task, happened.at)] }
    case 'arrive':
      return { changes: [orThrow(moveTask(task, 'arrive', { arrived_at: happened.at, driver_arrived: true }, {}))] }
    case 'complete': {
      const done = complete(settings, task, happened.at)
      const started = nextStart(settings, scene)
      await requireAnswers(scene, 'complete')
      return { changes: [await moveAddress(scene, done), ...started] }
    }
    case 'fail': {
      requireSetting(settings, 'allowDriverToCancelTask')
      const changes = [await fail(scene, deed)]
      await requireAnswers(scene, 'fail')
      return { changes }
    }
    case 'payment':
      requireSetting(settings, 'allowDriverToTakePaymentsOnSite')
      requirePayable(settings, deed.amount, task.left_to_be_paid ?? 0)
      return { changes: [await pay(scene, deed, happened.at)] }
    default:
      await requireEvidence(scene, settings, deed)
      return keepEvidence(scene, deed)
  }
}

/** A driver has already brought the task where the op would bring it. */
async function isDone({ db, organisation, driverId, task }: Scene, { type }: TaskDeed): Promise<boolean> {
  switch (type) {
    case 'accept':
      return task.accepted_at !== null && isEnded({ statusId: task.status_id })
    case 'start':
      return task.started_at !== null
    case 'arrive':
      return task.arrived_at !== null
    case 'complete':
    case 'fail':
      return (
        task.status_id === (type === 'complete' ? Succeeded : Failed) &&
        (await wasBroughtBy(db, organisation.id, driverId, task.id))
      )
    default:
      return false
  }
}

const allowing = {
  note: 'allowDriverToTakeNotesOnSite',
  photo: 'allowDriverToTakePicturesOnSite',
  signature: 'allowDriverToTakeSignaturesOnSite',
  scan: 'allowDriverToScanOnSite',
  form: null,
} as const satisfies Record<Evidence['type'], SettingName | null>

/** What was allowed and required at the time is kept, even if the rules have changed since. */
async function requireEvidence(scene: Scene, settings: Settings, deed: Evidence) {
  if (wereSettingsChanged(scene.organisation, scene.happened.at)) return
  const setting = allowing[deed.type]
  // Without one the task could not be completed.
  const isMandatory = deed.type === 'signature' && settings.makeSignaturesMandatory
  if (setting && !isMandatory) requireSetting(settings, setting)
  if (deed.type === 'form') await requireFittingAnswers(scene, deed.answers)
}

export const wereSettingsChanged = ({ settings_changed_at }: Organisation, since: Date) =>
  settings_changed_at !== null && new Date(settings_changed_at) > since

/** Adds what a driver brought along to the task, in any state. */
export async function keepEvidence(scene: Omit<Scene, 'happened' | 'route'>, deed: Evidence): Promise<Decision> {
  const { db, organisation, driverId, task } = scene
  if (deed.type === 'form') return { changes: await keepAnswers(scene, deed.answers) }
  const write = async (note: NewNote): Promise<TaskChange> => {
    await insertNotes(db, organisation.id, [note])
    return { before: task, set: {}, fires: ['TASK_UPDATED'], rereads: ['notes'] }
  }
  if (deed.type === 'note') return { changes: [await write(noteOf(task, driverId, deed.note))] }
  if (deed.type === 'scan') {
    const code = deed.code.trim()
    const scan = compareScan({ awb: task.awb, customFields: task.custom_fields }, code)
    const changes = [{ ...(await write(scanOf(task, driverId, code))), remark: { scan } }]
    return scan.matches ? { changes } : { changes, refusal: new Refusal('WRONG_PARCEL', { field: 'code' }) }
  }
  const file = await claimDriversFile(db, organisation.id, deed.fileId, driverId, task.id)
  const note =
    deed.type === 'photo' ? noteOf(task, driverId, deed.note, file) : noteOf(task, driverId, deed.name, file, signature)
  return { changes: [await write(note)] }
}

/** Adds what a driver was paid, however much is left. */
export const pay = async (
  { db, organisation, driverId, task }: Omit<Scene, 'happened' | 'route'>,
  { amount, method }: Extract<TaskDeed, { type: 'payment' }>,
  at: Date,
): Promise<TaskChange> =>
  (await payTask(db, organisation.id, task, { user_id: driverId, amount, method, note: null, occurred_at: at })).change

export function requireSetting(settings: Settings, name: SettingName) {
  if (!settings[name]) throw forbiddenBySetting(name)
}

function accept(settings: Settings, task: TaskView, at: Date): TaskChange[] {
  const accepted = { accepted_at: task.accepted_at ?? at }
  const change = orThrow(moveTask(task, 'accept', accepted, {}))
  if (settings.driverAutoStartsTaskOnAccept && task.status_id === Assigned)
    return [start(settings, { ...task, ...accepted }, at, accepted)]
  return task.accepted_at ? [] : [change]
}

const isAccepted = (settings: Settings, task: TaskView) => settings.driverAutoAcceptOrders || task.accepted_at !== null

export function start(settings: Settings, task: TaskView, at: Date, also: Partial<TaskView> = {}): TaskChange {
  const change = orThrow(moveTask(task, 'start', { started_at: at, ...also }))
  if (!isAccepted(settings, task)) throw new Refusal('TASK_NOT_ACCEPTED')
  requireDependencies(task)
  return change
}

function complete(settings: Settings, task: TaskView, at: Date): TaskChange {
  const change = orThrow(
    moveTask(task, settings.automaticDriverFlow ? 'completeUnstarted' : 'complete', { completed_at: at }),
  )
  if (task.status_id === Assigned) requireDependencies(task)
  // Its picture may still be on its way.
  if (settings.makeSignaturesMandatory && !task.notes.some(({ type }) => type === signature))
    throw new Refusal('SIGNATURE_REQUIRED')
  if (settings.allowDriverToTakePaymentsOnSite && !settings.allowPartialPayments && (task.left_to_be_paid ?? 0) > 0)
    throw new Refusal('PAYMENT_REQUIRED', {
      message: `${task.left_to_be_paid} must be paid before the task is completed`,
    })
  return change
}

async function fail(scene: Scene, deed: Extract<TaskDeed, { type: 'fail' }>): Promise<TaskChange> {
  const { db, organisation, task, happened } = scene
  const change = orThrow(moveTask(task, 'fail', { completed_at: happened.at }))
  const chosen = await getReason(db, organisation.id, deed, happened.at)
  if (chosen) requireProof(scene, chosen, deed.reason)
  return { ...change, set: { ...change.set, ...failedBy(chosen, deed) } }
}

/** What a reason requires of a driver, unless it was changed after they had left. */
function requireProof({ driverId, task, happened }: Scene, reason: ReasonRow, words: string | null) {
  if (reason.updated_at > happened.at) return
  const has = (kind: number) => task.notes.some(({ type, user_id }) => type === kind && user_id === driverId)
  if (reason.photo_required && !has(photo)) throw new Refusal('PHOTO_REQUIRED')
  if (reason.note_required && !words?.trim() && !has(text)) throw new Refusal('NOTE_REQUIRED')
}

function requireDependencies({ dependencies }: TaskView) {
  const open = dependencies.find(({ status_id }) => status_id !== Succeeded)
  if (open) throw new Refusal('DEPENDENCY_OPEN', { message: `${open.awb} must succeed first` })
}

/** Completing one task starts the next of the route, if nothing stands in its way. */
function nextStart(settings: Settings, { route, task: done, happened }: Scene): TaskChange[] {
  const others = route.filter(({ id }) => id !== done.id)
  if (others.some(({ status_id }) => status_id === InTransit)) return []
  const isReady = (task: TaskView) =>
    isAccepted(settings, task) &&
    task.dependencies.every(({ task_id, status_id }) => task_id === done.id || status_id === Succeeded)
  const [next] = others.filter(isReady).sort((one, other) => (one.route_position ?? 0) - (other.route_position ?? 0))
  return next ? [orThrow(moveTask(next, 'start', { started_at: happened.at }))] : []
}
