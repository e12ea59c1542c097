import type { Db } from '../server/db/db.ts'
import type { Sql } from '../server/db/sql.ts'
import type { Statement } from './load.ts'

/** The exact statements of one of our queries, without running them. */
export async function capture(query: (db: Db) => Promise<unknown>): Promise<Statement[]> {
  const asked: Statement[] = []
  const answer =
    <Result>(result: Result) =>
    async ({ text, values }: Sql) => {
      asked.push({ text, values })
      return result
    }
  const db: Db = {
    many: answer([]),
    find: answer(undefined),
    get: answer({} as never),
    run: answer(0),
    finish: answer(undefined),
    transaction: (work) => work(db),
    as: () => db,
  }
  await query(db)
  return asked
}
