import type { CashCorrectionInput, CashDay, CashQuery, CloseOutInput, HandInInput } from '../../contract/cash.ts'
import { Refusal, unknownInBody } from '../../contract/errors.ts'
import { mostItems } from '../../contract/limits.ts'
import { differenceOf, needsReason } from '../../core/cash.ts'
import { amountOf, hundredthsOf } from '../../core/money.ts'
import { settingsOf } from '../../core/settings.ts'
import { dayOf } from '../../core/task-day.ts'
import { endOfDay, readDay } from '../../core/time.ts'
import { tellChanges } from '../audit/changes.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { decodeCursor, isId, pageById, pageOf } from '../http/answers/cursor.ts'
import type { Organisation } from '../organisations/queries.ts'
import { lockBag, shareBag } from '../tasks/cash/lines.ts'
import { authorOf } from '../tasks/change/notes.ts'
import { requireDecimals } from '../tasks/change/payments.ts'
import { hasBag } from '../tasks/read/drivers.ts'
import { readDays } from '../tasks/time-span.ts'
import { presentCashLine, presentDay } from './present.ts'
import {
  type DayPlace,
  type Days,
  findCloseOut,
  firstPlace,
  insertCloseOut,
  insertCounted,
  listDays,
  listLines,
  sumDay,
} from './queries.ts'

function readQuery({ day, ...query }: CashQuery, { timezone }: Organisation, now: Date): Days {
  const { isTodayIn, ...days } = readDays(day === undefined ? query : { from: day, to: day }, timezone, now)
  return { ...days, timezone, today: dayOf(now, timezone), todayEnd: isTodayIn ? endOfDay(now, timezone) : undefined }
}

const isDayPlace = (value: unknown): value is DayPlace =>
  Array.isArray(value) && value.length === 2 && /^\d{4}-\d{2}-\d{2}$/.test(String(value[0])) && isId(value[1])

export async function findDays({ db, clock }: Context, organisation: Organisation, query: CashQuery) {
  const { userId = null, cursor, limit = mostItems } = query
  const days = readQuery(query, organisation, clock.now())
  const place = decodeCursor(cursor, firstPlace, isDayPlace)
  const rows = await listDays(db, organisation.id, userId, days, place, limit + 1)
  const { page, ...more } = pageOf(rows, limit, ({ day, user_id }): DayPlace => [day, user_id])
  return { currency: organisation.currency, days: page.map(presentDay), ...more }
}

export async function findLines({ db, clock }: Context, organisation: Organisation, query: CashQuery) {
  const { userId = null, cursor, limit = mostItems } = query
  const days = readQuery(query, organisation, clock.now())
  const { page, ...more } = await pageById({ limit, ...(cursor !== undefined && { cursor }) }, (...part) =>
    listLines(db, organisation.id, userId, days, ...part),
  )
  return { lines: page.map(presentCashLine), ...more }
}

/** A day that has begun, in the organisation's time zone. */
function readPastDay(text: string, { timezone }: Organisation, now: Date): string {
  const day = text.trim()
  if (!readDay(day, timezone))
    throw new Refusal('INVALID_TIME', { field: 'day', message: 'day must look like 2026-11-15' })
  if (day > dayOf(now, timezone))
    throw new Refusal('VALIDATION_FAILED', { field: 'day', message: 'day must not be in the future' })
  return day
}

async function requireDriver(db: Db, organisationId: number, userId: number) {
  if (!(await hasBag(db, organisationId, userId))) throw unknownInBody('DRIVER_NOT_FOUND', 'userId')
}

async function requireOpen(db: Db, organisation: Organisation, userId: number, day: string) {
  const closed = await findCloseOut(db, organisation.id, userId, day)
  if (!closed) return
  throw new Refusal('CASH_DAY_CLOSED', {
    field: 'day',
    message: `${day} was closed by ${closed.closed_by} at ${closed.closed_at.toISOString()}; POST /api/v1/cash/corrections corrects it`,
  })
}

function requireNote(note: string | null | undefined, why: string): string {
  if (note?.trim()) return note
  throw new Refusal('CASH_NOTE_REQUIRED', { field: 'note', message: why })
}

function requireAmount(organisation: Organisation, amount: number, there: readonly number[]) {
  if (amount === 0) throw new Refusal('VALIDATION_FAILED', { field: 'amount', message: 'amount must not be 0' })
  requireDecimals(settingsOf(organisation), amount, there)
}

/** What a day comes to now, in amounts. */
async function sumsOf(db: Db, organisationId: number, userId: number, day: string) {
  const { cash, handed_in } = await sumDay(db, organisationId, userId, day)
  return { cash: amountOf(cash), handedIn: amountOf(handed_in) }
}

async function showDay(context: Context, organisation: Organisation, userId: number, day: string): Promise<CashDay> {
  const { days } = await findDays(context, organisation, { userId, day })
  return days[0] as CashDay
}

/**
 * Closes a day of a driver. What they are just bringing in is waited for, or comes after and counts for the next day: the
 * bag is locked first, and the sums are made after that.
 */
export async function closeOut(context: Context, organisation: Organisation, input: CloseOutInput): Promise<CashDay> {
  const { userId, counted } = input
  const now = context.clock.now()
  await requireDriver(context.db, organisation.id, userId)
  const day = readPastDay(input.day, organisation, now)
  await context.db.transaction(async (db) => {
    await lockBag(db, userId)
    await requireOpen(db, organisation, userId, day)
    const sums = await sumsOf(db, organisation.id, userId, day)
    if (counted !== 0) requireDecimalsOfCounted(organisation, counted, [sums.cash, sums.handedIn])
    const difference = differenceOf(sums, counted)
    const note = needsReason(sums, counted)
      ? requireNote(input.note, sentenceOf(difference, organisation.currency))
      : (input.note ?? null)
    const hundredths = hundredthsOf(counted)
    const line = {
      user_id: userId,
      day,
      kind: 'closeOut',
      method: 'cash',
      hundredths,
      counted_by: await authorOf(context, db, organisation.id),
      occurred_at: now,
    } as const
    const lineId = await insertCounted(db, organisation.id, line, note)
    const handedIn = hundredthsOf(sums.handedIn) + hundredths
    await insertCloseOut(db, organisation.id, { userId, day, lineId, cash: hundredthsOf(sums.cash), handedIn, at: now })
    const changes = tellChanges(null, { day, cash: sums.cash, counted, difference, note }, ['note'])
    await recordAudit(context, db, organisation.id, [{ kind: 'cash.closed', subjectId: userId, changes }])
  })
  return showDay(context, organisation, userId, day)
}

function requireDecimalsOfCounted(organisation: Organisation, counted: number, there: readonly number[]) {
  try {
    requireDecimals(settingsOf(organisation), counted, there)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.code, { field: 'counted', message: error.message.replace(/^amount\b/, 'counted') })
  }
}

const sentenceOf = (difference: number, currency: string) =>
  `${Math.abs(difference)} ${currency} ${difference < 0 ? 'missing' : 'too much'}; note has to say why`

interface Counted {
  kind: 'handIn' | 'correction'
  userId: number
  day: string
  amount: number
  note: string | null
  now: Date
}

/** Adds a line that was counted: a day's other lines, and its close-out, stay as they are. */
async function addCounted(
  context: Context,
  organisation: Organisation,
  { kind, userId, day, amount, note, now }: Counted,
  requireFitting: (db: Db) => Promise<void>,
): Promise<CashDay> {
  await context.db.transaction(async (db) => {
    await shareBag(db, userId)
    await requireFitting(db)
    const { cash, handedIn } = await sumsOf(db, organisation.id, userId, day)
    requireAmount(organisation, amount, [cash, handedIn])
    const line = {
      user_id: userId,
      day,
      kind,
      method: 'cash',
      hundredths: hundredthsOf(amount),
      counted_by: await authorOf(context, db, organisation.id),
      occurred_at: now,
    } as const
    await insertCounted(db, organisation.id, line, note)
    const changes = tellChanges(null, { day, amount, note }, ['note'])
    const told = kind === 'handIn' ? 'cash.handedIn' : 'cash.corrected'
    await recordAudit(context, db, organisation.id, [{ kind: told, subjectId: userId, changes }])
  })
  return showDay(context, organisation, userId, day)
}

export async function handIn(context: Context, organisation: Organisation, input: HandInInput): Promise<CashDay> {
  const { userId, amount } = input
  const now = context.clock.now()
  await requireDriver(context.db, organisation.id, userId)
  const day = readPastDay(input.day ?? dayOf(now, organisation.timezone), organisation, now)
  const note = amount < 0 ? requireNote(input.note, 'note has to say why less was handed in') : (input.note ?? null)
  return addCounted(context, organisation, { kind: 'handIn', userId, day, amount, note, now }, (db) =>
    requireOpen(db, organisation, userId, day),
  )
}

export async function correct(
  context: Context,
  organisation: Organisation,
  input: CashCorrectionInput,
): Promise<CashDay> {
  const { userId, amount, note } = input
  const now = context.clock.now()
  await requireDriver(context.db, organisation.id, userId)
  const day = readPastDay(input.day, organisation, now)
  return addCounted(context, organisation, { kind: 'correction', userId, day, amount, note, now }, async (db) => {
    if (await findCloseOut(db, organisation.id, userId, day)) return
    throw new Refusal('CASH_DAY_OPEN', {
      field: 'day',
      message: `${day} is not closed yet; POST /api/v1/cash/closeOuts closes it`,
    })
  })
}
