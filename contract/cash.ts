import type { Static } from 'typebox'
import { type CashKind, cashKinds } from '../core/cash.ts'
import { longest, mostReportDays, mostWhole } from './limits.ts'
import { type PaymentMethod, paymentMethods } from './payment.ts'
import { Amount, Id, Nullable, PageQuery, ShownAmount, Text, Time, Words } from './schema.ts'
import { Type } from './type.ts'

const Optional = Type.Optional
const Day = (description: string) => Text(longest.time, { description })
const theDay = 'The day in the organisation’s time zone, as 2026-11-15; not a future one'
const Name = Type.Object({ id: Id(), name: Type.String() })

export const CashQuery = Type.Object({
  userId: Optional(Id('Only this driver; without it, all')),
  day: Optional(Day('This day, as 2026-11-15 in the organisation’s time zone; without it, `from` and `to`, or today')),
  from: Optional(Day('The first day; defaults to `to`, or today')),
  to: Optional(Day(`The last day, included; defaults to \`from\`. At most ${mostReportDays} days together`)),
  ...PageQuery.properties,
})
export type CashQuery = Static<typeof CashQuery>

export const CashDay = Type.Object(
  {
    userId: Id('The driver'),
    user: Name,
    day: Type.String(),
    toCollect: ShownAmount(
      'What the tasks they ended on the day, and today’s open ones, are to bring. Of a task that is tried again only what was paid: the rest is the next try’s',
    ),
    unpaid: ShownAmount('Left to pay for tasks that succeeded: collected and not recorded, or owed by the customer'),
    lost: ShownAmount('Left to pay for tasks that failed and are not tried again'),
    cash: ShownAmount('Collected in cash: what is to be handed in'),
    card: ShownAmount('Collected by card'),
    other: ShownAmount('Collected in another way'),
    earlier: ShownAmount('The part of `cash` that came late for a day that was closed'),
    handedIn: ShownAmount('All that was handed in: before the day was closed, then, and corrections'),
    toHandIn: ShownAmount('`cash` less `handedIn` while the day is open; below 0 if it is more; 0 when it is closed'),
    closed: Type.Boolean(),
    counted: Nullable(ShownAmount('What was counted when the day was closed')),
    corrected: ShownAmount('What was corrected since'),
    difference: Nullable(ShownAmount('`handedIn` less `cash`; null until the day is closed')),
    closedBy: Nullable(Name),
    closedAt: Nullable(Time()),
    note: Nullable(Type.String({ description: 'What was noted when the day was closed' })),
  },
  { title: 'CashDay', description: 'The cash of one driver and one day' },
)
export type CashDay = Static<typeof CashDay>

export const CashLine = Type.Object(
  {
    id: Id(),
    userId: Id('The driver'),
    user: Name,
    day: Type.String({ description: 'The day it counts for' }),
    ofDay: Nullable(
      Type.String({
        description: 'The day it happened on, if that was closed when it arrived: then it counts for the next',
      }),
    ),
    kind: Type.Unsafe<CashKind>({ type: 'string', enum: [...cashKinds] }),
    method: Type.Unsafe<PaymentMethod>({ type: 'string', enum: [...paymentMethods] }),
    amount: ShownAmount('Of a payment: what was collected. Of the others: what was handed in'),
    paymentId: Nullable(Id()),
    taskId: Nullable(Id('Of a payment; it may be gone by now')),
    awb: Nullable(Type.String()),
    countedBy: Nullable(Name),
    note: Nullable(Type.String()),
    occurredAt: Time(),
    recordedAt: Time(),
  },
  { title: 'CashLine', description: 'Lines are added, never changed' },
)
export type CashLine = Static<typeof CashLine>

const given = {
  userId: Id('The driver'),
  note: Optional(Nullable(Text(longest.text))),
}

export const CloseOutInput = Type.Object(
  {
    ...given,
    day: Day(theDay),
    counted: Amount({ description: 'The cash handed in now, as counted; not what was handed in before' }),
    note: Optional(Nullable(Text(longest.text, { description: 'Required if there is a difference' }))),
  },
  { title: 'CloseOutInput' },
)
export type CloseOutInput = Static<typeof CloseOutInput>

const Counted = (description: string) => Amount({ minimum: -mostWhole, description })

export const HandInInput = Type.Object(
  {
    ...given,
    day: Optional(Nullable(Day('A day that is not closed; defaults to today'))),
    amount: Counted('The cash handed in; below 0 takes back what was written wrongly'),
  },
  { title: 'HandInInput' },
)
export type HandInInput = Static<typeof HandInInput>

export const CashCorrectionInput = Type.Object(
  {
    userId: Id('The driver'),
    day: Day('A day that is closed'),
    amount: Counted('What was found since; below 0 if too much was counted'),
    note: Words(longest.text),
  },
  { title: 'CashCorrectionInput' },
)
export type CashCorrectionInput = Static<typeof CashCorrectionInput>

export const OwnCash = Type.Object(
  {
    day: Type.String({ description: 'Today' }),
    cash: ShownAmount('Collected in cash, of today'),
    card: ShownAmount('Collected by card, of today'),
    handedIn: ShownAmount('Handed in today'),
    before: ShownAmount('Still to hand in of other days: those after the last that was closed'),
    toHandIn: ShownAmount('All that is to be handed in'),
    closedAt: Nullable(Time('When the office closed today; what is collected later counts for the next day')),
    difference: Nullable(ShownAmount('Of today, once it is closed: below 0 if something was missing')),
  },
  { title: 'OwnCash', description: 'The cash that a driver has, as far as the server knows' },
)
export type OwnCash = Static<typeof OwnCash>
