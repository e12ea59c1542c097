import { orThrow, Refusal } from '../../../contract/errors.ts'
import {
  type Brought,
  forbids,
  isDone,
  missingToComplete,
  missingToFail,
  moveOf,
  obstacleTo,
} from '../../../core/driver/rules.ts'
import { compareScan } from '../../../core/scan.ts'
import { type SettingName, type Settings, settingsOf } from '../../../core/settings.ts'
import { dayOf, isOfToday } from '../../../core/task-day.ts'
import { InTransit, Succeeded } from '../../../core/task-status.ts'
import type { Db } from '../../db/db.ts'
import type { Happened } from '../../events/record.ts'
import { claimDriversFile } from '../../files/claims.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { forbiddenBySetting } from '../../organisations/refusals.ts'
import { failedBy, getReason } from '../../reasons/failure.ts'
import type { TaskChange } from '../../tasks/change/change.ts'
import { moveTask } from '../../tasks/change/move.ts'
import { noteOf, photo, scanOf, scan as scanType, signature, text } from '../../tasks/change/notes.ts'
import { payTask, requirePayable } from '../../tasks/change/payments.ts'
import { requireRoomForNote, requireRoomInTimeline } from '../../tasks/change/room.ts'
import { insertNotes, type NewNote } from '../../tasks/queries.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { moveAddress } from './address.ts'
import { fieldsOf, keepAnswers, requireFittingAnswers } from './form.ts'
import type { TaskDeed } from './op.ts'
import { wasMovedBy } from './queries.ts'
import { requireNone, stopOf } from './stop.ts'
import { type TakeBack, takeBack } from './take-back.ts'

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
export type Move = Exclude<TaskDeed, Evidence | TakeBack>

const evidence: readonly TaskDeed['type'][] = [
  'note',
  'photo',
  'signature',
  'scan',
  'form',
] satisfies Evidence['type'][]
export const isEvidence = (deed: TaskDeed): deed is Evidence => evidence.includes(deed.type)

/** What the op changes, or a refusal that is thrown. */
export async function decide(scene: Scene, deed: TaskDeed): Promise<Decision> {
  if (await wasDoneBefore(scene, deed)) return { changes: [] }
  const { db, organisation, task, happened } = scene
  const settings = settingsOf(organisation)
  switch (deed.type) {
    case 'accept':
      return { changes: accept(settings, task, happened.at) }
    case 'start':
      return { changes: [start(settings, task, happened.at)] }
    case 'arrive': {
      requireNone([obstacleTo('arrive', stopOf(task), settings)])
      const arrived = { arrived_at: happened.at, driver_arrived: true, arrival_taken_back: false }
      return { changes: [orThrow(moveTask(task, 'arrive', arrived, {}))] }
    }
    case 'complete': {
      const stop = stopOf(task)
      requireNone([obstacleTo('complete', stop, settings)])
      requireNone(missingToComplete(stop, { settings, fields: await fieldsOf(db, organisation.id, task) }))
      const done = orThrow(moveTask(task, moveOf('complete', stop, settings), { completed_at: happened.at }))
      return { changes: [await moveAddress(scene, done), ...nextStart(settings, scene)] }
    }
    case 'fail':
      return { changes: [await fail(scene, deed)] }
    case 'payment':
      requireAllowed(settings, 'payment')
      requirePayable(settings, deed.amount, task.left_to_be_paid ?? 0)
      return { changes: [await pay(scene, deed, happened.at)] }
    case 'takeBack':
      // A start that is taken back and made again fires each time.
      requireRoomInTimeline(task)
      return { changes: await takeBack(db, organisation.id, task, deed) }
    default:
      await requireEvidence(scene, settings, deed)
      requireRoomInTimeline(task)
      return keepEvidence(scene, deed)
  }
}

/** This driver has already brought the task where the op would bring it. */
async function wasDoneBefore({ db, organisation, driverId, task }: Scene, { type }: TaskDeed): Promise<boolean> {
  switch (type) {
    case 'accept':
    case 'start':
    case 'arrive':
      return isDone(type, stopOf(task))
    case 'complete':
    case 'fail':
      return isDone(type, stopOf(task)) && (await wasMovedBy(db, organisation.id, driverId, task.id))
    default:
      return false
  }
}

/** What was allowed and required at the time is kept, even if the rules have changed since. */
async function requireEvidence(scene: Scene, settings: Settings, deed: Evidence) {
  if (wereSettingsChanged(scene.organisation, scene.happened.at)) return
  requireAllowed(settings, deed.type)
  if (deed.type === 'form') await requireFittingAnswers(scene, deed.answers)
}

function requireAllowed(settings: Settings, type: Brought) {
  const setting = forbids(type, settings)
  if (setting) throw forbiddenBySetting(setting)
}

export const wereSettingsChanged = ({ settings_changed_at }: Organisation, since: Date) =>
  settings_changed_at !== null && new Date(settings_changed_at) > since

/** Adds what a driver brought along to the task, in any state. */
export async function keepEvidence(scene: Omit<Scene, 'happened' | 'route'>, deed: Evidence): Promise<Decision> {
  const { db, organisation, driverId, task } = scene
  if (deed.type === 'form') return { changes: await keepAnswers(scene, deed.answers) }
  requireRoomForNote(task, typeOf[deed.type], wordsOf(deed))
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

const typeOf = { note: text, photo, signature, scan: scanType } as const

const wordsOf = (deed: Exclude<Evidence, { type: 'form' }>) =>
  deed.type === 'scan' ? deed.code : deed.type === 'signature' ? deed.name : deed.note

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
  const stop = stopOf(task)
  requireNone([obstacleTo('accept', stop, settings)])
  const accepted = { accepted_at: task.accepted_at ?? at }
  if (moveOf('accept', stop, settings) === 'start')
    return [orThrow(moveTask(task, 'start', { ...accepted, ...started(at) }))]
  return task.accepted_at ? [] : [orThrow(moveTask(task, 'accept', accepted, {}))]
}

const started = (at: Date) => ({ started_at: at, arrival_taken_back: false })

export function start(settings: Settings, task: TaskView, at: Date): TaskChange {
  requireNone([obstacleTo('start', stopOf(task), settings)])
  return orThrow(moveTask(task, 'start', started(at)))
}

async function fail(scene: Scene, deed: Extract<TaskDeed, { type: 'fail' }>): Promise<TaskChange> {
  const { db, organisation, driverId, task, happened } = scene
  const stop = stopOf(task)
  requireNone([obstacleTo('fail', stop, settingsOf(organisation))])
  const chosen = await getReason(db, organisation.id, deed, happened.at)
  // What it requires, unless it was changed after the driver had left.
  const reason =
    chosen && chosen.updated_at <= happened.at
      ? { photoRequired: chosen.photo_required, noteRequired: chosen.note_required }
      : undefined
  const fields = await fieldsOf(db, organisation.id, task)
  requireNone(missingToFail(stop, { driverId, reason, words: deed.reason }, { fields }))
  return orThrow(moveTask(task, 'fail', { completed_at: happened.at, ...failedBy(chosen, deed) }))
}

/** Completing one task starts the next of that day's route, if nothing stands in its way. */
function nextStart(settings: Settings, { organisation, route, task: done, happened }: Scene): TaskChange[] {
  const { timezone } = organisation
  const isThatDays = ({ status_id, complete_after }: TaskView) =>
    isOfToday({ statusId: status_id, completeAfter: complete_after }, dayOf(happened.at, timezone), timezone)
  const others = route.filter(({ id }) => id !== done.id)
  if (others.some(({ status_id }) => status_id === InTransit)) return []
  const afterIt = (task: TaskView) => ({
    ...stopOf(task),
    dependencies: task.dependencies.map(({ task_id, awb, status_id }) => ({
      ...{ awb, statusId: task_id === done.id ? Succeeded : status_id },
    })),
  })
  const [next] = others
    .filter((task) => isThatDays(task) && !obstacleTo('start', afterIt(task), settings))
    .sort((one, other) => (one.route_position ?? 0) - (other.route_position ?? 0))
  return next ? [orThrow(moveTask(next, 'start', started(happened.at)))] : []
}
