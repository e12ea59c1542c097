import { type AuditEntry, type AuditQuery, auditKinds } from '../../contract/audit.ts'
import { type ErrorDetail, Refusal } from '../../contract/errors.ts'
import { mostItems } from '../../contract/limits.ts'
import { refusalOf } from '../../contract/read/refusal.ts'
import { readDay, readTime } from '../../core/time.ts'
import type { Db } from '../db/db.ts'
import { decodeCursor, isId, pageOf } from '../http/answers/cursor.ts'
import { type AuditFilter, type AuditPlace, type ListedEntry, listEntries } from './queries.ts'

/** Whoever asks: the room of organisations stands above this one. */
export interface Asking {
  id: number
  timezone: string
}

const end: AuditPlace = ['infinity', Number.MAX_SAFE_INTEGER]
const isPlace = (value: unknown): value is AuditPlace =>
  Array.isArray(value) &&
  typeof value[0] === 'string' &&
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value[0]) &&
  !Number.isNaN(Date.parse(value[0])) &&
  isId(value[1])

/** A page of the log, the newest first. */
export async function findEntries(db: Db, { id, timezone }: Asking, query: AuditQuery) {
  const limit = query.limit ?? mostItems
  const filter = readFilter(query, timezone)
  const rows = await listEntries(db, id, filter, decodeCursor(query.cursor, end, isPlace), limit + 1)
  const { page, ...more } = pageOf(rows, limit, ({ at, id }): AuditPlace => [at.toISOString(), id])
  return { entries: page.map(presentEntry), ...more }
}

function readFilter({ kind, who, day, ...given }: AuditQuery, timezone: string): AuditFilter {
  const problems: ErrorDetail[] = []
  const time = (field: 'from' | 'to') => {
    const text = given[field]
    const read =
      text === undefined ? undefined : readTime(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text} 00:00` : text, timezone)
    if (text !== undefined && !read)
      problems.push({ field, code: 'INVALID_TIME', message: `${field} must look like 2026-11-15 or 2026-11-15 09:30` })
    return read
  }
  const wholeDay = day === undefined ? undefined : readDay(day, timezone)
  if (day !== undefined && !wholeDay)
    problems.push({ field: 'day', code: 'INVALID_TIME', message: 'day must look like 2026-11-15' })
  const [from, to] = [time('from'), time('to')]
  if (problems.length > 0) throw refusalOf(problems)
  return {
    kinds: readKinds(kind),
    who: who?.trim() || undefined,
    from: from ?? wholeDay?.start,
    // Its end is its last millisecond.
    to: to ?? (wholeDay && new Date(wholeDay.end.getTime() + 1)),
  }
}

/** Kinds by their names, or by the part before the dot. */
function readKinds(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  const kinds = Object.keys(auditKinds)
  return text.split(',').flatMap((part) => {
    const wanted = part.trim()
    const found = kinds.filter((kind) => kind === wanted || kind.split('.')[0] === wanted)
    if (found.length > 0) return found
    throw new Refusal('VALIDATION_FAILED', {
      field: 'kind',
      message: `kind must be kinds of entries; "${wanted}" is none`,
    })
  })
}

const presentEntry = (row: ListedEntry): AuditEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  kind: row.kind,
  actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
  address: row.address,
  userAgent: row.agent,
  subject: { type: row.subject_type, id: row.subject_id, name: row.subject_name },
  changes: row.changes,
  count: row.count,
})
