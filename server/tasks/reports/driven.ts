import type { DrivenFigures } from '../../../contract/report.ts'
import type { DayRange } from '../../../core/day-range.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/* What was counted of drivers when a day was over (server/drivers/days.ts): a row for each driver and day, however many tasks it had. */

type DrivenGroup = 'all' | 'day' | 'month' | 'driver'

interface DrivenRow {
  grouped: DrivenGroup
  key: string | null
  stops: number
  stop_seconds: number
  driven_metres: number | null
}

const sumDriven = (db: Db, organisationId: number, { from, to }: DayRange) =>
  db.many<DrivenRow>(sql`
    select
      case when grouping(day) = 0 then 'day' when grouping(month) = 0 then 'month' when grouping(driver_id) = 0 then 'driver'
        else 'all' end as grouped,
      coalesce(day, month, driver_id::text) as key,
      coalesce(sum(stops), 0)::int as stops, coalesce(sum(stop_seconds), 0)::float8 as stop_seconds,
      sum(driven_metres)::float8 as driven_metres
    from (
      select day, substr(day, 1, 7) as month, driver_id, stops, stop_seconds, driven_metres from driver_days
      where organisation_id = ${organisationId} and day between ${from} and ${to}
    ) d
    group by grouping sets ((), (day), (month), (driver_id))`)

const nothing: DrivenFigures = { stops: 0, minutesPerStop: null, drivenMetres: null }

export async function findDriven(db: Db, organisationId: number, range: DayRange) {
  const rows = await sumDriven(db, organisationId, range)
  const found = new Map(rows.map((row) => [`${row.grouped} ${row.key}`, present(row)]))
  const of = (group: DrivenGroup, key: string | number | null) => found.get(`${group} ${key}`) ?? nothing
  return { all: of('all', null), of }
}

const present = ({ stops, stop_seconds, driven_metres }: DrivenRow): DrivenFigures => ({
  stops,
  minutesPerStop: stops === 0 ? null : Math.round((10 * stop_seconds) / (60 * stops)) / 10,
  drivenMetres: driven_metres,
})
