import { Refusal } from '../../contract/errors.ts'
import { addDays } from '../../core/day-range.ts'
import { dayOf } from '../../core/task-day.ts'
import type { Context } from '../context.ts'
import { pageById } from '../http/answers/cursor.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { createSchedule, deleteSchedule, updateSchedule } from './actions.ts'
import { addHoliday, deleteHoliday, listHolidays, presentHoliday, readHolidays } from './holidays.ts'
import { listOccurrences, previewSchedule } from './occurrences.ts'
import { presentSchedule, presentTemplate } from './present.ts'
import { findSchedule, listSchedules, listTemplates, type ScheduleRow } from './queries.ts'
import { createTemplate, deleteTemplate, updateTemplate } from './templates.ts'

/** Holidays count for the next day of a schedule, looked up as far as this. */
const aheadDays = 2 * 366

async function present({ db, clock }: Pick<Context, 'db' | 'clock'>, organisation: Organisation, rows: ScheduleRow[]) {
  const today = dayOf(clock.now(), organisation.timezone)
  const holidays = await readHolidays(db, organisation, today, addDays(today, aheadDays))
  return rows.map((row) => presentSchedule(row, today, holidays))
}

async function presentOne(context: Context, organisation: Organisation, row: ScheduleRow) {
  const [schedule] = await present(context, organisation, [row])
  return { schedule: schedule as NonNullable<typeof schedule> }
}

export const scheduleRoutes = {
  async listSchedules(context, { organisation, query }) {
    const { page, ...more } = await pageById(query, (...part) => listSchedules(context.db, organisation.id, ...part))
    return { schedules: await present(context, organisation, page), ...more }
  },

  async createSchedule(context, { organisation, body }) {
    return presentOne(context, organisation, await createSchedule(context, organisation, body))
  },

  async previewSchedule(context, { organisation, body }) {
    return { days: await previewSchedule(context, organisation, body) }
  },

  async getSchedule(context, { organisation, params }) {
    const row = await findSchedule(context.db, organisation.id, params.scheduleId)
    if (!row) throw new Refusal('SCHEDULE_NOT_FOUND')
    return presentOne(context, organisation, row)
  },

  async updateSchedule(context, { organisation, params, body }) {
    return presentOne(context, organisation, await updateSchedule(context, organisation, params.scheduleId, body))
  },

  async deleteSchedule(context, { organisation, params, query }) {
    await deleteSchedule(context, organisation, params.scheduleId, query.tasks === 'delete' ? 'delete' : 'keep')
    return {}
  },

  async listOccurrences(context, { organisation, params, query }) {
    return { occurrences: await listOccurrences(context, organisation, params.scheduleId, query) }
  },

  async listTemplates({ db }, { organisation, query }) {
    const { page, ...more } = await pageById(query, (...part) => listTemplates(db, organisation.id, ...part))
    return { templates: page.map(presentTemplate), ...more }
  },

  async createTemplate(context, { organisation, body }) {
    return { template: presentTemplate(await createTemplate(context, organisation, body)) }
  },

  async updateTemplate(context, { organisation, params, body }) {
    return { template: presentTemplate(await updateTemplate(context, organisation, params.templateId, body)) }
  },

  async deleteTemplate(context, { organisation, params }) {
    await deleteTemplate(context, organisation.id, params.templateId)
    return {}
  },

  async listHolidays({ db, clock }, { organisation, query }) {
    const year = query.year ?? Number(dayOf(clock.now(), organisation.timezone).slice(0, 4))
    return { holidays: await listHolidays(db, organisation, `${year}-01-01`, `${year}-12-31`) }
  },

  async addHoliday(context, { organisation, body }) {
    return { holiday: presentHoliday(await addHoliday(context, organisation, body)) }
  },

  async deleteHoliday(context, { organisation, params }) {
    await deleteHoliday(context, organisation.id, params.holidayId)
    return {}
  },
} satisfies Partial<Handlers<Organisation>>
