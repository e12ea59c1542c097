import type { Db } from '../../db/db.ts'
import { raw, sql } from '../../db/sql.ts'
import { type Row, table } from '../../db/table.ts'

export const keptAnswers = table('kept_answers', {
  organisation_id: 'bigint',
  caller: 'text',
  key: 'text',
  fingerprint: 'bytea',
  answer: 'text',
  created_at: 'timestamptz',
})
type KeptAnswerRow = Row<typeof keptAnswers>
export type KeptAnswer = Pick<KeptAnswerRow, 'fingerprint' | 'answer'>

/** One request, identified by its caller's key. */
export type RequestName = Pick<KeptAnswerRow, 'organisation_id' | 'caller' | 'key'>

const isOver = (created: string) => raw(`${created} <= now() - interval '24 hours'`)

export const findKeptAnswer = (db: Db, { organisation_id, caller, key }: RequestName) =>
  db.find<KeptAnswer>(sql`
    select fingerprint, answer from kept_answers
    where organisation_id = ${organisation_id} and caller = ${caller} and key = ${key}
      and not ${isOver('created_at')}`)

/** Held until the transaction ends; false if another transaction holds it, in any process. */
export const tryLockRequest = async (db: Db, { organisation_id, caller, key }: RequestName) => {
  const { locked } = await db.get<{ locked: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${`${caller} ${key}`}, ${organisation_id})) as locked`)
  return locked
}

/** Writes nothing and returns 0 if the request already has an answer. */
export const keepAnswer = (
  db: Db,
  { organisation_id, caller, key }: RequestName,
  { fingerprint, answer }: KeptAnswer,
) =>
  db.run(sql`
    insert into kept_answers as kept (organisation_id, caller, key, fingerprint, answer)
    values (${organisation_id}, ${caller}, ${key}, ${fingerprint}, ${answer})
    on conflict (organisation_id, caller, key) do update
    set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at
    where ${isOver('kept.created_at')}`)

/** Deletes some expired answers. Two processes at once take different rows. */
export const forgetOldAnswers = (db: Db, limit: number) =>
  db.run(sql`
    delete from kept_answers
    where (organisation_id, caller, key) in (
      select organisation_id, caller, key from kept_answers
      where ${isOver('created_at')}
      order by created_at
      limit ${limit}
      for update skip locked)`)
