import type { FormField } from '../form.ts'
import type { Settings } from '../settings.ts'
import { Assigned, Failed, InTransit, type StatusId, Succeeded } from '../task-status.ts'

/*
 * What must come of what drivers do: one table, which the tests run against the server and against the phone. Each
 * begins with a task that was just assigned to the driver.
 */

export interface CaseOp {
  type:
    | 'accept'
    | 'start'
    | 'arrive'
    | 'complete'
    | 'fail'
    | 'note'
    | 'photo'
    | 'signature'
    | 'payment'
    | 'form'
    | 'takeBack'
  amount?: number
  answer?: string
  /** Of fail: with the reason of the case. */
  withReason?: true
  reason?: string
  /** Of takeBack: the last one of this type. */
  of?: 'start' | 'arrive'
}

export interface Case {
  name: string
  settings?: Partial<Settings>
  price?: number
  field?: Pick<FormField, 'required' | 'at'>
  reason?: { photoRequired?: true; noteRequired?: true }
  /** It waits for another task, which is open. */
  waits?: true
  /** Done before, and accepted. */
  before?: CaseOp[]
  op: CaseOp
  /** Why it is refused, if it is. */
  refused?: string
  /** The state of the task afterwards. */
  statusId: StatusId
}

const accept = { type: 'accept' } as const
const start = { type: 'start' } as const
const arrive = { type: 'arrive' } as const
const complete = { type: 'complete' } as const
const fail = { type: 'fail' } as const
const signature = { type: 'signature' } as const
const pay = (amount: number) => ({ type: 'payment', amount }) as const
const takeBack = (of: 'start' | 'arrive') => ({ type: 'takeBack', of }) as const

const asked = { required: true, at: 'complete' } as const
const askedAtFailure = { required: true, at: 'fail' } as const
const parts = { allowPartialPayments: true }

export const cases: Case[] = [
  { name: 'a start', op: start, statusId: InTransit },
  { name: 'a second start changes nothing', before: [start], op: start, statusId: InTransit },
  { name: 'an arrival before the start', op: arrive, refused: 'TASK_NOT_STARTED', statusId: Assigned },
  { name: 'an arrival', before: [start], op: arrive, statusId: InTransit },
  { name: 'completing what was never started', op: complete, refused: 'TASK_NOT_STARTED', statusId: Assigned },
  { name: 'the same in an automatic flow', settings: { automaticDriverFlow: true }, op: complete, statusId: Succeeded },
  { name: 'completing without an arrival', before: [start], op: complete, statusId: Succeeded },
  { name: 'failing what was never started', op: fail, statusId: Failed },
  {
    name: 'failing where drivers may not',
    settings: { allowDriverToCancelTask: false },
    op: fail,
    refused: 'FORBIDDEN_BY_SETTING',
    statusId: Assigned,
  },
  { name: 'a start after the end', before: [fail], op: start, refused: 'TASK_ALREADY_PROCESSED', statusId: Failed },
  {
    name: 'completing what failed',
    before: [start, fail],
    op: complete,
    refused: 'TASK_ALREADY_PROCESSED',
    statusId: Failed,
  },

  { name: 'accepting', op: accept, statusId: Assigned },
  {
    name: 'a start without accepting, where that is wanted',
    settings: { driverAutoAcceptOrders: false },
    op: start,
    refused: 'TASK_NOT_ACCEPTED',
    statusId: Assigned,
  },
  {
    name: 'a start after accepting',
    settings: { driverAutoAcceptOrders: false },
    before: [accept],
    op: start,
    statusId: InTransit,
  },
  {
    name: 'accepting that starts',
    settings: { driverAutoStartsTaskOnAccept: true },
    op: accept,
    statusId: InTransit,
  },
  {
    name: 'accepting that would start too early',
    settings: { driverAutoStartsTaskOnAccept: true },
    waits: true,
    op: accept,
    refused: 'DEPENDENCY_OPEN',
    statusId: Assigned,
  },

  { name: 'a start before what it waits for', waits: true, op: start, refused: 'DEPENDENCY_OPEN', statusId: Assigned },
  {
    name: 'completing before what it waits for',
    waits: true,
    settings: { automaticDriverFlow: true },
    op: complete,
    refused: 'DEPENDENCY_OPEN',
    statusId: Assigned,
  },
  { name: 'failing before what it waits for', waits: true, op: fail, statusId: Failed },

  {
    name: 'completing without a signature',
    settings: { makeSignaturesMandatory: true },
    before: [start],
    op: complete,
    refused: 'SIGNATURE_REQUIRED',
    statusId: InTransit,
  },
  {
    name: 'completing with one',
    settings: { makeSignaturesMandatory: true },
    before: [start, signature],
    op: complete,
    statusId: Succeeded,
  },
  {
    name: 'a signature that is wanted, where drivers may take none',
    settings: { makeSignaturesMandatory: true, allowDriverToTakeSignaturesOnSite: false },
    before: [start],
    op: signature,
    statusId: InTransit,
  },
  {
    name: 'one that is not wanted there',
    settings: { allowDriverToTakeSignaturesOnSite: false },
    before: [start],
    op: signature,
    refused: 'FORBIDDEN_BY_SETTING',
    statusId: InTransit,
  },

  { name: 'not paid', price: 78, before: [start], op: complete, refused: 'PAYMENT_REQUIRED', statusId: InTransit },
  { name: 'paid', price: 78, before: [start, pay(78)], op: complete, statusId: Succeeded },
  { name: 'paid in part', price: 78, before: [start], op: pay(30), refused: 'PAYMENT_PARTIAL', statusId: InTransit },
  { name: 'paid too much', price: 78, before: [start], op: pay(500), refused: 'PAYMENT_TOO_MUCH', statusId: InTransit },
  {
    name: 'paid too much where parts may be paid',
    price: 78,
    settings: parts,
    before: [start],
    op: pay(500),
    refused: 'PAYMENT_TOO_MUCH',
    statusId: InTransit,
  },
  { name: 'a part', price: 78, settings: parts, before: [start, pay(30)], op: pay(48), statusId: InTransit },
  { name: 'nothing paid', price: 78, settings: parts, before: [start], op: complete, statusId: Succeeded },
  {
    name: 'decimals where money has them',
    price: 89.5,
    settings: { ...parts, moneyDecimals: 2 },
    before: [start, pay(40.25), pay(49.24)],
    op: pay(0.01),
    statusId: InTransit,
  },
  {
    name: 'a hundredth too much',
    price: 89.5,
    settings: { ...parts, moneyDecimals: 2 },
    before: [start, pay(40.25)],
    op: pay(49.26),
    refused: 'PAYMENT_TOO_MUCH',
    statusId: InTransit,
  },
  {
    name: 'paid to the last hundredth',
    price: 0.3,
    settings: { moneyDecimals: 2 },
    before: [start, pay(0.3)],
    op: complete,
    statusId: Succeeded,
  },
  {
    name: 'decimals where money has none',
    price: 78,
    settings: parts,
    before: [start],
    op: pay(12.5),
    refused: 'VALIDATION_FAILED',
    statusId: InTransit,
  },
  {
    name: 'not paid where drivers take no money',
    settings: { allowDriverToTakePaymentsOnSite: false },
    price: 78,
    before: [start],
    op: complete,
    statusId: Succeeded,
  },
  {
    name: 'a payment there',
    settings: { allowDriverToTakePaymentsOnSite: false },
    price: 78,
    before: [start],
    op: pay(78),
    refused: 'FORBIDDEN_BY_SETTING',
    statusId: InTransit,
  },

  { name: 'no answer', field: asked, before: [start], op: complete, refused: 'FORM_REQUIRED', statusId: InTransit },
  {
    name: 'an answer',
    field: asked,
    before: [start, { type: 'form', answer: 'yes' }],
    op: complete,
    statusId: Succeeded,
  },
  { name: 'no answer, which only completing needs', field: asked, before: [start], op: fail, statusId: Failed },
  {
    name: 'no answer, which failing needs',
    field: askedAtFailure,
    before: [start],
    op: fail,
    refused: 'FORM_REQUIRED',
    statusId: InTransit,
  },
  {
    name: 'everything missing',
    price: 78,
    field: asked,
    settings: { makeSignaturesMandatory: true },
    before: [start],
    op: complete,
    refused: 'SIGNATURE_REQUIRED',
    statusId: InTransit,
  },

  {
    name: 'a reason that wants a photo',
    reason: { photoRequired: true },
    op: { ...fail, withReason: true },
    refused: 'PHOTO_REQUIRED',
    statusId: Assigned,
  },
  {
    name: 'that reason with one',
    reason: { photoRequired: true },
    before: [{ type: 'photo' }],
    op: { ...fail, withReason: true },
    statusId: Failed,
  },
  {
    name: 'a reason that wants words',
    reason: { noteRequired: true },
    op: { ...fail, withReason: true, reason: ' ' },
    refused: 'NOTE_REQUIRED',
    statusId: Assigned,
  },
  {
    name: 'that reason with words',
    reason: { noteRequired: true },
    op: { ...fail, withReason: true, reason: 'Nobody at home' },
    statusId: Failed,
  },
  {
    name: 'that reason with a note',
    reason: { noteRequired: true },
    before: [{ type: 'note' }],
    op: { ...fail, withReason: true },
    statusId: Failed,
  },

  { name: 'taking back a start', before: [start], op: takeBack('start'), statusId: Assigned },
  { name: 'taking back an arrival', before: [start, arrive], op: takeBack('arrive'), statusId: InTransit },
  {
    name: 'taking back a start after the arrival',
    before: [start, arrive],
    op: takeBack('start'),
    refused: 'TOO_LATE',
    statusId: InTransit,
  },
  {
    name: 'taking back both',
    before: [start, arrive, takeBack('arrive')],
    op: takeBack('start'),
    statusId: Assigned,
  },
  {
    name: 'taking back a start twice',
    before: [start, takeBack('start')],
    op: takeBack('start'),
    statusId: Assigned,
  },
  {
    name: 'taking back a start after a note',
    before: [start, { type: 'note' }],
    op: takeBack('start'),
    refused: 'TOO_LATE',
    statusId: InTransit,
  },
  {
    name: 'taking back the start of what ended',
    before: [start, complete],
    op: takeBack('start'),
    refused: 'TOO_LATE',
    statusId: Succeeded,
  },
  { name: 'starting again', before: [start, takeBack('start')], op: start, statusId: InTransit },
  { name: 'arriving again', before: [start, arrive, takeBack('arrive')], op: arrive, statusId: InTransit },
  {
    name: 'completing without arriving again',
    before: [start, arrive, takeBack('arrive')],
    op: complete,
    statusId: Succeeded,
  },
  {
    name: 'completing after the start was taken back',
    before: [start, takeBack('start')],
    op: complete,
    refused: 'TASK_NOT_STARTED',
    statusId: Assigned,
  },
]

/*
 * The same of a stop of several parcels, all at one door and just assigned to the driver, who does to them together what the
 * app lets do together: one op for each, in one batch. What one of them is refused keeps none of the others.
 */

export interface StopCase {
  name: string
  settings?: Partial<Settings>
  /** `customer` tells customers apart; one that waits does so for a task that is open elsewhere, or for one of these. */
  parcels: { price?: number; customer?: number; waits?: true | number }[]
  /** What is done to which parcel. A signature is one picture for all, with a name. */
  ops: (Omit<CaseOp, 'of'> & { parcel: number })[]
  /** Why ops are refused, by their place. */
  refused?: Record<number, string>
  /** The states of the parcels afterwards. */
  statusIds: StatusId[]
  /** What comes next at the stop, and for which parcels; undefined if there is nothing to do. */
  next: { move: 'start' | 'arrive' | 'complete'; parcels: number[] } | undefined
  /** On which parcels who signed is named. */
  named?: boolean[]
}

const onAll = (type: CaseOp['type'], ...parcels: number[]) => parcels.map((parcel) => ({ type, parcel }))
const payOn = (parcel: number, amount: number) => ({ type: 'payment', parcel, amount }) as const

export const stopCases: StopCase[] = [
  {
    name: 'nothing yet',
    parcels: [{}, {}],
    ops: [],
    statusIds: [Assigned, Assigned],
    next: { move: 'start', parcels: [0, 1] },
  },
  {
    name: 'started together',
    parcels: [{}, {}, {}],
    ops: onAll('start', 0, 1, 2),
    statusIds: [InTransit, InTransit, InTransit],
    next: { move: 'arrive', parcels: [0, 1, 2] },
  },
  {
    name: 'one that was forgotten is started before the others arrive',
    parcels: [{}, {}],
    ops: onAll('start', 0),
    statusIds: [InTransit, Assigned],
    next: { move: 'start', parcels: [1] },
  },
  {
    name: 'one waits for another stop: the others are started without it',
    parcels: [{}, { waits: true }],
    ops: onAll('start', 0, 1),
    refused: { 1: 'DEPENDENCY_OPEN' },
    statusIds: [InTransit, Assigned],
    next: { move: 'arrive', parcels: [0] },
  },
  {
    name: 'one has ended: the others arrive',
    parcels: [{}, {}, {}],
    ops: [...onAll('start', 0, 1, 2), ...onAll('fail', 1), ...onAll('arrive', 0, 1, 2)],
    refused: { 5: 'TASK_ALREADY_PROCESSED' },
    statusIds: [InTransit, Failed, InTransit],
    next: { move: 'complete', parcels: [0, 2] },
  },
  {
    name: 'completed together, one without its payment',
    parcels: [{ price: 20 }, { price: 30 }, {}],
    ops: [...onAll('start', 0, 1, 2), ...onAll('arrive', 0, 1, 2), payOn(0, 20), ...onAll('complete', 0, 1, 2)],
    refused: { 8: 'PAYMENT_REQUIRED' },
    statusIds: [Succeeded, InTransit, Succeeded],
    next: { move: 'complete', parcels: [1] },
  },
  {
    name: 'completed together, one paid too much: nothing of it is spread over the others',
    parcels: [{ price: 20 }, { price: 30 }],
    ops: [...onAll('start', 0, 1), payOn(0, 50), payOn(1, 30), ...onAll('complete', 0, 1)],
    refused: { 2: 'PAYMENT_TOO_MUCH', 4: 'PAYMENT_REQUIRED' },
    statusIds: [InTransit, Succeeded],
    next: { move: 'arrive', parcels: [0] },
  },
  {
    name: 'one parcel waits for another of its stop, and is completed after it',
    settings: { automaticDriverFlow: true },
    parcels: [{}, { waits: 0 }],
    ops: onAll('complete', 0, 1),
    statusIds: [Succeeded, Succeeded],
    next: undefined,
  },
  {
    name: 'one parcel waits for another of its stop, and is completed before it',
    settings: { automaticDriverFlow: true },
    parcels: [{}, { waits: 0 }],
    ops: onAll('complete', 1),
    refused: { 0: 'DEPENDENCY_OPEN' },
    statusIds: [Assigned, Assigned],
    next: { move: 'start', parcels: [0] },
  },
  {
    name: 'an automatic flow completes all that was never started',
    settings: { automaticDriverFlow: true },
    parcels: [{}, {}, {}],
    ops: onAll('complete', 0, 1, 2),
    statusIds: [Succeeded, Succeeded, Succeeded],
    next: undefined,
  },
  {
    name: 'one signature for all, and its name only for the same customer',
    settings: { makeSignaturesMandatory: true },
    parcels: [{ customer: 1 }, { customer: 1 }, { customer: 2 }],
    ops: [...onAll('start', 0, 1, 2), ...onAll('signature', 0, 1, 2), ...onAll('complete', 0, 1, 2)],
    statusIds: [Succeeded, Succeeded, Succeeded],
    next: undefined,
    named: [true, true, false],
  },
  {
    name: 'one parcel has no signature of its own',
    settings: { makeSignaturesMandatory: true },
    parcels: [{}, {}],
    ops: [...onAll('start', 0, 1), ...onAll('signature', 0), ...onAll('complete', 0, 1)],
    refused: { 4: 'SIGNATURE_REQUIRED' },
    statusIds: [Succeeded, InTransit],
    next: { move: 'arrive', parcels: [1] },
  },
]
