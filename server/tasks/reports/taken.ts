import type { DayRange } from '../../../core/day-range.ts'
import type { Db } from '../../db/db.ts'
import { plannedAnew, raw, sql } from '../../db/sql.ts'
import { groupColumns, groupingSets, type SummedGroup, type SumRow, type takenNames, type Wanted } from './sums.ts'

/*
 * What drivers took at the doors, by the lines of cash: on the day for which a line counts (docs/cash.md), with the driver who took
 * it, whatever became of its task since.
 */

type TakenRow = Pick<SumRow, 'grouped' | 'key' | (typeof takenNames)[number]>

/** A line has no reason and no hour. */
const divided: readonly SummedGroup[] = ['day', 'driver', 'team', 'customer', 'payment']

const sum = (method: string) => raw(`coalesce(sum(hundredths) filter (where method = '${method}'), 0)::float8`)

/** The task is looked up only if something of it is asked for: otherwise PostgreSQL leaves the join out. */
export const sumTaken = (db: Db, organisationId: number, { from, to }: DayRange, { by, customerIds }: Wanted) => {
  const groups = divided.filter((group) => by.includes(group))
  return db.many<TakenRow>(
    plannedAnew(sql`
      select ${groupColumns(groups)}, ${sum('cash')} as cash, ${sum('card')} as card, ${sum('other')} as other
      from (
        select l.day::date as day, l.user_id, l.method, l.hundredths, t.team_id, t.payment_type_id,
          case when t.customer_id = any(${customerIds}::bigint[]) then t.customer_id end as customer_id
        from cash_lines l
        left join tasks t on t.organisation_id = ${organisationId} and t.id = l.task_id
        where l.organisation_id = ${organisationId} and l.kind = 'payment' and l.day between ${from} and ${to}
      ) taken
      group by grouping sets (${groupingSets(groups)})`),
  )
}
