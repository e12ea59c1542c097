import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { type Row, table, unnest } from '../../db/table.ts'

/*
 * Token buckets shared by all processes, without asking the database for every request (docs/decisions/0010). Each
 * process takes from its last known state and reports later, all its buckets in one statement: at once if it has taken
 * half a block from one of them, otherwise within a second. With a whole block unreported it asks before it takes more.
 * So all processes together exceed the limit by at most one block each.
 */

/** A tenth of a bucket's capacity, but at least one token. */
const blocksInABucket = 10
const tellWithinMs = 1_000
/** How many buckets are reported in one statement. */
const atOnce = 1_000
/** Requests wait no longer than this for the database; then this process counts alone for a while. */
const patienceMs = 1_000
const aloneForMs = 2_000

export interface Buckets {
  /** How many tokens are left, as far as this process knows. */
  level(name: string): number
  secondsToNext(name: string): number
  /** Waits if this process has taken so much that it must first hear what the others took. */
  settle(name: string): Promise<void>
  /** False if there is no whole token left. */
  take(name: string): boolean
  /** Both in one step: of many who waited for the same report, each takes only while less than a block is unreported. */
  settleAndTake(name: string): Promise<boolean>
}

interface Bucket {
  tokens: number
  at: number
  /** Taken here and not reported yet. */
  untold: number
}

export interface BucketOptions {
  /** What these buckets are for; it keeps their names apart. */
  kind: string
  capacity: number
  perSecond: number
  /** The database the processes share. Without it this one counts alone. */
  db?: Db | undefined
}

/** Buckets with this capacity and refill per second; an unused one is full. */
export function createBuckets({ kind, capacity, perSecond, db }: BucketOptions): Buckets {
  const buckets = createMemory<Bucket>(mostNames)
  const block = Math.max(1, capacity / blocksInABucket)
  const untold = new Map<string, Bucket>()
  let timer: NodeJS.Timeout | undefined
  let exchanging: Promise<void> | undefined
  let aloneUntil = 0

  const levelOf = ({ tokens, at }: Bucket) => Math.min(capacity, tokens + (now() - at) * perSecond)

  function level(name: string) {
    const bucket = buckets.get(name)
    return bucket ? levelOf(bucket) : capacity
  }

  /** One report at a time: what is taken during one goes into the next. */
  function exchange(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    exchanging ??= tellAndHear().finally(() => {
      exchanging = undefined
      if (untold.size > 0) timer ??= setTimeout(exchange, tellWithinMs).unref()
    })
    return exchanging
  }

  async function tellAndHear() {
    const told = [...untold].slice(0, atOnce).map(([name, bucket]) => ({ name, bucket, taken: bucket.untold }))
    for (const { name } of told) untold.delete(name)
    try {
      const levels = await settleBuckets(db as Db, kind, told, capacity, perSecond)
      for (const { name, bucket, taken } of told) {
        bucket.untold -= taken
        const tokens = levels.get(name) as number
        Object.assign(bucket, { tokens: Math.min(capacity, tokens - bucket.untold), at: now() })
      }
      aloneUntil = 0
    } catch {
      // The database is unreachable. What was taken in the meantime is forgotten.
      for (const { bucket } of told) bucket.untold = 0
      aloneUntil = now() + aloneForMs / 1_000
    }
  }

  function mustAsk(name: string) {
    const bucket = buckets.get(name)
    return bucket && db && bucket.untold >= block && levelOf(bucket) >= 1 && now() >= aloneUntil
  }

  const ask = () =>
    inTime(exchange(), () => {
      aloneUntil = now() + aloneForMs / 1_000
    })

  function take(name: string) {
    const bucket = buckets.get(name) ?? { tokens: capacity, at: now(), untold: 0 }
    const tokens = levelOf(bucket)
    if (tokens < 1) return false
    Object.assign(bucket, { tokens: tokens - 1, at: now() })
    buckets.set(name, bucket)
    if (!db) return true
    bucket.untold += 1
    untold.set(name, bucket)
    if (bucket.untold >= block / 2 && now() >= aloneUntil) void exchange()
    else timer ??= setTimeout(exchange, tellWithinMs).unref()
    return true
  }

  return {
    level,
    secondsToNext: (name) => Math.max(0, 1 - level(name)) / perSecond,
    take,
    async settle(name) {
      while (mustAsk(name)) await ask()
    },
    async settleAndTake(name) {
      while (mustAsk(name)) await ask()
      return take(name)
    },
  }
}

const now = () => performance.now() / 1_000

async function inTime(work: Promise<void>, otherwise: () => void) {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    otherwise()
    resolve()
  }, patienceMs)
  await Promise.race([work, late])
  clearTimeout(timer)
}

// ---- What processes share ----

export const rateBuckets = table('rate_buckets', { name: 'text', tokens: 'double precision', filled_at: 'timestamptz' })

type Told = { name: string; taken: number }

/** Subtracts what was taken and returns what is left. Ordered by name, to avoid deadlocks. */
async function settleBuckets(db: Db, kind: string, told: Told[], capacity: number, perSecond: number) {
  const given = told.map(({ name, taken }) => ({ name: `${kind} ${name}`, tokens: capacity - taken }))
  const rows = await db.many<Pick<Row<typeof rateBuckets>, 'name' | 'tokens'>>(sql`
    insert into rate_buckets as known (name, tokens, filled_at)
    select name, tokens, clock_timestamp() from ${unnest(rateBuckets, ['name', 'tokens'], given)}
    order by name
    on conflict (name) do update set
      tokens = excluded.tokens - ${capacity}::float8 + least(${capacity}::float8, known.tokens
        + ${perSecond}::float8 * greatest(0, extract(epoch from clock_timestamp() - known.filled_at)::float8)),
      filled_at = clock_timestamp()
    returning name, tokens`)
  return new Map(rows.map(({ name, tokens }) => [name.slice(kind.length + 1), tokens]))
}

/** Buckets unused for this long are full again. */
export const forgetFullBuckets = (db: Db) =>
  db.run(sql`delete from rate_buckets where filled_at < now() - interval '10 minutes'`)

// ---- Memory ----

const mostNames = 20_000

/**
 * Keeps the entries set last and forgets the rest: at most this many names, at least half of them. In two halves,
 * because a Map gets slow when its first entries are deleted one by one (16 µs each at 10,000 names).
 */
export function createMemory<Value>(most = mostNames) {
  let recent = new Map<string, Value>()
  let older = new Map<string, Value>()
  return {
    get: (name: string) => recent.get(name) ?? older.get(name),
    set(name: string, value: Value) {
      recent.set(name, value)
      if (recent.size < most / 2) return
      older = recent
      recent = new Map()
    },
    delete(name: string) {
      recent.delete(name)
      older.delete(name)
    },
  }
}
