import type { Static } from 'typebox'
import { longest } from './limits.ts'
import { Id, Nullable, Text, Time } from './schema.ts'
import { Type } from './type.ts'

export const EtaReportQuery = Type.Object({
  from: Type.Optional(
    Text(longest.time, { description: 'Promises made since then; defaults to the beginning of today' }),
  ),
  to: Type.Optional(
    Text(longest.time, { description: 'And before then; defaults to now, at most 31 days after `from`' }),
  ),
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
    Text(longest.time, { description: 'And before then; defaults to now, at most 31 days after `from`' }),
  ),
})
export type FeedbackReportQuery = Static<typeof FeedbackReportQuery>

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
