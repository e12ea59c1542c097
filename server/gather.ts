import type { Context } from './context.ts'
import type { Database } from './db/db.ts'
import { isOverloaded, isRefused } from './db/faults.ts'

/*
 * Requests that arrive while others are being written wait for them and are then written together, as one set. No
 * response changes: each request gets its own result, and is answered after the commit.
 */

interface GatherOptions<Item, Result> {
  /** How many sets are written at a time. */
  mostAtOnce: number
  largestSet: number
  /** How much of a set an item takes; 1 if not given. */
  sizeOf?: (item: Item) => number
  /** Writes a set in one transaction, with the context of one of its requests. One result per item. */
  write: (context: Context, set: Item[]) => Promise<Result[]>
}

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

interface Gathering<Item, Result> {
  waiting: Waiting<Item, Result>[]
  running: number
}

/** Items with the same name, in the same database, may share a set. */
export function createGatherer<Item, Result>(options: GatherOptions<Item, Result>) {
  const { mostAtOnce, largestSet, sizeOf = () => 1, write } = options
  const gatherings = new WeakMap<Database, Map<string, Gathering<Item, Result>>>()

  async function writeWaiting(context: Context, gathering: Gathering<Item, Result>) {
    gathering.running += 1
    while (gathering.waiting.length > 0) await writeSet(context, takeSet(gathering))
    gathering.running -= 1
  }

  function takeSet({ waiting }: Gathering<Item, Result>) {
    let count = 0
    for (let size = 0; count < waiting.length; count += 1) {
      size += sizeOf((waiting[count] as Waiting<Item, Result>).item)
      if (count > 0 && size > largestSet) break
    }
    return waiting.splice(0, count)
  }

  /** A set the database refused was rolled back; as one request may be the cause, they are then tried one by one. */
  async function writeSet(context: Context, set: Waiting<Item, Result>[]) {
    try {
      const results = await write(
        context,
        set.map(({ item }) => item),
      )
      for (const [index, { resolve }] of set.entries()) resolve(results[index] as Result)
    } catch (error) {
      const mayBeOneOfThem = set.length > 1 && isRefused(error) && !isOverloaded(error)
      if (mayBeOneOfThem) for (const one of set) await writeSet(context, [one])
      else for (const { reject } of set) reject(error)
    }
  }

  return (context: Context, name: string, item: Item): Promise<Result> => {
    const here = gatherings.getOrInsertComputed(context.database, () => new Map())
    const gathering = here.getOrInsertComputed(name, () => ({ waiting: [], running: 0 }))
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    gathering.waiting.push({ item, resolve, reject })
    if (gathering.running < mostAtOnce)
      void writeWaiting(context, gathering).then(() => gathering.running === 0 && here.delete(name))
    return promise
  }
}

/** A request with an Idempotency-Key commits together with its response, so it cannot share a transaction. */
export const hasOwnTransaction = ({ db, database }: Context, organisationId: number) =>
  db !== database.of(organisationId)
