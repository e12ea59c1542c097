import { Succeeded } from '../../core/task-status.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { type Row, table, unnest } from '../db/table.ts'
import type { Happened } from '../events/record.ts'
import { arrivalOf } from './arrival.ts'
import type { TaskRow } from './tables.ts'

/*
 * How well we keep our word: the arrivals that were told for each task, and when the driver really came. Written with
 * what is told, in its transaction (docs/decisions/0027).
 */

const promises = table('promises', {
  organisation_id: 'bigint',
  task_id: 'bigint',
  promised_at: 'timestamptz',
  eta_at: 'timestamptz',
  arrived_at: 'timestamptz?',
})
type PromiseRow = Row<typeof promises>

/** Who hears of an arrival that moves by less hears the same. */
const sameSeconds = 300
/** One that was corrected sooner was not yet a promise: at most twelve an hour. */
const settledSeconds = 300

type Promised = Pick<PromiseRow, 'task_id' | 'eta_at'>

/** Keeps arrivals that are told now, where they differ from what was told last. */
export const keepPromises = (db: Db, organisationId: number, told: readonly Promised[], now: Date) =>
  db.run(sql`
    insert into promises (organisation_id, task_id, promised_at, eta_at)
    select ${organisationId}, given.task_id,
      case when last.promised_at > ${now}::timestamptz - make_interval(secs => ${settledSeconds})
        then last.promised_at else ${now} end,
      given.eta_at
    from ${unnest(promises, ['task_id', 'eta_at'], told)}
    left join lateral (
      select promised_at, eta_at from promises
      where organisation_id = ${organisationId} and task_id = given.task_id
      order by promised_at desc
      limit 1
    ) last on true
    where last.eta_at is null or abs(extract(epoch from given.eta_at - last.eta_at)) >= ${sameSeconds}
    on conflict (organisation_id, task_id, promised_at) do update set eta_at = excluded.eta_at`)

const saveArrivals = (db: Db, organisationId: number, seen: readonly Pick<PromiseRow, 'task_id' | 'arrived_at'>[]) =>
  db.run(sql`
    update promises p set arrived_at = given.arrived_at
    from ${unnest(promises, ['task_id', 'arrived_at'], seen)}
    where p.organisation_id = ${organisationId} and p.task_id = given.task_id
      and p.arrived_at is distinct from given.arrived_at`)

export interface Step {
  before: TaskRow
  after: TaskRow
  /** Undefined: it was not a driver who did it. */
  happened: Happened | undefined
}

/** What changes of tasks promise, and which promises they end. Of several changes of one task the last word counts. */
export async function notePromises(db: Db, organisationId: number, steps: readonly Step[], now: Date) {
  const told = steps.flatMap(({ before, after }) => {
    const [was, is] = [arrivalOf(before), arrivalOf(after)]
    return is && is.getTime() !== was?.getTime() ? [{ task_id: after.id, eta_at: is }] : []
  })
  if (told.length > 0) await keepPromises(db, organisationId, lastOfEach(told), now)
  const seen = steps.flatMap((step) => {
    const arrived_at = arrivalFrom(step, now)
    return arrived_at === undefined ? [] : [{ task_id: step.after.id, arrived_at }]
  })
  if (seen.length > 0) await saveArrivals(db, organisationId, lastOfEach(seen))
}

const lastOfEach = <Said extends { task_id: number }>(said: readonly Said[]): Said[] => [
  ...new Map(said.map((one) => [one.task_id, one])).values(),
]

/**
 * When the driver came, if a change says so: by `arrive`, else by position, else by the end. Null if it was taken
 * back. What a person in the office or another system ends says nothing about when somebody was there.
 */
export function arrivalFrom({ before, after, happened }: Step, now: Date): Date | null | undefined {
  if (after.arrived_at?.getTime() !== before.arrived_at?.getTime()) return after.arrived_at
  if (after.arrived_at) return undefined
  if (after.driver_arrived !== before.driver_arrived) return after.driver_arrived ? (happened?.at ?? now) : null
  const isDone = after.status_id === Succeeded && before.status_id !== Succeeded
  return isDone && !after.driver_arrived && happened ? after.completed_at : undefined
}

export interface PromiseFigures {
  /** Null for all together. */
  hour: number | null
  promises: number
  open: number
  error_seconds: number | null
  late_seconds: number | null
  close: number
}

/** How exact the promises of a time were, together and by the hour in which they were made. */
export const sumPromises = (
  db: Db,
  organisationId: number,
  { from, to }: { from: Date; to: Date },
  timezone: string,
  closeSeconds: number,
) =>
  db.many<PromiseFigures>(sql`
    select hour, count(late)::int as promises, (count(*) - count(late))::int as open,
      round(avg(abs(late)))::int as error_seconds, round(avg(late))::int as late_seconds,
      (count(*) filter (where abs(late) <= ${closeSeconds}))::int as close
    from (
      select extract(hour from promised_at at time zone ${timezone})::int as hour,
        extract(epoch from arrived_at - eta_at) as late
      from promises
      where organisation_id = ${organisationId} and promised_at >= ${from} and promised_at < ${to}
    ) p
    group by grouping sets ((hour), ())
    order by hour nulls first`)

export const deletePromises = (db: Db, organisationId: number, taskIds: number[]) =>
  db.run(sql`delete from promises where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])`)
