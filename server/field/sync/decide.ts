import { orThrow, Refusal } from '../../../contract/errors.ts'
import { toleratedMs } from '../../../core/device-clock.ts'
import {
  type Brought,
  forbids,
  isDone,
  isNamedOnBoth,
  missingToComplete,
  missingToFail,
  moveOf,
  noteTypeOf,
  obstacleTo,
} from '../../../core/driver/rules.ts'
import { noteTypes } from '../../../core/note-type.ts'
import { compareScan } from '../../../core/scan.ts'
import { type SettingName, type Settings, settingsOf } from '../../../core/settings.ts'
import { stopWith } from '../../../core/stop.ts'
import { dayOf, isOfToday } from '../../../core/task-day.ts'
import { InTransit, Succeeded } from '../../../core/task-status.ts'
import type { Db } from '../../db/db.ts'
import type { ExpectedFile } from '../../files/queries.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { forbiddenBySetting } from '../../organisations/refusals.ts'
import { chosenOf, failedBy } from '../../reasons/failure.ts'
import type { TaskChange } from '../../tasks/change/change.ts'
import { moveTask } from '../../tasks/change/move.ts'
import { noteOf, scanOf } from '../../tasks/change/notes.ts'
import { payTask, requireDecimals, requirePayable, requireSameCurrency } from '../../tasks/change/payments.ts'
import { requireRoomForNote, requireRoomInTimeline } from '../../tasks/change/room.ts'
import { leftToBePaidOf } from '../../tasks/money.ts'
import type { KeptPayment, NewNote } from '../../tasks/queries.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { moveAddress } from './address.ts'
import type { NewConflict } from './conflict-queries.ts'
import { keepAnswers, requireFittingAnswers } from './form.ts'
import type { TaskAction } from './op.ts'
import { findCustomerOf, listGiven, wasMovedBy, wasStartedByItself } from './queries.ts'
import type { Scene } from './scene.ts'
import { requireNone, stopOf } from './stop.ts'
import { type TakeBack, takeBack } from './take-back.ts'

/** What an op changes: nothing if it was done before. A scan of the wrong parcel is kept and refused. */
export interface Decision {
  changes: TaskChange[]
  refusal?: Refusal
  /** What is to be written with the changes. */
  added?: Added
}

export interface Added {
  note?: NewNote
  /** A file that has this use from now on. */
  file?: ExpectedFile
  payment?: KeptPayment
  /** The op itself, for the office to decide. */
  conflict?: NewConflict
}

/** What a driver brings along, and what a driver does to the state of a task. */
export type Evidence = Extract<TaskAction, { type: 'note' | 'photo' | 'signature' | 'scan' | 'form' }>
export type Move = Exclude<TaskAction, Evidence | TakeBack>

const evidence: readonly TaskAction['type'][] = [
  'note',
  'photo',
  'signature',
  'scan',
  'form',
] satisfies Evidence['type'][]
export const isEvidence = (action: TaskAction): action is Evidence => evidence.includes(action.type)

/** What the op changes, or a refusal that is thrown. */
export async function decide(scene: Scene, action: TaskAction): Promise<Decision> {
  if (await wasDoneBefore(scene, action)) return { changes: action.type === 'start' ? await moveStartBack(scene) : [] }
  const { db, organisation, task, happened, look } = scene
  const settings = settingsOf(organisation)
  switch (action.type) {
    case 'accept':
      return { changes: accept(settings, task, happened.at) }
    case 'start':
      return { changes: [start(settings, task, happened.at)] }
    case 'arrive': {
      requireNone([obstacleTo('arrive', stopOf(task), settings)])
      const arrived = {
        ...(await startOf(scene)),
        arrived_at: happened.at,
        driver_arrived: true,
        arrival_taken_back: false,
      }
      return { changes: [orThrow(moveTask(task, 'arrive', arrived, {}))] }
    }
    case 'complete': {
      const stop = stopOf(task)
      requireNone([obstacleTo('complete', stop, settings)])
      requireNone(missingToComplete(stop, { settings, fields: await look.fieldsOf(task) }))
      const completed = { ...(await startOf(scene)), completed_at: happened.at }
      const done = orThrow(moveTask(task, moveOf('complete', stop, settings), completed))
      return { changes: [await moveAddress(scene, done), ...(await nextStart(settings, scene))] }
    }
    case 'fail':
      return { changes: [await fail(scene, action)] }
    case 'payment':
      requireAllowed(settings, 'payment')
      requireToPay(settings, action.amount, leftToBePaidOf(task) ?? 0)
      return pay(scene, action, happened.at)
    case 'takeBack':
      // A start that is taken back and made again fires each time.
      requireRoomInTimeline(task)
      return { changes: await takeBack(db, organisation.id, task, action) }
    default:
      await requireEvidence(scene, settings, action)
      requireRoomInTimeline(task)
      return keepEvidence(scene, action)
  }
}

/** This driver has already brought the task where the op would bring it. */
async function wasDoneBefore({ db, organisation, driverId, task }: Scene, { type }: TaskAction): Promise<boolean> {
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
async function requireEvidence(scene: Scene, settings: Settings, action: Evidence) {
  if (wereSettingsChanged(scene.organisation, scene.happened.at)) return
  requireAllowed(settings, action.type)
  if (action.type === 'form') await requireFittingAnswers(scene, action.answers)
}

function requireAllowed(settings: Settings, type: Brought) {
  const setting = forbids(type, settings)
  if (setting) throw forbiddenBySetting(setting)
}

export const wereSettingsChanged = ({ settings_changed_at }: Organisation, since: Date) =>
  settings_changed_at !== null && new Date(settings_changed_at) > since

/** Adds what a driver brought along to the task, in any state. */
export async function keepEvidence(scene: Omit<Scene, 'happened' | 'route'>, action: Evidence): Promise<Decision> {
  const { driverId, task } = scene
  if (action.type === 'form') return { changes: await keepAnswers(scene, action.answers) }
  requireRoomForNote(task, noteTypeOf[action.type], wordsOf(action))
  const noted: TaskChange = { before: task, set: {}, fires: ['TASK_UPDATED'], rereads: ['notes'] }
  if (action.type === 'note') return { changes: [noted], added: { note: noteOf(task, driverId, action.note) } }
  if (action.type === 'scan') {
    const code = action.code.trim()
    const scan = compareScan(
      {
        awb: task.awb,
        partnerAwbs: task.chain_awbs ?? [],
        uuid: task.uuid,
        earlierAwbs: task.earlier_awbs ?? [],
        customFields: task.custom_fields,
      },
      code,
    )
    const kept: Decision = { changes: [{ ...noted, remark: { scan } }], added: { note: scanOf(task, driverId, code) } }
    return scan.matches ? kept : { ...kept, refusal: new Refusal('WRONG_PARCEL', { field: 'code' }) }
  }
  const { file, kept, claim } = await sharePicture(scene, action)
  const note =
    kept.type === 'photo'
      ? noteOf(task, driverId, kept.note, file)
      : noteOf(task, driverId, kept.name, file, noteTypes.signature)
  return { changes: [noted], added: { note, ...claim } }
}

type Pictured = Extract<Evidence, { fileId: string }>

/** The picture of an op for its task, which has a file of its own if the picture serves several; and the op with that file. */
export async function sharePicture(
  { db, organisation, driverId, look }: Pick<Scene, 'db' | 'organisation' | 'driverId' | 'look'>,
  action: Pictured,
) {
  const { taskId } = action
  const { file, first, isClaimed } = await look.share(action.fileId, driverId, taskId)
  const own = { ...action, fileId: file.id }
  const kept: Pictured =
    own.type === 'photo' ? own : { ...own, name: await signerOn(db, organisation.id, taskId, first, own.name) }
  return { file, kept, claim: isClaimed ? {} : { file: { id: file.id, user_id: driverId, task_id: taskId } } }
}

/** Who signed for several tasks is named on those of the same customer. */
async function signerOn(db: Db, organisationId: number, taskId: number, first: number | null, name: string | null) {
  if (first === null || name === null) return name
  const [signed, own] = [
    await findCustomerOf(db, organisationId, first),
    await findCustomerOf(db, organisationId, taskId),
  ]
  return isNamedOnBoth(signed, own) ? name : null
}

const wordsOf = (action: Exclude<Evidence, { type: 'form' }>) =>
  action.type === 'scan' ? action.code : action.type === 'signature' ? action.name : action.note

function requireToPay(settings: Settings, amount: number, left: number) {
  requireDecimals(settings, amount, [left])
  requirePayable(settings, amount, left)
}

/** Adds what a driver was paid, however much is left. */
export async function pay(
  { db, organisation, driverId, task, look }: Pick<Scene, 'db' | 'organisation' | 'driverId' | 'task' | 'look'>,
  { amount, method }: Extract<TaskAction, { type: 'payment' }>,
  at: Date,
): Promise<Decision> {
  await requireSameCurrency(db, organisation, task)
  const given = { user_id: driverId, amount, method, note: null, occurred_at: at }
  const { line, change } = payTask(task, given, await look.openPayment(task.id))
  return { changes: [change], added: { payment: line } }
}

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

async function fail(scene: Scene, action: Extract<TaskAction, { type: 'fail' }>): Promise<TaskChange> {
  const { organisation, driverId, task, happened, look } = scene
  const stop = stopOf(task)
  requireNone([obstacleTo('fail', stop, settingsOf(organisation))])
  const called = action.reasonCode === null ? [] : await look.reasonsCalled(action.reasonCode)
  const chosen = chosenOf(called, action, happened.at)
  // What it requires, unless it was changed after the driver had left.
  const reason =
    chosen && chosen.updated_at <= happened.at
      ? { photoRequired: chosen.photo_required, noteRequired: chosen.note_required }
      : undefined
  const fields = await look.fieldsOf(task)
  requireNone(missingToFail(stop, { driverId, reason, words: action.reason }, { fields }))
  const failed = { ...(await startOf(scene)), completed_at: happened.at, ...failedBy(chosen, action) }
  return orThrow(moveTask(task, 'fail', failed))
}

/** A stop that Waybill had started by itself when its driver was there without a network: what the driver did counts. */
async function startOf({ db, organisation, task, happened }: Scene): Promise<{ started_at?: Date }> {
  const { id, started_at } = task
  const isLater = started_at !== null && started_at > happened.at && (await wasStartedByItself(db, organisation.id, id))
  return isLater ? { started_at: happened.at } : {}
}

async function moveStartBack(scene: Scene): Promise<TaskChange[]> {
  const set = await startOf(scene)
  return set.started_at ? [{ before: scene.task, set, fires: ['TASK_UPDATED'] }] : []
}

/**
 * Completing one task starts the next stop of that day's route, all its parcels, if nothing stands in their way. What the
 * driver got only later was not the next one then.
 */
async function nextStart(
  settings: Settings,
  { db, organisation, driverId, route, task: done, happened }: Scene,
): Promise<TaskChange[]> {
  const { timezone } = organisation
  const others = route.filter(({ id }) => id !== done.id)
  if (others.length === 0 || others.some(({ status_id }) => status_id === InTransit)) return []
  const ids = others.map(({ id }) => id)
  const given = new Map((await listGiven(db, organisation.id, driverId, ids)).map((row) => [row.task_id, row.given_at]))
  const givenAt = ({ id }: TaskView) => given.get(id)?.getTime() ?? 0
  const isThatDays = (task: TaskView) =>
    givenAt(task) <= happened.at.getTime() + toleratedMs &&
    isOfToday({ statusId: task.status_id, completeAfter: task.complete_after }, dayOf(happened.at, timezone), timezone)
  const afterIt = (task: TaskView) => ({
    ...stopOf(task),
    dependencies: task.dependencies.map(({ task_id, awb, status_id }) => ({
      awb,
      statusId: task_id === done.id ? Succeeded : status_id,
    })),
  })
  const thatDays = others
    .filter(isThatDays)
    .sort((one, other) => (one.route_position ?? 0) - (other.route_position ?? 0))
  const mayStart = (task: TaskView) => !obstacleTo('start', afterIt(task), settings)
  const next = thatDays.find(mayStart)
  if (!next) return []
  return stopWith(thatDays, next, ({ address }) => address)
    .filter(mayStart)
    .map((task) => {
      const at = new Date(Math.max(happened.at.getTime(), givenAt(task)))
      return { ...orThrow(moveTask(task, 'start', started(at))), happened: { ...happened, at } }
    })
}
