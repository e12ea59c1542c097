import { Refusal } from '../../../contract/errors.ts'
import type { TaskInput } from '../../../contract/task.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { draftTask } from './draft.ts'
import { findReferences } from './references.ts'

/** Why this task could not be created now, if it could not. Nothing is stored. */
export async function refuseDraft(
  context: Context,
  db: Db,
  organisation: Organisation,
  input: TaskInput,
): Promise<Refusal | undefined> {
  try {
    const draft = draftTask(input, organisation, context.clock.now())
    return (await findReferences(db, organisation.id, [draft])).problemOf(draft)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
