import { Refusal } from '../../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { TaskRow } from '../tables.ts'

/** What is written now would never be erased. Whatever makes a task from another asks this, too. */
export function requireNotErased({ erased_at }: Pick<TaskRow, 'erased_at'>) {
  if (erased_at !== null) throw new Refusal('TASK_ERASED')
}

/** Whether the personal data of a task was erased, even if the task was deleted. */
export const isErased = async (db: Db, organisationId: number, taskId: number) =>
  (await db.find<object>(sql`
    select from tasks where organisation_id = ${organisationId} and id = ${taskId} and erased_at is not null`)) !==
  undefined
