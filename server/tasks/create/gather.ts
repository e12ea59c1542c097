import type { Refusal } from '../../../contract/errors.ts'
import type { Task, TaskInput } from '../../../contract/task.ts'
import type { Context } from '../../context.ts'
import type { Database } from '../../db/db.ts'
import { isOverloaded, isRefused } from '../../db/faults.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { createTasks } from './create.ts'

/*
 * Creates that arrive while others are being written wait for them and are then written together, with one statement
 * per table. They would have waited for the organisation's event counter anyway, and no response changes: each request
 * is refused for its own reasons, and is answered after the commit.
 */

/** With two sets, Node prepares one while PostgreSQL writes the other; a third would only wait for the counter. */
const mostAtOnce = 2
const largestSet = 100

type Result = Task | Refusal

interface Waiting {
  /** As read for this request: settings may have changed since the previous one. */
  organisation: Organisation
  input: TaskInput
  resolve(result: Result): void
  reject(error: unknown): void
}

interface Gathering {
  waiting: Waiting[]
  running: number
  forget(): void
}

/** By organisation and actor: the tasks of a set have the same creator. */
const gatherings = new WeakMap<Database, Map<string, Gathering>>()

function gatheringOf({ database, actor }: Context, { id }: Organisation): Gathering {
  const here = gatherings.getOrInsertComputed(database, () => new Map())
  const name = `${id} ${actor.type} ${actor.id}`
  return here.getOrInsertComputed(name, () => ({ waiting: [], running: 0, forget: () => here.delete(name) }))
}

export async function createTask(context: Context, organisation: Organisation, input: TaskInput): Promise<Result> {
  if (!context.config.gatherCreates || hasOwnTransaction(context, organisation)) {
    const [result] = await createTasks(context, organisation, [input])
    return result as Result
  }
  const gathering = gatheringOf(context, organisation)
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  gathering.waiting.push({ organisation, input, resolve, reject })
  if (gathering.running < mostAtOnce) void createWaiting(context, gathering)
  return promise
}

/** A request with an Idempotency-Key commits together with its response, so it cannot share a transaction. */
const hasOwnTransaction = ({ db, database }: Context, { id }: Organisation) => db !== database.of(id)

async function createWaiting(context: Context, gathering: Gathering) {
  gathering.running += 1
  while (gathering.waiting.length > 0) await createSet(context, gathering.waiting.splice(0, largestSet))
  gathering.running -= 1
  if (gathering.running === 0) gathering.forget()
}

/** A set the database refused was rolled back; as one request may be the cause, they are then tried one by one. */
async function createSet(context: Context, set: Waiting[]) {
  const { organisation } = set.at(-1) as Waiting
  try {
    const inputs = set.map(({ input }) => input)
    const results = await createTasks(context, organisation, inputs)
    for (const [index, { resolve }] of set.entries()) resolve(results[index] as Result)
  } catch (error) {
    const mayBeOneOfThem = set.length > 1 && isRefused(error) && !isOverloaded(error)
    if (mayBeOneOfThem) for (const one of set) await createSet(context, [one])
    else for (const { reject } of set) reject(error)
  }
}
