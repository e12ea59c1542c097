import type { Point } from '../../../core/geo.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { assignments, columnList, type Known, type Row, table, unnest } from '../../db/table.ts'

export const learnedPlaces = table('learned_places', {
  organisation_id: 'bigint',
  address_hash: 'bytea',
  lat: 'double precision?',
  lng: 'double precision?',
  is_by_person: 'boolean',
  seen: 'jsonb',
  task_id: 'bigint',
  updated_at: 'timestamptz',
})
export type LearnedRow = Known<Row<typeof learnedPlaces>, { seen: Point[] }>

const learnedColumns = ['address_hash', 'lat', 'lng', 'is_by_person', 'seen', 'task_id'] as const
export type NewLearned = Pick<LearnedRow, (typeof learnedColumns)[number]>

/** In the order of hashes, like all locks of this table. */
export const saveLearned = (db: Db, organisationId: number, rows: NewLearned[]) =>
  db.run(sql`
    insert into learned_places (organisation_id, ${columnList(learnedColumns)}, updated_at)
    select ${organisationId}, given.*, now() from ${unnest(learnedPlaces, learnedColumns, rows)}
    order by given.address_hash
    on conflict (organisation_id, address_hash) do update set ${assignments(learnedColumns, 'excluded')}, updated_at = now()`)

/** What is known of an address so far, locked, also if that is nothing yet. */
export const lockLearned = (db: Db, organisationId: number, hash: Buffer, taskId: number) =>
  db.get<LearnedRow>(sql`
    insert into learned_places (organisation_id, address_hash, is_by_person, seen, task_id, updated_at)
    values (${organisationId}, ${hash}, false, '[]', ${taskId}, now())
    on conflict (organisation_id, address_hash) do update set updated_at = now()
    returning *`)

export const listLearned = (db: Db, organisationId: number, hashes: Buffer[]) =>
  db.many<Pick<LearnedRow, 'address_hash'> & Point>(sql`
    select address_hash, lat, lng from learned_places
    where organisation_id = ${organisationId} and address_hash = any(${hashes}::bytea[]) and lat is not null`)

/** They were used for these tasks, and are kept as long as the last one. */
export const keepLearnedFor = (db: Db, organisationId: number, used: Pick<NewLearned, 'address_hash' | 'task_id'>[]) =>
  db.run(sql`
    with locked as (
      select l.address_hash, given.task_id
      from ${unnest(learnedPlaces, ['address_hash', 'task_id'], used)}
      join learned_places l on l.organisation_id = ${organisationId} and l.address_hash = given.address_hash
      order by l.address_hash
      for update of l
    )
    update learned_places l set task_id = locked.task_id, updated_at = now()
    from locked
    where l.organisation_id = ${organisationId} and l.address_hash = locked.address_hash
      and l.task_id < locked.task_id`)

export const deleteLearned = (db: Db, organisationId: number, taskIds: number[]) =>
  db.run(sql`
    delete from learned_places where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])`)

/** Deletes those that were not used for longest, beyond so many of an organisation. At most `limit` at a time. */
export const deleteLearnedBeyond = (db: Db, organisationId: number, most: number, limit: number) =>
  db.run(sql`
    delete from learned_places
    where organisation_id = ${organisationId} and address_hash in (
      select address_hash from learned_places
      where organisation_id = ${organisationId} and updated_at <= (
        select updated_at from learned_places
        where organisation_id = ${organisationId}
        order by updated_at desc
        offset ${most}
        limit 1)
      order by updated_at
      limit ${limit})`)
