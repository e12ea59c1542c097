import { type ErrorDetail, Refusal } from '../../../contract/errors.ts'
import { mostItems } from '../../../contract/limits.ts'
import { refusalOf } from '../../../contract/read/refusal.ts'
import type { TaskFilter, TaskQuery } from '../../../contract/task.ts'
import { mostTries } from '../../../core/attempt.ts'
import { readPhone } from '../../../core/phone.ts'
import { addressWord, readSearch } from '../../../core/search.ts'
import { settingsOf } from '../../../core/settings.ts'
import { readDay, readTime, startOfDay } from '../../../core/time.ts'
import type { Context } from '../../context.ts'
import { decodeCursor, isId, pageOf } from '../../http/answers/cursor.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { presentPage } from '../read/timeline.ts'
import { type Filter, listRoute, listTaskIds, type RoutePlace } from './queries.ts'

/** From which try on somebody has to decide; never, if nothing is to be done after the last. */
function lastTryOf(organisation: Organisation): number {
  const { mostAttempts, afterLastAttempt } = settingsOf(organisation)
  if (afterLastAttempt === 'stay') return Number.POSITIVE_INFINITY
  return mostAttempts === 0 ? mostTries : mostAttempts
}

/** Turns the query parameters into a filter. */
function readFilter(query: TaskQuery, organisation: Organisation, now: Date): Filter {
  const { timezone, country } = organisation
  const problems: ErrorDetail[] = []
  const time = (field: 'from' | 'to' | 'updatedAfter') => {
    const text = query[field]
    const read =
      text === undefined ? undefined : readTime(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text} 00:00` : text, timezone)
    if (text !== undefined && !read)
      problems.push({ field, code: 'INVALID_TIME', message: `${field} must look like 2026-11-15 or 2026-11-15 09:30` })
    return read
  }
  const day = query.day === undefined ? undefined : readDay(query.day, timezone)
  if (query.day !== undefined && !day)
    problems.push({ field: 'day', code: 'INVALID_TIME', message: 'day must look like 2026-11-15' })
  const phone = query.phone === undefined ? undefined : readPhone(query.phone, country)
  if (query.phone !== undefined && !phone)
    problems.push({ field: 'phone', code: 'INVALID_PHONE', message: 'phone is not a possible number' })
  const today = startOfDay(now, timezone).getTime()
  const filter = {
    day: day && { ...day, isToday: day.start.getTime() === today },
    statusIds: query.statusId?.split(',').map(Number),
    userId: query.userId,
    teamId: query.teamId,
    partnerId: query.partnerId,
    awb: query.awb,
    // An empty box is no search.
    terms: query.q?.trim() ? readSearch(query.q) : undefined,
    customerId: query.customerId,
    phone,
    // What is no address is that of no task.
    address: query.address === undefined ? undefined : (addressWord(query.address) ?? ''),
    from: time('from'),
    to: time('to'),
    updatedAfter: time('updatedAfter'),
    isDoubtful: query.doubtful === true,
    lastTry: query.toDecide === true ? lastTryOf(organisation) : undefined,
  }
  if (problems.length > 0) throw refusalOf(problems)
  if (filter.statusIds?.some((id) => id > 32_767))
    throw new Refusal('VALIDATION_FAILED', { field: 'statusId', message: 'statusId contains an unknown status' })
  return filter
}

/** A page of an organisation's tasks. */
export async function findTasks({ db, clock }: Context, organisation: Organisation, query: TaskQuery) {
  const limit = query.limit ?? mostItems
  const isNewestFirst = query.order === 'newest'
  const id = decodeCursor(query.cursor, isNewestFirst ? Number.MAX_SAFE_INTEGER : 0, isId)
  const now = clock.now()
  const ids = await listTaskIds(
    db,
    organisation.id,
    readFilter(query, organisation, now),
    { id, isNewestFirst },
    limit + 1,
  )
  const { tasks, reached } = await presentPage(db, organisation, ids.slice(0, limit), now)
  const { page: _, ...more } = pageOf(ids, reached, (id) => id)
  return { tasks, ...more }
}

type Place = [isEnded: boolean, position: number, id: number]
const isPlace = (value: unknown): value is Place =>
  Array.isArray(value) && typeof value[0] === 'boolean' && isId(value[1]) && isId(value[2])

/** A page of a driver's tasks, in route order. */
export async function findRoute(
  { db, clock }: Context,
  organisation: Organisation,
  driverId: number,
  query: TaskFilter,
) {
  const limit = query.limit ?? mostItems
  const [ended, position, id] = decodeCursor<Place>(query.cursor, [false, 0, 0], isPlace)
  const after: RoutePlace = { isEnded: ended, position, id }
  const now = clock.now()
  const filter = { ...readFilter(query, organisation, now), userId: driverId }
  const stops = await listRoute(db, organisation.id, filter, after, limit + 1)
  const ids = stops.slice(0, limit).map((stop) => stop.id)
  const { tasks, reached } = await presentPage(db, organisation, ids, now)
  const { page: _, ...more } = pageOf(stops, reached, (stop) => [stop.is_ended, stop.route_position ?? 0, stop.id])
  return { tasks, ...more }
}
