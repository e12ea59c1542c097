import type { Task } from '../../../contract/task.ts'
import type { Context } from '../../context.ts'
import { createGatherer, hasOwnTransaction } from '../../gather.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { showTasks, type Wanted } from './timeline.ts'
import type { TaskKey } from './view.ts'

type Gather = ReturnType<typeof createGatherer<Wanted, Task | undefined>>

/** Those who ask for a task at the same time share a statement: to begin one costs more than to read another task. */
const gatherBy = (by: TaskKey): Gather =>
  createGatherer({
    // Node presents one set while PostgreSQL reads the other.
    mostAtOnce: 2,
    // From here on a task hardly gets cheaper.
    largestSet: 32,
    write: ({ database, clock }, set) =>
      showTasks(database.of((set[0] as Wanted).organisation.id), by, set as [Wanted, ...Wanted[]], clock.now()),
  })

const gathers: Record<TaskKey, Gather> = { id: gatherBy('id'), awb: gatherBy('awb') }

/** A task as it is shown. In a transaction of the request's own it is what that has made of it. */
export async function findShownTask(
  context: Context,
  organisation: Organisation,
  by: TaskKey,
  key: number | string,
): Promise<Task | undefined> {
  const wanted = { organisation, key }
  if (!hasOwnTransaction(context, organisation.id)) return gathers[by](context, String(organisation.id), wanted)
  return (await showTasks(context.db, by, [wanted], context.clock.now()))[0]
}
