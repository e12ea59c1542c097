import { Refusal } from '../../contract/errors.ts'
import { mostHolidays } from '../../contract/limits.ts'
import type { Holiday, HolidayInput } from '../../contract/schedule.ts'
import { publicHolidays } from '../../core/holidays.ts'
import { tellChanges } from '../audit/changes.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import type { Organisation } from '../organisations/queries.ts'
import { requireDay } from './input.ts'
import {
  deleteHoliday as deleteRow,
  type HolidayRow,
  listOwnHolidays,
  saveHoliday,
  wakeForHolidays,
} from './queries.ts'

/* The holidays of an organisation: the public ones of its country, where we know them, with its own list on top. */

export const presentHoliday = ({ id, day, name, is_working_day }: HolidayRow): Holiday => ({
  id,
  day,
  name,
  isWorkingDay: is_working_day,
})

export async function listHolidays(db: Db, organisation: Organisation, from: string, to: string): Promise<Holiday[]> {
  const years = Array.from({ length: yearOf(to) - yearOf(from) + 1 }, (_, index) => yearOf(from) + index)
  const all = new Map<string, Holiday>()
  for (const { day, name } of years.flatMap((year) => publicHolidays(organisation.country, year)))
    if (day >= from && day <= to) all.set(day, { id: null, day, name, isWorkingDay: false })
  for (const own of await listOwnHolidays(db, organisation.id, from, to)) {
    const name = own.name || all.get(own.day)?.name || ''
    all.set(own.day, { ...presentHoliday(own), name })
  }
  return [...all.values()].toSorted((one, other) => (one.day < other.day ? -1 : 1))
}
const yearOf = (day: string) => Number(day.slice(0, 4))

/** What the holiday on a day is called, undefined on a day that is none; asked of the days of that range. */
export async function readHolidays(db: Db, organisation: Organisation, from: string, to: string) {
  const free = (await listHolidays(db, organisation, from, to)).filter(({ isWorkingDay }) => !isWorkingDay)
  return new Map(free.map(({ day, name }) => [day, name]))
}

export const addHoliday = (context: Context, organisation: Organisation, input: HolidayInput) =>
  context.db.transaction(async (db): Promise<HolidayRow> => {
    const day = requireDay('day', input.day, organisation.timezone)
    const given = { day, name: input.name?.trim() ?? '', is_working_day: input.isWorkingDay ?? false }
    const saved = await saveHoliday(db, organisation.id, given, mostHolidays)
    if (!saved) throw new Refusal('TOO_MANY_ITEMS', { message: `There can be at most ${mostHolidays} own holidays` })
    await wakeForHolidays(db, organisation.id, context.clock.now())
    await recordAudit(context, db, organisation.id, [
      { kind: 'holiday.added', subjectId: saved.id, changes: tellChanges(null, tellHoliday(saved)) },
    ])
    return saved
  })

export const deleteHoliday = (context: Context, organisationId: number, id: number) =>
  context.db.transaction(async (db) => {
    const deleted = await deleteRow(db, organisationId, id)
    if (!deleted) throw new Refusal('HOLIDAY_NOT_FOUND')
    await wakeForHolidays(db, organisationId, context.clock.now())
    await recordAudit(context, db, organisationId, [
      { kind: 'holiday.deleted', subjectId: id, changes: tellChanges(tellHoliday(deleted), null) },
    ])
  })

const tellHoliday = ({ day, name, is_working_day }: HolidayRow) => ({ day, name, isWorkingDay: is_working_day })
