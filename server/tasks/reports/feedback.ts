import { mostReportDays } from '../../../contract/limits.ts'
import type { FeedbackReport, FeedbackReportQuery } from '../../../contract/report.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { readSpan } from '../time-span.ts'

const longestHours = mostReportDays * 24 + 1
const mostComments = 20
const ratings = [5, 4, 3, 2, 1]

interface Span {
  from: Date
  to: Date
}

/** What customers said about the tasks that ended in a time. */
export async function reportFeedback(
  { db, clock }: Context,
  { id, timezone }: Organisation,
  query: FeedbackReportQuery,
): Promise<FeedbackReport> {
  const span = readSpan(query, timezone, clock.now(), longestHours)
  const [counts, comments] = await Promise.all([countRatings(db, id, span), listComments(db, id, span)])
  const countOf = (rating: number | null) => counts.find((one) => one.rating === rating)?.count ?? 0
  const shown = ratings.map((rating) => ({ rating, count: countOf(rating) }))
  const count = shown.reduce((sum, one) => sum + one.count, 0)
  const stars = shown.reduce((sum, one) => sum + one.rating * one.count, 0)
  return {
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    ended: count + countOf(null),
    count,
    average: count === 0 ? null : Math.round((100 * stars) / count) / 100,
    ratings: shown,
    comments: comments.map(({ id, awb, driver, feedback: { rating, comment, at } }) => ({
      taskId: id,
      awb,
      driver,
      rating,
      comment,
      createdAt: new Date(at).toISOString(),
    })),
  }
}

/** How often each rating was given; null for tasks without one. */
const countRatings = (db: Db, organisationId: number, { from, to }: Span) =>
  db.many<{ rating: number | null; count: number }>(sql`
    select (feedback->>'rating')::int as rating, count(*)::int as count from tasks
    where organisation_id = ${organisationId} and deleted_at is null and completed_at >= ${from} and completed_at < ${to}
    group by 1`)

const listComments = (db: Db, organisationId: number, { from, to }: Span) =>
  db.many<{
    id: number
    awb: string
    driver: string | null
    feedback: { rating: number; comment: string; at: string }
  }>(
    sql`
    select t.id, t.awb, u.name as driver, t.feedback from tasks t
    left join users u on u.organisation_id = t.organisation_id and u.id = t.user_id
    where t.organisation_id = ${organisationId} and t.deleted_at is null
      and t.completed_at >= ${from} and t.completed_at < ${to} and t.feedback->>'comment' <> ''
    order by (t.feedback->>'rating')::int, t.completed_at desc
    limit ${mostComments}`,
  )
