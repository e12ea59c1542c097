import type { Static } from 'typebox'
import { longest, mostReportCustomers, mostReportDays } from './limits.ts'
import { Id, Nullable, Text, Time } from './schema.ts'
import { Type } from './type.ts'

const format = Type.Optional(
  Text(longest.name, { description: '`csv` answers a table for spreadsheets instead of JSON, docs/reports.md' }),
)

export const EtaReportQuery = Type.Object({
  from: Type.Optional(
    Text(longest.time, { description: 'Promises made since then; defaults to the beginning of today' }),
  ),
  to: Type.Optional(
    Text(longest.time, {
      description: `And before then; defaults to now, at most ${mostReportDays} days after \`from\``,
    }),
  ),
  format,
})
export type EtaReportQuery = Static<typeof EtaReportQuery>

const figures = {
  promises: Type.Integer({ description: 'Arrivals that were promised and whose real time is known' }),
  open: Type.Integer({ description: 'Arrivals that were promised, but nobody has come, or nobody saw it' }),
  meanErrorSeconds: Nullable(Type.Integer({ description: 'How far off they were, in either direction' })),
  meanLateSeconds: Nullable(Type.Integer({ description: 'How much later than promised; negative is earlier' })),
  withinTenMinutes: Type.Integer(),
  shareWithinTenMinutes: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
}
const EtaFigures = Type.Object(figures)
export type EtaFigures = Static<typeof EtaFigures>

/** How well promised arrivals came true. */
export const EtaReport = {
  from: Time(),
  to: Time(),
  ...figures,
  hours: Type.Array(
    Type.Object(
      { hour: Type.Integer({ minimum: 0, maximum: 23, description: 'Of the day, when it was promised' }), ...figures },
      { title: 'EtaHour' },
    ),
    { description: 'Only hours in which something was promised' },
  ),
}
export type EtaReport = Static<ReturnType<typeof Type.Object<typeof EtaReport>>>

export const FeedbackReportQuery = Type.Object({
  from: Type.Optional(
    Text(longest.time, { description: 'Of tasks that ended since then; defaults to the beginning of today' }),
  ),
  to: Type.Optional(
    Text(longest.time, {
      description: `And before then; defaults to now, at most ${mostReportDays} days after \`from\``,
    }),
  ),
  format,
  by: Type.Optional(Text(longest.name, { description: 'Of a CSV: `rating`, the default, or `comment`' })),
})
export type FeedbackReportQuery = Static<typeof FeedbackReportQuery>

/** The tables of it, of which a CSV is one. */
export const feedbackGroups = ['rating', 'comment'] as const

/** What customers said about tasks that ended in a time. */
export const FeedbackReport = {
  from: Time(),
  to: Time(),
  ended: Type.Integer({ description: 'Tasks that ended' }),
  count: Type.Integer({ description: 'Those that were rated' }),
  average: Nullable(Type.Number({ minimum: 1, maximum: 5 })),
  ratings: Type.Array(
    Type.Object({ rating: Type.Integer({ minimum: 1, maximum: 5 }), count: Type.Integer() }, { title: 'RatingCount' }),
    { description: 'All five, the best first' },
  ),
  comments: Type.Array(
    Type.Object(
      {
        taskId: Id(),
        awb: Type.String(),
        driver: Nullable(Type.String()),
        rating: Type.Integer({ minimum: 1, maximum: 5 }),
        comment: Type.String(),
        createdAt: Time(),
      },
      { title: 'FeedbackComment' },
    ),
    { description: 'The worst first, at most 20' },
  ),
}
export type FeedbackReport = Static<ReturnType<typeof Type.Object<typeof FeedbackReport>>>

/** What a report of tasks can be divided by. */
export const taskGroups = ['day', 'month', 'hour', 'driver', 'team', 'customer', 'reason', 'payment'] as const

export const TaskReportQuery = Type.Object({
  from: Type.Optional(Text(longest.time, { description: 'The first day, as 2026-11-15; defaults to `to`, or today' })),
  to: Type.Optional(
    Text(longest.time, {
      description: `The last day, included; defaults to \`from\`. At most ${mostReportDays} days together`,
    }),
  ),
  by: Type.Optional(
    Text(longest.name, {
      description: `Which lists to fill, separated by commas: ${taskGroups.join(', ')}; defaults to all but customer. Of a CSV only one, or none for the sums`,
    }),
  ),
  format,
})
export type TaskReportQuery = Static<typeof TaskReportQuery>

const share = (description: string) => Nullable(Type.Number({ minimum: 0, maximum: 1, description }))

const money = {
  collected: Type.Number({ description: 'Recorded as paid' }),
  toCollect: Type.Number({ description: 'Left to pay of open tasks' }),
  unpaid: Type.Number({ description: 'Left to pay of tasks that succeeded' }),
  lost: Type.Number({ description: 'Left to pay of tasks that failed and are not tried again' }),
  cash: Type.Number({ description: 'Taken by drivers in cash, on the days for which it counts' }),
  card: Type.Number({ description: 'Taken by drivers by card' }),
  other: Type.Number({ description: 'Taken by drivers in another way' }),
}
const taskFigures = {
  tasks: Type.Integer({ description: 'Tasks that ended on the days, and open ones that belong to one of them' }),
  unassigned: Type.Integer(),
  assigned: Type.Integer(),
  inTransit: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  windows: Type.Integer({
    description: 'Tasks whose time window is decided: they succeeded, or it is over without that',
  }),
  windowsMet: Type.Integer({ description: 'Those that succeeded before its end' }),
  onTimeShare: share('Of the decided windows, those met'),
  meanLateSeconds: Nullable(Type.Integer({ description: 'The average delay of the others, so far if still open' })),
  firstTries: Type.Integer({ description: 'Tasks that ended and were the first try' }),
  firstTriesSucceeded: Type.Integer({ description: 'Those that succeeded' }),
  firstTryShare: share('Of the first tries, those that succeeded'),
  distanceMetres: Type.Integer({ description: 'As planned' }),
  ...money,
  ratings: Type.Integer({ description: 'How many customers gave one' }),
  averageRating: Nullable(Type.Number({ minimum: 1, maximum: 5 })),
}
/** What is counted of drivers when a day is over. */
const drivenFigures = {
  stops: Type.Integer({ description: 'Of days that are over: stops of which somebody knows when the driver came' }),
  minutesPerStop: Nullable(Type.Number({ description: 'From coming to the end of the last task there' })),
  drivenMetres: Nullable(
    Type.Integer({ description: 'Of days that are over, by the positions of the drivers; null if there are none' }),
  ),
}
const DrivenFigures = Type.Object(drivenFigures)
export type DrivenFigures = Static<typeof DrivenFigures>

/** In the order in which a table has them. */
export const figureNames = Object.keys(taskFigures) as (keyof typeof taskFigures)[]
export const drivenNames = Object.keys(drivenFigures) as (keyof typeof drivenFigures)[]
export const moneyNames = Object.keys(money) as (keyof typeof money)[]
const TaskFigures = Type.Object(taskFigures)
export type TaskFigures = Static<typeof TaskFigures>

/** What became of the tasks of some days. */
export const TaskReport = {
  from: Type.String({ description: 'The first day' }),
  to: Type.String({ description: 'The last day' }),
  ...taskFigures,
  ...drivenFigures,
  days: Type.Array(Type.Object({ day: Type.String(), ...taskFigures, ...drivenFigures }, { title: 'TaskReportDay' }), {
    description:
      'Days with tasks or payments. An open task is counted once: today if it belongs to today, else on the first day of its window',
  }),
  months: Type.Array(
    Type.Object(
      { month: Type.String({ description: 'As 2026-11' }), ...taskFigures, ...drivenFigures },
      { title: 'TaskReportMonth' },
    ),
    { description: 'The same days by month' },
  ),
  hours: Type.Array(
    Type.Object(
      { hour: Type.Integer({ minimum: 0, maximum: 23 }), succeeded: Type.Integer(), failed: Type.Integer() },
      { title: 'TaskReportHour' },
    ),
    { description: 'Hours of the day in which tasks ended' },
  ),
  drivers: Type.Array(
    Type.Object(
      { driverId: Nullable(Id()), name: Nullable(Type.String()), ...taskFigures, ...drivenFigures },
      { title: 'TaskReportDriver' },
    ),
    { description: 'Who did most first; `driverId` null is tasks without a driver' },
  ),
  teams: Type.Array(
    Type.Object({ teamId: Nullable(Id()), name: Nullable(Type.String()), ...taskFigures }, { title: 'TaskReportTeam' }),
    { description: 'By the team of the task; `teamId` null is tasks without one' },
  ),
  customers: Type.Array(
    Type.Object({ customerId: Id(), name: Type.String(), ...taskFigures }, { title: 'TaskReportCustomer' }),
    { description: `Those with the most tasks first, at most ${mostReportCustomers}; only if \`by\` names them` },
  ),
  reasons: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }, { title: 'TaskReportReason' }), {
    description: 'Why tasks failed, the most frequent first, at most 100; empty if no reason was given',
  }),
  payments: Type.Array(Type.Object({ paymentTypeId: Type.Integer(), ...money }, { title: 'TaskReportPayment' }), {
    description: '1 is cash, 2 is card',
  }),
}
export type TaskReport = Static<ReturnType<typeof Type.Object<typeof TaskReport>>>
