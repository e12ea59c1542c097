import type { Db } from './db.ts'
import { type Sql, sql } from './sql.ts'

/** Ids for rows about to be inserted, so that rows which refer to them can be written at the same time. */
export const reserveIds = async (db: Db, sequence: Sql, count: number) =>
  (await db.many<{ id: number }>(sql`select ${sequence} as id from generate_series(1, ${count}::int)`)).map(
    ({ id }) => id,
  )
