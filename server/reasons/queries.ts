import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { assignments, columnList, type Known, type Row, table, unnest } from '../db/table.ts'
import { everything } from '../http/answers/cursor.ts'

export const reasons = table('reasons', {
  organisation_id: 'bigint',
  id: 'bigint',
  code: 'text',
  label: 'text',
  labels: 'jsonb',
  photo_required: 'boolean',
  note_required: 'boolean',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  deleted_at: 'timestamptz?',
})
export type ReasonRow = Known<Row<typeof reasons>, { labels: Record<string, string> }>

const fields = ['label', 'labels', 'photo_required', 'note_required'] as const
export type ReasonFields = Pick<ReasonRow, (typeof fields)[number]>

export const listReasons = (db: Db, organisationId: number, afterId = 0, limit = everything) =>
  db.many<ReasonRow>(sql`
    select * from reasons
    where organisation_id = ${organisationId} and id > ${afterId} and deleted_at is null
    order by id
    limit ${limit}`)

/** Those that have or had these codes, of each code the one that is not deleted first, then the one deleted last. */
export const listReasonsCalled = (db: Db, organisationId: number, codes: readonly string[]) =>
  db.many<ReasonRow>(sql`
    select * from reasons
    where organisation_id = ${organisationId} and code = any(${codes}::text[])
    order by code, deleted_at desc nulls first`)

/** The reason that had this code then: a phone may hear only later that it was deleted. */
export const reasonThen = (called: readonly ReasonRow[], code: string, at: Date) =>
  called.find((reason) => reason.code === code && (reason.deleted_at === null || reason.deleted_at > at))

export const findReason = async (db: Db, organisationId: number, code: string, at: Date) =>
  reasonThen(await listReasonsCalled(db, organisationId, [code]), code, at)

export const lockReason = (db: Db, organisationId: number, id: number) =>
  db.find<ReasonRow>(sql`
    select * from reasons
    where organisation_id = ${organisationId} and id = ${id} and deleted_at is null
    for update`)

const newColumns = ['code', ...fields] as const

export const insertReason = (db: Db, organisationId: number, given: ReasonFields & { code: string }) =>
  db.get<ReasonRow>(sql`
    insert into reasons (organisation_id, ${columnList(newColumns)})
    select ${organisationId}, given.* from ${unnest(reasons, newColumns, [given])}
    returning *`)

export const saveReason = (db: Db, organisationId: number, id: number, given: ReasonFields) =>
  db.get<ReasonRow>(sql`
    update reasons r set ${assignments(fields)}, updated_at = now()
    from ${unnest(reasons, fields, [given])}
    where r.organisation_id = ${organisationId} and r.id = ${id}
    returning r.*`)

export const deleteReason = (db: Db, organisationId: number, id: number) =>
  db.run(sql`
    update reasons set deleted_at = now()
    where organisation_id = ${organisationId} and id = ${id} and deleted_at is null`)
