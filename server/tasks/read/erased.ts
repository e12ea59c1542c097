import { Refusal } from '../../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { TaskRow } from '../tables.ts'

/** What is written now would never be erased. Whatever makes a task from another asks this, too. */
export function requireNotErased({ erased_at }: Pick<TaskRow, 'erased_at'>) {
  if (erased_at !== null) throw new Refusal('TASK_ERASED')
}

/** Those of the tasks whose personal data was erased, even if they were deleted. */
export const listErased = async (db: Db, organisationId: number, ids: number[]) =>
  (
    await db.many<{ id: number }>(sql`
      select id from tasks
      where organisation_id = ${organisationId} and id = any(${ids}::bigint[]) and erased_at is not null`)
  ).map(({ id }) => id)

export const isErased = async (db: Db, organisationId: number, taskId: number) =>
  (await listErased(db, organisationId, [taskId])).length > 0
