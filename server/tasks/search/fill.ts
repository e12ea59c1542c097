import { setTimeout as pause } from 'node:timers/promises'
import type { Service } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { addWords, type Worded } from './words.ts'

/*
 * Gives words to tasks that have none: those stored by a version without a search, by one of its processes that still
 * ran, or restored from its backup. Along the ids, each task once, some time after it was created.
 */

export const wordProgress = table('word_progress', { organisation_id: 'bigint', task_id: 'bigint' })

const atOnce = 500
/** A pause after each set, so that requests come first. */
const restMs = 50
/** By then a transaction that began with a lower id has ended, and so has a process of the previous version. */
const settledMs = 10 * 60_000

/** Held until the transaction ends: another process that is at it gets nothing. */
async function lockProgress(db: Db, organisationId: number) {
  await db.run(sql`insert into word_progress (organisation_id) values (${organisationId}) on conflict do nothing`)
  return db.find<{ task_id: number }>(sql`
    select task_id from word_progress where organisation_id = ${organisationId} for update skip locked`)
}

const listNext = async (db: Db, organisationId: number, afterId: number, before: Date) =>
  (
    await db.many<{ id: number }>(sql`
      select id from tasks
      where organisation_id = ${organisationId} and id > ${afterId} and created_at < ${before}
      order by id
      limit ${atOnce}`)
  ).map(({ id }) => id)

/** Those of the tasks that have no words, locked: somebody may be editing them. */
const lockWordless = async (db: Db, organisationId: number, ids: number[]) =>
  (
    await db.many<{ id: number }>(sql`
      select id from tasks t
      where organisation_id = ${organisationId} and id = any(${ids}::bigint[]) and deleted_at is null
        and not exists (select from task_words where organisation_id = ${organisationId} and task_id = t.id offset 0)
      order by id
      for no key update`)
  ).map(({ id }) => id)

const listWorded = (db: Db, organisationId: number, ids: number[]) =>
  db.many<Worded>(sql`
    select t.id, t.awb, t.details, t.chain_awbs, t.earlier_awbs, row_to_json(a) as address, row_to_json(c) as customer
    from unnest(${ids}::bigint[]) as wanted (id)
    cross join lateral (select * from tasks where organisation_id = ${organisationId} and id = wanted.id limit 1) t
    cross join lateral (select * from addresses where organisation_id = ${organisationId} and task_id = t.id limit 1) a
    left join lateral (
      select * from customers where organisation_id = ${organisationId} and id = t.customer_id limit 1) c on true`)

/** Looks at the next tasks of an organisation. Returns how many. */
const fillSome = (db: Db, organisation: Pick<Organisation, 'id' | 'country'>, before: Date): Promise<number> =>
  db.transaction(async (db) => {
    const { id } = organisation
    const progress = await lockProgress(db, id)
    const ids = progress ? await listNext(db, id, progress.task_id, before) : []
    const lastId = ids.at(-1)
    if (lastId === undefined) return 0
    const wordless = await lockWordless(db, id, ids)
    if (wordless.length > 0) await addWords(db, organisation, await listWorded(db, id, wordless))
    await db.run(sql`update word_progress set task_id = ${lastId} where organisation_id = ${id}`)
    return ids.length
  })

/** Looks at the tasks of every organisation that were not looked at. */
export async function fillWords({ database, clock }: Pick<Service, 'database' | 'clock'>, stopping: AbortSignal) {
  const before = new Date(clock.now().getTime() - settledMs)
  const organisations = await database.everyone.many<Pick<Organisation, 'id' | 'country'>>(
    sql`select id, country from organisations order by id`,
  )
  for (const organisation of organisations)
    while (!stopping.aborted && (await fillSome(database.of(organisation.id), organisation, before)) === atOnce)
      await pause(restMs)
}
