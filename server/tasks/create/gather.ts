import type { Refusal } from '../../../contract/errors.ts'
import type { Task, TaskInput } from '../../../contract/task.ts'
import type { Context } from '../../context.ts'
import { createGatherer, hasOwnTransaction } from '../../gather.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { createTasks } from './create.ts'

type Result = Task | Refusal

interface Create {
  /** As read for this request: settings may have changed since the previous one. */
  organisation: Organisation
  input: TaskInput
}

/** Creates would wait for the organisation's event counter anyway, so they are written together. */
const gather = createGatherer<Create, Result>({
  // Node prepares one set while PostgreSQL writes the other; a third would only wait for the counter.
  mostAtOnce: 2,
  largestSet: 100,
  write: (context, set) =>
    createTasks(
      context,
      (set.at(-1) as Create).organisation,
      set.map(({ input }) => input),
    ),
})

export async function createTask(context: Context, organisation: Organisation, input: TaskInput): Promise<Result> {
  const { actor, config } = context
  if (!config.gatherCreates || hasOwnTransaction(context, organisation.id)) {
    const [result] = await createTasks(context, organisation, [input])
    return result as Result
  }
  // The tasks of a set have the same creator.
  return gather(context, `${organisation.id} ${actor.type} ${actor.id}`, { organisation, input })
}
