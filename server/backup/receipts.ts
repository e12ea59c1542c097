import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type pg from 'pg'
import { type ErasureReason, erasureReasons } from '../../contract/erasure.ts'
import { actorTypes } from '../../contract/event.ts'

/*
 * The file of receipts, one line for each erasure. It is outside the database and beside backups, because a backup that
 * is older than an erasure brings back what was erased: a restore writes down what has to be erased again, and the server
 * does it before it answers anybody (server/erasure/repeat).
 */

export interface FiledReceipt {
  receipt: string
  organisationId: number
  reason: ErasureReason
  actor: { type: string; id: number | null }
  hours: number | null
  driverId: number | null
  taskIds: number[]
  counts: object
  createdAt: string
  finishedAt: string
}

/** Where the receipts of a backup are. */
export const receiptsBeside = (backupPath: string) => `${backupPath}.receipts.jsonl`

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
const isId = (value: unknown) => isCount(value) && value !== 0
const isOneOf = (list: readonly string[]) => (value: unknown) => list.some((one) => one === value)
const isTime = (value: unknown) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value
const orNull = (check: (value: unknown) => boolean) => (value: unknown) => value === null || check(value)

/** In the order in which they are written. */
const fields: { [Name in keyof FiledReceipt]: (value: unknown) => boolean } = {
  receipt: (value) => typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  organisationId: isId,
  reason: isOneOf(erasureReasons),
  actor: (value) => isObject(value) && isOneOf(actorTypes)(value['type']) && orNull(isId)(value['id']),
  hours: orNull(isCount),
  driverId: orNull(isId),
  taskIds: (value) => Array.isArray(value) && value.every(isId),
  counts: (value) => isObject(value) && Object.values(value).every(isCount),
  createdAt: isTime,
  finishedAt: isTime,
}

function parse(line: string): FiledReceipt | undefined {
  try {
    const value = JSON.parse(line)
    const isReceipt = isObject(value) && Object.entries(fields).every(([name, check]) => check(value[name]))
    if (!isReceipt) return undefined
    return Object.fromEntries(Object.keys(fields).map((name) => [name, value[name]])) as unknown as FiledReceipt
  } catch {
    return undefined
  }
}

/** How every line begins. */
const beginning = '{"receipt":"'

/**
 * Every receipt of a file once. A line that a crash cut off does no harm if it is there again as a whole; any other line
 * that is no receipt is an error that names it.
 */
export async function readReceipts(path: string): Promise<FiledReceipt[]> {
  const found = new Map<string, FiledReceipt>()
  const cut: { number: number; line: string }[] = []
  const refuse = (number: number): never => {
    throw new Error(`Line ${number} of ${path} is not a receipt of an erasure: correct it first. Nothing was restored`)
  }
  let number = 0
  for await (const line of linesOf(path)) {
    number += 1
    if (line.trim() === '') continue
    const receipt = parse(line)
    if (receipt) found.set(receipt.receipt, receipt)
    else if (line.startsWith(beginning) || beginning.startsWith(line)) cut.push({ number, line })
    else refuse(number)
  }
  const texts = cut.length > 0 ? [...found.values()].map((receipt) => JSON.stringify(receipt)) : []
  for (const { number, line } of cut) if (!texts.some((text) => text.startsWith(line))) refuse(number)
  return [...found.values()]
}

/** A line is never longer: a receipt names at most a thousand tasks. */
const longestLine = 1_000_000

async function* linesOf(path: string) {
  let rest = ''
  for await (const piece of createReadStream(path, 'utf8')) {
    const lines: string[] = (rest + piece).split('\n')
    rest = lines.pop() as string
    yield* lines
    // Some other file.
    if (rest.length > longestLine) break
  }
  yield rest
}

/** Copies the whole lines of a file of receipts to a new file. False if there are none, or no such file. */
export async function copyReceipts(from: string, to: string): Promise<boolean> {
  const size = await stat(from).then(
    ({ size }) => size,
    (error) => {
      if (error.code !== 'ENOENT') throw error
      return 0
    },
  )
  if (size === 0) return false
  const file = await open(to, 'wx', 0o600)
  try {
    let rest = Buffer.alloc(0)
    for await (const piece of createReadStream(from)) {
      const whole = Buffer.concat([rest, piece])
      // What comes after the last line may be in the middle of being written.
      const end = whole.lastIndexOf('\n') + 1
      await file.appendFile(whole.subarray(0, end))
      rest = whole.subarray(end)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return true
}

/** Receipts that a restore takes into account. */
export interface GivenReceipts {
  list: FiledReceipt[]
  /** Whether they come from the file to which this installation appends its own. */
  areFiled: boolean
}

const atOnce = 500

/**
 * Writes down what has to be erased again: the receipts that the restored database does not know, or knows only as
 * begun. Those that are not in this installation's file are put into it later. Answers how many are repeated.
 */
export async function writeReceipts(client: pg.Client, { list, areFiled }: GivenReceipts): Promise<number> {
  const { rowCount: isThere } = await client.query(`select where to_regclass('public.erasures') is not null`)
  if (!isThere) return 0
  let repeated = 0
  for (let at = 0; at < list.length; at += atOnce) {
    // An organisation that was created after the backup has nothing in it.
    const { rowCount } = await client.query(
      `insert into erasures (organisation_id, receipt, reason, actor_type, actor_id, hours, driver_id, task_ids, waiting,
         counts, created_at, is_repeated)
       select o.id, r.receipt, r.reason, r.actor ->> 'type', (r.actor ->> 'id')::bigint, r.hours, r."driverId",
         r."taskIds", r."taskIds", r.counts, r."createdAt", true
       from jsonb_to_recordset($1::jsonb) as r (receipt uuid, "organisationId" bigint, reason text, actor jsonb,
         hours integer, "driverId" bigint, "taskIds" jsonb, counts jsonb, "createdAt" timestamptz)
       join organisations o on o.id = r."organisationId"
       order by r."createdAt"
       on conflict (receipt) do update
       set task_ids = excluded.task_ids, waiting = excluded.waiting, counts = excluded.counts, is_repeated = true
       where erasures.finished_at is null`,
      [JSON.stringify(list.slice(at, at + atOnce))],
    )
    repeated += rowCount ?? 0
  }
  const filed = areFiled ? list.map(({ receipt }) => receipt) : []
  await client.query(
    `update erasures set filed_at = case when receipt = any($1::uuid[]) then now() end
     where (filed_at is null) = (receipt = any($1::uuid[]))`,
    [filed],
  )
  return repeated
}
