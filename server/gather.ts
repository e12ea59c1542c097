import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from './context.ts'
import type { Database } from './db/db.ts'
import { isOverloaded, isRefused } from './db/faults.ts'

/*
 * Requests that arrive while others are being written wait for them and are then written together, as one set. No
 * response changes: each request gets its own result, and is answered after the commit.
 */

interface GatherOptions<Item> {
  /** How many sets are written at a time. */
  mostAtOnce: number
  largestSet: number
  /** How much of a set an item takes; 1 if not given. */
  sizeOf?: (item: Item) => number
  /** Items up to this size come before larger ones, in up to half of a set. Who waits longest is passed over once at most. */
  small?: number
}

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Gives each item its result from a set, as `write` returns them: one per item, in their order. */
export function gatherSets<Item, Result>(
  { mostAtOnce, largestSet, sizeOf = () => 1, small = 0 }: GatherOptions<Item>,
  write: (set: Item[]) => Promise<Result[]>,
  whenIdle = () => {},
) {
  let waiting: Waiting<Item, Result>[] = []
  let running = 0
  let wasPassedOver = false

  async function writeWaiting() {
    running += 1
    // Requests that arrived at the same moment are in one set.
    await nextTurn()
    while (waiting.length > 0) await writeSet(takeSet())
    running -= 1
    if (running === 0) whenIdle()
  }

  function takeSet() {
    const set = new Set<Waiting<Item, Result>>()
    let size = 0
    const fill = (most: number, isWanted = (_size: number) => true) => {
      for (const one of waiting) {
        const own = sizeOf(one.item)
        if (set.has(one) || !isWanted(own)) continue
        if (set.size > 0 && size + own > most) return
        set.add(one)
        size += own
      }
    }
    const [first] = waiting
    if (small > 0 && !wasPassedOver) fill(largestSet / 2, (own) => own <= small)
    fill(largestSet)
    wasPassedOver = first !== undefined && !set.has(first)
    waiting = waiting.filter((one) => !set.has(one))
    return [...set]
  }

  /** A set the database refused was rolled back; as one request may be the cause, they are then tried one by one. */
  async function writeSet(set: Waiting<Item, Result>[]) {
    try {
      const results = await write(set.map(({ item }) => item))
      for (const [index, { resolve }] of set.entries()) resolve(results[index] as Result)
    } catch (error) {
      const mayBeOneOfThem = set.length > 1 && isRefused(error) && !isOverloaded(error)
      if (mayBeOneOfThem) for (const one of set) await writeSet([one])
      else for (const { reject } of set) reject(error)
    }
  }

  return (item: Item): Promise<Result> => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    waiting.push({ item, resolve, reject })
    if (running < mostAtOnce) void writeWaiting()
    return promise
  }
}

/**
 * Items with the same name, in the same database, may share a set. `write` writes it in one transaction, with the
 * context of one of its requests.
 */
export function createGatherer<Item, Result>(
  options: GatherOptions<Item> & { write: (context: Context, set: Item[]) => Promise<Result[]> },
) {
  const gatherings = new WeakMap<Database, Map<string, (item: Item) => Promise<Result>>>()
  return (context: Context, name: string, item: Item): Promise<Result> => {
    const here = gatherings.getOrInsertComputed(context.database, () => new Map())
    const write = (set: Item[]) => options.write(context, set)
    return here.getOrInsertComputed(name, () => gatherSets(options, write, () => here.delete(name)))(item)
  }
}

/** A request with an Idempotency-Key commits together with its response, so it cannot share a transaction. */
export const hasOwnTransaction = ({ db, database }: Context, organisationId: number) =>
  db !== database.of(organisationId)

/**
 * Those who ask for the same while it is being read share the next reading, however many they are: each gets what was
 * there after they asked.
 */
export function createSharedReads() {
  const readings = new WeakMap<Database, Map<string, (read: () => Promise<unknown>) => Promise<unknown>>>()
  const readOnce = async (set: (() => Promise<unknown>)[]) => {
    const found = await set[0]?.()
    return set.map(() => found)
  }
  return <Found>({ database }: { database: Database }, name: string, read: () => Promise<Found>) => {
    const here = readings.getOrInsertComputed(database, () => new Map())
    const options = { mostAtOnce: 1, largestSet: Infinity }
    return here.getOrInsertComputed(name, () => gatherSets(options, readOnce, () => here.delete(name)))(
      read,
    ) as Promise<Found>
  }
}
