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
