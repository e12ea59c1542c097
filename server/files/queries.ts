import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { columnList, type Row, table, unnest } from '../db/table.ts'
import type { KeptPicture } from '../http/requests/upload.ts'

export const files = table('files', {
  organisation_id: 'bigint',
  id: 'uuid',
  user_id: 'bigint?',
  task_id: 'bigint?',
  store_key: 'text?',
  sha256: 'bytea?',
  type: 'text?',
  bytes: 'integer?',
  width: 'integer?',
  height: 'integer?',
  unused_since: 'timestamptz?',
  created_at: 'timestamptz',
})
export type FileRow = Row<typeof files>

/** Files of further tasks that wait for the bytes of a picture. */
export const sharedFiles = table('shared_files', {
  organisation_id: 'bigint',
  file_id: 'uuid',
  copy_id: 'uuid',
})

export const leftovers = table('leftovers', {
  organisation_id: 'bigint',
  store_key: 'text',
  due_at: 'timestamptz',
})
export type Leftover = Pick<Row<typeof leftovers>, 'organisation_id' | 'store_key'>

/** A day is longer than any backup takes: what it has still to copy is not deleted meanwhile. */
export const insertLeftover = (db: Db, organisationId: number, storeKey: string) =>
  db.run(sql`
    insert into leftovers (organisation_id, store_key, due_at)
    values (${organisationId}, ${storeKey}, now() + interval '1 day')`)

/** The bytes belong to this file from now on. */
export const saveBytes = (db: Db, organisationId: number, id: string, picture: KeptPicture) =>
  db.get<FileRow>(sql`
    with taken as (
      delete from leftovers where organisation_id = ${organisationId} and store_key = ${picture.store_key}
    )
    update files
    set store_key = ${picture.store_key}, sha256 = ${picture.sha256}, type = ${picture.type}, bytes = ${picture.bytes},
      width = ${picture.width}, height = ${picture.height}
    where organisation_id = ${organisationId} and id = ${id}
    returning *`)

/**
 * A file of another task with the same bytes, or one that waits for them. The bytes stay as long as one of the files does.
 */
export const copyFile = (db: Db, { organisation_id, id, user_id }: FileRow, taskId: number) =>
  db.get<FileRow>(sql`
    with copy as (
      insert into files (organisation_id, id, user_id, task_id, store_key, sha256, type, bytes, width, height)
      select organisation_id, gen_random_uuid(), ${user_id}, ${taskId}, store_key, sha256, type, bytes, width, height
      from files where organisation_id = ${organisation_id} and id = ${id}
      returning *
    ), waiting as (
      insert into shared_files (organisation_id, file_id, copy_id)
      select organisation_id, ${id}, id from copy where store_key is null
    )
    select * from copy`)

/** How many other tasks have these bytes, or wait for them. */
export const countCopies = async (db: Db, { organisation_id, id, store_key }: FileRow): Promise<number> =>
  (
    await db.get<{ count: number }>(sql`
      select (select count(*) from files where store_key = ${store_key} and organisation_id = ${organisation_id})
        + (select count(*) from shared_files where organisation_id = ${organisation_id} and file_id = ${id}) as count`)
  ).count

/** One of the files that wait for these bytes. */
export const findWaitingCopy = (db: Db, organisationId: number, id: string) =>
  db.find<{ copy_id: string; task_id: number }>(sql`
    select s.copy_id, f.task_id from shared_files s
    join files f on f.organisation_id = s.organisation_id and f.id = s.copy_id
    where s.organisation_id = ${organisationId} and s.file_id = ${id}
    order by f.task_id, s.copy_id
    limit 1`)

/** It waits no longer. Answers whether it still did. */
export const endWaiting = async (db: Db, organisationId: number, copyId: string): Promise<boolean> =>
  (await db.run(sql`
    delete from shared_files where organisation_id = ${organisationId} and copy_id = ${copyId}`)) > 0

/** The file with this id, created if it is new; locked until the transaction ends. */
export const lockFile = (db: Db, organisationId: number, id: string, userId: number | null) =>
  db.get<FileRow>(sql`
    insert into files (organisation_id, id, user_id, unused_since) values (${organisationId}, ${id}, ${userId}, now())
    on conflict (organisation_id, id) do update set id = excluded.id
    returning *`)

/** Those with these ids that are known, locked until the transaction ends, in the order of their ids. */
export const lockKnownFiles = (db: Db, organisationId: number, ids: string[]) =>
  db.many<FileRow>(sql`
    select * from files where organisation_id = ${organisationId} and id = any(${ids}::uuid[])
    order by id
    for update`)

const expectedColumns = ['id', 'user_id', 'task_id'] as const
export type ExpectedFile = Pick<FileRow, (typeof expectedColumns)[number]>

/** Files of tasks whose bytes are still on their way. Writes nothing where they came meanwhile. */
export const insertExpectedFiles = (db: Db, organisationId: number, given: readonly ExpectedFile[]) =>
  db.run(sql`
    insert into files (organisation_id, ${columnList(expectedColumns)})
    select ${organisationId}, given.* from ${unnest(files, expectedColumns, given)}
    on conflict do nothing`)

/** Each has a use from now on: its task. */
export const markAllUsed = (db: Db, organisationId: number, given: readonly ExpectedFile[]) =>
  db.run(sql`
    update files f set unused_since = null, task_id = given.task_id
    from ${unnest(files, ['id', 'task_id'], given)}
    where f.organisation_id = ${organisationId} and f.id = given.id`)

export const findKnownFile = (db: Db, organisationId: number, id: string) =>
  db.find<FileRow>(sql`select * from files where organisation_id = ${organisationId} and id = ${id} for update`)

/** A file and the driver of its task, if it has one and the task is not deleted. */
export const findFile = (db: Db, organisationId: number, id: string) =>
  db.find<FileRow & { driver_id: number | null }>(sql`
    select f.*, t.user_id as driver_id from files f
    left join tasks t on t.organisation_id = f.organisation_id and t.id = f.task_id and t.deleted_at is null
    where f.organisation_id = ${organisationId} and f.id = ${id}`)

export const markUsed = (db: Db, organisationId: number, id: string, taskId: number | null) =>
  db.run(sql`
    update files set unused_since = null, task_id = ${taskId} where organisation_id = ${organisationId} and id = ${id}`)

/** The file of an avatar or a logo that was taken away, unless it is one still. */
export const markUnused = (db: Db, organisationId: number, id: string, path: string) =>
  db.run(sql`
    update files set unused_since = now()
    where organisation_id = ${organisationId} and id = ${id} and task_id is null
      and not exists (select from users where organisation_id = ${organisationId} and avatar = ${path})
      and not exists (select from organisations where id = ${organisationId} and logo = ${path})`)

/** Files of tasks that are about to be deleted go with them. */
export const deleteFilesOfTasks = (db: Db, organisationId: number, taskIds: number[]) =>
  db.run(sql`
    with gone as (
      delete from files where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])
      returning organisation_id, store_key
    )
    insert into leftovers (organisation_id, store_key, due_at)
    select distinct organisation_id, store_key, now() + interval '1 day' from gone where store_key is not null
    on conflict (organisation_id, store_key) do nothing`)

/** The bytes of a file go, soon; that there was one stays known. */
export const discardFile = (db: Db, organisationId: number, id: string) =>
  db.run(sql`
    with gone as (
      insert into leftovers (organisation_id, store_key, due_at)
      select organisation_id, store_key, now() from files
      where organisation_id = ${organisationId} and id = ${id} and store_key is not null
      on conflict (organisation_id, store_key) do update set due_at = excluded.due_at
    )
    update files set store_key = null, sha256 = null, type = null, bytes = null, width = null, height = null
    where organisation_id = ${organisationId} and id = ${id}`)

/** Bytes that became no file are deleted soon. */
export const discardLeftover = (db: Db, organisationId: number, storeKey: string) =>
  db.run(sql`
    update leftovers set due_at = now() where organisation_id = ${organisationId} and store_key = ${storeKey}`)

/** Some files that nothing has referred to for a month. Two processes that do so at once take different ones. */
export const deleteUnusedFiles = (db: Db, limit: number) =>
  db.run(sql`
    with gone as (
      delete from files
      where (organisation_id, id) in (
        select organisation_id, id from files
        where unused_since < now() - interval '30 days'
        order by unused_since
        limit ${limit}
        for update skip locked)
      returning organisation_id, store_key
    ), noted as (
      insert into leftovers (organisation_id, store_key, due_at)
      select distinct organisation_id, store_key, now() + interval '1 day' from gone where store_key is not null
      on conflict (organisation_id, store_key) do nothing
    )
    select from gone`)

/**
 * Some of what is to be deleted from the store. The same may be deleted twice, which does no harm. What a partner has a
 * file of stays, and becomes a leftover again when that one goes.
 */
export const listDueLeftovers = (db: Db, limit: number) =>
  db.many<Leftover & { is_used: boolean }>(sql`
    select organisation_id, store_key, exists (select from files f where f.store_key = l.store_key) as is_used
    from leftovers l
    where due_at <= now()
    order by due_at
    limit ${limit}`)

export const listFiles = (db: Db, organisationId: number, ids: string[]) =>
  db.many<FileRow>(sql`select * from files where organisation_id = ${organisationId} and id = any(${ids}::uuid[])`)

const copied = ['id', 'user_id', 'task_id', 'store_key', 'sha256', 'type', 'bytes', 'width', 'height'] as const

/** Files of a partner: under the same ids, with the same bytes, once these have arrived. */
export const saveFiles = (db: Db, organisationId: number, given: Pick<FileRow, (typeof copied)[number]>[]) =>
  db.run(sql`
    insert into files as f (organisation_id, ${columnList(copied)})
    select ${organisationId}, given.* from ${unnest(files, copied, given)}
    on conflict (organisation_id, id) do update
    set store_key = excluded.store_key, sha256 = excluded.sha256, type = excluded.type, bytes = excluded.bytes,
      width = excluded.width, height = excluded.height
    where f.task_id = excluded.task_id and f.store_key is null`)

export const deleteLeftovers = (db: Db, gone: Leftover[]) =>
  db.run(sql`
    delete from leftovers l
    using ${unnest(leftovers, ['organisation_id', 'store_key'], gone)}
    where l.organisation_id = given.organisation_id and l.store_key = given.store_key`)
