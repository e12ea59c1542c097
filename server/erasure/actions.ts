import {
  type ErasedCounts,
  type ErasureInput,
  erasedKinds,
  type LeftRegular,
  type LeftTask,
} from '../../contract/erasure.ts'
import { Refusal } from '../../contract/errors.ts'
import { mostItems } from '../../contract/limits.ts'
import { readPhone } from '../../core/phone.ts'
import { tellChanges } from '../audit/changes.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { commitWithEvents } from '../events/record.ts'
import { collectFiles } from '../files/collect.ts'
import type { Organisation } from '../organisations/queries.ts'
import { listNaming } from '../schedules/naming.ts'
import { beginDriver, forgetDriver } from './driver.ts'
import { type ErasedSet, eraseTasks } from './erase.ts'
import {
  countErased,
  type ErasureRow,
  type FoundTask,
  findTasksOf,
  insertErasures,
  lockErasure,
  noCounts,
  type Sought,
  saveErasure,
} from './queries.ts'
import { eraseTraces, findTraces } from './traces.ts'
import { treatments } from './treatment.ts'

/* Erasing by request: what it will touch, and doing it in sets that a crash cannot leave half done. */

const atOnce = 100
/** A receipt names at most so many tasks. */
const mostOfAReceipt = 1_000
/** More sets than this are left to the worker, so that nobody waits for minutes. */
const mostSetsAtOnce = 20

const addCounts = (one: Partial<ErasedCounts>, other: Partial<ErasedCounts>): ErasedCounts => {
  const sum = noCounts()
  for (const kind of erasedKinds) sum[kind] = (one[kind] ?? 0) + (other[kind] ?? 0)
  return sum
}

export interface Erased {
  erasures: ErasureRow[]
  counts: ErasedCounts
  left: LeftTask[]
  leftRegular: LeftRegular[]
}

export async function eraseByRequest(context: Context, organisation: Organisation, input: ErasureInput) {
  requireOne(input, ['phone', 'email', 'awb', 'driverId'])
  const erased =
    input.driverId === undefined
      ? await eraseCustomer(context, organisation, soughtIn(input, organisation), input.dryRun ?? false)
      : await eraseDriver(context, organisation, input.driverId, input.dryRun ?? false)
  if (erased.erasures.length > 0) await forgetCopies(context, organisation.id)
  return erased
}

/** Exactly one of these may be given. */
export function requireOne<Given extends object>(given: Given, fields: (keyof Given & string)[]) {
  const count = fields.filter((field) => given[field] !== undefined).length
  if (count === 1) return
  const names = `${fields.slice(0, -1).join(', ')} or ${fields.at(-1)}`
  const message = count === 0 ? `${names} is required` : `Give only one of ${names}`
  throw new Refusal('VALIDATION_FAILED', { field: fields[0] as string, message })
}

/** Who is meant. A phone is compared as it is dialled, and as it was typed. */
export function soughtIn({ phone, email, awb }: ErasureInput, { country }: Organisation): Sought {
  if (awb !== undefined) return { awb }
  if (email !== undefined) return { email: email.trim() }
  const typed = (phone ?? '').trim()
  return { phone: readPhone(typed, country) ?? typed, typed }
}

async function eraseCustomer(
  context: Context,
  organisation: Organisation,
  sought: Sought,
  isDryRun: boolean,
): Promise<Erased> {
  const { db } = context
  const found = await findTasksOf(db, organisation.id, sought)
  if ('awb' in sought && found.length === 0) throw new Refusal('TASK_NOT_FOUND', { status: 400, field: 'awb' })
  const fresh = found.filter(({ erased_at }) => erased_at === null)
  const left = fresh.flatMap(reasonToStay).slice(0, mostItems)
  const ids = fresh.filter((task) => reasonToStay(task).length === 0).map(({ id }) => id)
  const traces = 'awb' in sought ? undefined : await findTraces(db, organisation.id, sought)
  const naming = 'awb' in sought ? [] : await listNaming(db, organisation, sought)
  const leftRegular = naming.map(({ kind, id, name }) => ({ kind, id, name }))
  const { customers = 0, messages = 0 } = traces?.counts ?? {}
  if (isDryRun || ids.length + customers + messages === 0) {
    const scope = { organisationId: organisation.id, taskIds: ids }
    const nearby = treatments['locations']?.ofTasks?.rows(scope)
    const counts = nearby ? await countErased(db, scope, nearby) : noCounts()
    return { erasures: [], counts: addCounts(counts, { customers, messages }), left, leftRegular }
  }
  const begun = await db.transaction(async (db) => {
    if (traces) await eraseTraces(db, organisation.id, traces)
    return begin(context, db, organisation.id, { reason: 'request', driver_id: null }, ids, { customers, messages })
  })
  return { ...(await finishAll(context, organisation, begun)), left, leftRegular }
}

const reasonToStay = ({ id, awb, is_over, has_conflict }: FoundTask): LeftTask[] =>
  is_over ? (has_conflict ? [{ taskId: id, awb, because: 'conflict' }] : []) : [{ taskId: id, awb, because: 'open' }]

/** Writes the receipts of an erasure that is to be made, and that somebody asked for it. */
async function begin(
  context: Context,
  db: Db,
  organisationId: number,
  what: Pick<ErasureRow, 'reason' | 'driver_id'>,
  ids: number[],
  counts: Partial<ErasedCounts>,
): Promise<ErasureRow[]> {
  const { actor } = context
  const lists = Array.from({ length: Math.max(1, Math.ceil(ids.length / mostOfAReceipt)) }, (_, index) =>
    ids.slice(index * mostOfAReceipt, (index + 1) * mostOfAReceipt),
  )
  const rows = lists.map((waiting) => ({ ...what, actor_type: actor.type, actor_id: actor.id, hours: null, waiting }))
  const begun = await insertErasures(db, organisationId, rows)
  const entries = begun.map(({ id, reason, waiting, driver_id }) => ({
    kind: 'data.erased' as const,
    subjectId: id,
    changes: tellChanges(null, { reason, tasks: waiting.length, ...(driver_id !== null && { driverId: driver_id }) }),
  }))
  await recordAudit(context, db, organisationId, entries)
  const [first, ...others] = begun as [ErasureRow, ...ErasureRow[]]
  return [await saveErasure(db, organisationId, first.id, { ...first, counts: addCounts(counts, {}) }), ...others]
}

async function finishAll(context: Context, organisation: Organisation, begun: ErasureRow[]) {
  const erasures: ErasureRow[] = []
  let sets = mostSetsAtOnce
  for (const one of begun) {
    const { row, setsMade } = await goOn(context, organisation, one, sets)
    sets -= setsMade
    erasures.push(row)
  }
  return { erasures, counts: erasures.reduce((sum, { counts }) => addCounts(sum, counts), noCounts()) }
}

/** Makes the next sets of an erasure, each in a transaction of its own. */
export async function goOn(context: Context, organisation: Organisation, begun: ErasureRow, mostSets: number) {
  let row = begun
  let setsMade = 0
  for (; row.finished_at === null && setsMade < mostSets; setsMade += 1) {
    const next = await commitWithEvents(context, (db) => makeSet(context, db, organisation, row.id))
    if (!next) break
    row = next
  }
  return { row, setsMade }
}

/** Undefined if another process is at it. */
async function makeSet(context: Context, db: Db, organisation: Organisation, id: number) {
  const row = await lockErasure(db, organisation.id, id)
  if (!row) return undefined
  const some = row.waiting.slice(0, atOnce)
  const keep = ({ taskIds, counts }: ErasedSet) =>
    saveErasure(db, organisation.id, id, {
      task_ids: [...row.task_ids, ...taskIds],
      waiting: row.waiting.slice(some.length),
      counts: addCounts(row.counts, counts),
    })
  return row.driver_id === null
    ? eraseTasks(context, db, organisation, some, keep)
    : keep(await forgetDriver(db, organisation.id, row.driver_id, some))
}

async function eraseDriver(
  context: Context,
  organisation: Organisation,
  driverId: number,
  isDryRun: boolean,
): Promise<Erased> {
  const begun = await context.db.transaction(async (db) => {
    const found = await beginDriver(db, organisation.id, driverId, isDryRun)
    if (isDryRun || found.isErased) return { counts: found.counts, rows: [] }
    const what = { reason: 'driver', driver_id: driverId } as const
    return { counts: found.counts, rows: await begin(context, db, organisation.id, what, found.taskIds, found.counts) }
  })
  if (begun.rows.length === 0) return { erasures: [], counts: begun.counts, left: [], leftRegular: [] }
  context.announceChanges(['drivers'])
  return { ...(await finishAll(context, organisation, begun.rows)), left: [], leftRegular: [] }
}

/** Bytes of pictures, and documents that were made of them. What fails here is erased all the same, and deleted later. */
export async function forgetCopies(
  service: Pick<Context, 'database' | 'files' | 'kept' | 'log'>,
  organisationId: number,
) {
  try {
    await service.kept.forget(organisationId)
    await collectFiles(service)
  } catch (err) {
    service.log.warn({ err }, 'Deleting erased files failed; a later round retries')
  }
}
