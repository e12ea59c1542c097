import { type Answered, type FormField, type Moment, missingAnswers } from '../form.ts'
import { noteTypes } from '../note-type.ts'
import type { SettingName, Settings } from '../settings.ts'
import {
  Assigned,
  decideMove,
  Failed,
  isEnded,
  type MoveName,
  type MoveRefusal,
  type StatusId,
  Succeeded,
} from '../task-status.ts'

/*
 * What a driver may do to a task, and what has to be there before it ends. The server decides by it, and the phone shows
 * by it, hours earlier. One table of cases (cases.ts) is run against both.
 */

/** What a driver brings along that becomes a note, and the type of that note. */
export const noteTypeOf = {
  note: noteTypes.text,
  photo: noteTypes.photo,
  signature: noteTypes.signature,
  scan: noteTypes.scan,
} as const
export type NoteOp = keyof typeof noteTypeOf

/** What the rules ask about a task. The server has it as a row, the phone as it came over the wire. */
export interface Stop {
  statusId: StatusId
  isAccepted: boolean
  isStarted: boolean
  hasArrived: boolean
  leftToBePaid: number
  dependencies: readonly { awb: string; statusId: StatusId }[]
  notes: readonly { type: number; userId: number }[]
  answers: readonly Answered[]
}

/** The settings that let drivers do these. */
const settingFor = {
  note: 'allowDriverToTakeNotesOnSite',
  photo: 'allowDriverToTakePicturesOnSite',
  signature: 'allowDriverToTakeSignaturesOnSite',
  scan: 'allowDriverToScanOnSite',
  payment: 'allowDriverToTakePaymentsOnSite',
  form: null,
} as const satisfies Record<string, SettingName | null>
export type Brought = keyof typeof settingFor

/** The setting that forbids it. A signature without which nothing can be completed is always allowed. */
export function forbids(type: Brought, settings: Settings): SettingName | undefined {
  const setting = settingFor[type]
  if (!setting || settings[setting] || (type === 'signature' && settings.makeSignaturesMandatory)) return undefined
  return setting
}

/** Whose task it is. */
export interface Customered {
  customerId: number | null
  customer: { name: string; phone: string } | null
}

/**
 * Who signed once for two tasks of a stop is named on both only if both are the same customer's: nobody reads another's name.
 * A customer whom a partner tells of has a record for each task, and is known by the same number and name.
 */
export const isNamedOnBoth = (one: Customered, other: Customered): boolean =>
  one.customerId !== null && (one.customerId === other.customerId || isSamePerson(one.customer, other.customer))

const isSamePerson = (one: Customered['customer'], other: Customered['customer']) =>
  one?.phone.startsWith('+') === true && one.phone === other?.phone && one.name === other.name

export type DriverMove = 'accept' | 'start' | 'arrive' | 'complete' | 'fail'

/** Why something cannot be done yet, or at all; the codes are those of the errors. */
export type Obstacle =
  | { code: MoveRefusal | 'TASK_NOT_ACCEPTED' | 'SIGNATURE_REQUIRED' | 'PHOTO_REQUIRED' | 'NOTE_REQUIRED' }
  | { code: 'FORBIDDEN_BY_SETTING'; setting: SettingName }
  | { code: 'DEPENDENCY_OPEN'; awb: string }
  | { code: 'PAYMENT_REQUIRED'; left: number }
  | { code: 'FORM_REQUIRED'; fields: FormField[] }

/** The move of the table that this comes to. */
export function moveOf(move: DriverMove, { statusId }: Pick<Stop, 'statusId'>, settings: Settings): MoveName {
  if (move === 'accept' && settings.driverAutoStartsTaskOnAccept && statusId === Assigned) return 'start'
  if (move === 'complete' && settings.automaticDriverFlow) return 'completeUnstarted'
  return move
}

/** The task is already where the move would bring it. */
export function isDone(move: DriverMove, { statusId, isAccepted, isStarted, hasArrived }: Stop): boolean {
  switch (move) {
    case 'accept':
      return isAccepted && isEnded({ statusId })
    case 'start':
      return isStarted
    case 'arrive':
      return hasArrived
    case 'complete':
      return statusId === Succeeded
    case 'fail':
      return statusId === Failed
  }
}

/** Why the driver cannot do this now, whatever they bring along. */
export function obstacleTo(move: DriverMove, stop: Stop, settings: Settings): Obstacle | undefined {
  if (move === 'fail' && !settings.allowDriverToCancelTask)
    return { code: 'FORBIDDEN_BY_SETTING', setting: 'allowDriverToCancelTask' }
  const name = moveOf(move, stop, settings)
  const decided = decideMove(name, stop.statusId)
  if (typeof decided === 'string') return { code: decided }
  if (move === 'start' && !stop.isAccepted && !settings.driverAutoAcceptOrders) return { code: 'TASK_NOT_ACCEPTED' }
  const begins = name === 'start' || (move === 'complete' && stop.statusId === Assigned)
  const open = begins ? stop.dependencies.find(({ statusId }) => statusId !== Succeeded) : undefined
  return open && { code: 'DEPENDENCY_OPEN', awb: open.awb }
}

/** The next move of an open task, in the order in which they are made, and what stands in its way. */
export function nextMove(stop: Stop, settings: Settings): { move: DriverMove; obstacle: Obstacle | undefined } {
  const first = (): DriverMove => {
    if (stop.statusId !== Assigned) return stop.hasArrived ? 'complete' : 'arrive'
    return stop.isAccepted || settings.driverAutoAcceptOrders ? 'start' : 'accept'
  }
  const move = first()
  return { move, obstacle: obstacleTo(move, stop, settings) }
}

/** The next move at a stop of several tasks, and which of them it is for: the earliest that can be made. */
export function nextMoveAtStop<Task extends Stop>(
  tasks: readonly Task[],
  settings: Settings,
): { move: DriverMove; tasks: Task[] } | undefined {
  const next = tasks.map((task) => ({ task, ...nextMove(task, settings) })).filter(({ obstacle }) => !obstacle)
  const move = (['accept', 'start', 'arrive', 'complete'] as const).find((move) =>
    next.some((one) => one.move === move),
  )
  return move && { move, tasks: next.filter((one) => one.move === move).map(({ task }) => task) }
}

interface Needs {
  settings: Settings
  /** Of the form of the task. */
  fields: readonly FormField[]
}

/** What a task still needs before it can be completed, in the order it is done at the door. */
export function missingToComplete(stop: Stop, { settings, fields }: Needs): Obstacle[] {
  const found: Obstacle[] = []
  if (settings.makeSignaturesMandatory && !hasNote(stop, 'signature')) found.push({ code: 'SIGNATURE_REQUIRED' })
  const mustBePaid = settings.allowDriverToTakePaymentsOnSite && !settings.allowPartialPayments
  if (mustBePaid && stop.leftToBePaid > 0) found.push({ code: 'PAYMENT_REQUIRED', left: stop.leftToBePaid })
  return [...found, ...missingInForm(stop, fields, 'complete')]
}

export interface Failing {
  driverId: number
  /** What the chosen reason wants, if one was chosen. */
  reason: { photoRequired: boolean; noteRequired: boolean } | undefined
  /** What the driver says about it. */
  words: string | null
}

/** What a task still needs before it can be failed. What a reason wants has to be this driver's own. */
export function missingToFail(stop: Stop, { driverId, reason, words }: Failing, { fields }: Pick<Needs, 'fields'>) {
  const found: Obstacle[] = []
  if (reason?.photoRequired && !hasNote(stop, 'photo', driverId)) found.push({ code: 'PHOTO_REQUIRED' })
  if (reason?.noteRequired && !words?.trim() && !hasNote(stop, 'note', driverId)) found.push({ code: 'NOTE_REQUIRED' })
  return [...found, ...missingInForm(stop, fields, 'fail')]
}

export const hasNote = ({ notes }: Pick<Stop, 'notes'>, kind: NoteOp, by?: number): boolean =>
  notes.some(({ type, userId }) => type === noteTypeOf[kind] && (by === undefined || userId === by))

function missingInForm({ answers }: Stop, fields: readonly FormField[], moment: Moment): Obstacle[] {
  const missing = missingAnswers(fields, answers, moment)
  return missing.length > 0 ? [{ code: 'FORM_REQUIRED', fields: missing }] : []
}
