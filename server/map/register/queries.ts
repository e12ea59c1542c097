import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/**
 * What is searched now, the most trusted first: the operator's own places, then those of the current import. None: nothing was
 * imported.
 */
export const listRegisters = async (db: Db): Promise<number[]> =>
  (
    await db.many<{ id: number }>(sql`
      select register_id as id from register_own
      union all
      select id from map_imports where state = 'current' and made ? 'register'`)
  ).map(({ id }) => id)
