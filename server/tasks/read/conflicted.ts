import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** Those of these tasks about which a driver reported something that nobody has decided yet. No plan takes them away. */
export const listConflicted = async (db: Db, organisationId: number, taskIds: number[]): Promise<ReadonlySet<number>> =>
  new Set(
    (
      await db.many<{ task_id: number }>(sql`
        select distinct task_id from conflicts
        where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[]) and settled_at is null`)
    ).map(({ task_id }) => task_id),
  )
