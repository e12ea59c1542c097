import type { Db } from '../db/db.ts'
import { raw, sql } from '../db/sql.ts'
import { type Row, table } from '../db/table.ts'
import { everything } from '../http/answers/cursor.ts'
import type { Organisation, UserRow } from '../organisations/queries.ts'

export const logins = table('logins', {
  organisation_id: 'bigint',
  user_id: 'bigint',
  email: 'text',
  password: 'text?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
})

export const signInLinks = table('sign_in_links', {
  organisation_id: 'bigint',
  user_id: 'bigint',
  hash: 'bytea',
  expires_at: 'timestamptz',
})
type LinkRow = Row<typeof signInLinks>

export const sessions = table('sessions', {
  organisation_id: 'bigint',
  id: 'bigint',
  user_id: 'bigint',
  hash: 'bytea',
  created_at: 'timestamptz',
  last_used_at: 'timestamptz',
})
type SessionRow = Row<typeof sessions>

/** An admin or a dispatcher, with how they sign in. */
export type PersonRow = Pick<UserRow, 'id' | 'name' | 'is_admin' | 'is_super_admin' | 'created_at' | 'updated_at'> & {
  email: string | null
  has_password: boolean
}

const selectPeople = sql`
  select u.id, u.name, u.is_admin, u.is_super_admin, u.created_at, u.updated_at, l.email, l.password is not null as has_password
  from users u
  left join logins l on l.organisation_id = u.organisation_id and l.user_id = u.id`

const isPerson = raw('(u.is_admin or u.is_dispatcher) and u.deleted_at is null')

export const listPeople = (db: Db, organisationId: number, afterId = 0, limit = everything) =>
  db.many<PersonRow>(sql`
    ${selectPeople}
    where u.organisation_id = ${organisationId} and ${isPerson} and u.id > ${afterId}
    order by u.id
    limit ${limit}`)

export const findPerson = (db: Db, organisationId: number, personId: number) =>
  db.find<PersonRow>(sql`
    ${selectPeople}
    where u.organisation_id = ${organisationId} and u.id = ${personId} and ${isPerson}`)

/** With all admins, in id order: if two admins delete each other at once, one stays. */
export const lockPersonAndAdmins = (db: Db, organisationId: number, personId: number) =>
  db.many<PersonRow>(sql`
    ${selectPeople}
    where u.organisation_id = ${organisationId} and (u.id = ${personId} or u.is_admin) and ${isPerson}
    order by u.id
    for no key update of u`)

export const insertPerson = async (db: Db, organisationId: number, name: string, isAdmin: boolean) =>
  (
    await db.get<{ id: number }>(sql`
      insert into users (organisation_id, name, is_admin, is_dispatcher)
      values (${organisationId}, ${name}, ${isAdmin}, ${!isAdmin})
      returning id`)
  ).id

export const savePerson = (db: Db, organisationId: number, personId: number, name: string, isAdmin: boolean) =>
  db.run(sql`
    update users set name = ${name}, is_admin = ${isAdmin}, is_dispatcher = ${!isAdmin}, updated_at = now()
    where organisation_id = ${organisationId} and id = ${personId}`)

export const saveSuperAdmin = (db: Db, organisationId: number, personId: number, isSuperAdmin: boolean) =>
  db.run(sql`
    update users set is_super_admin = ${isSuperAdmin}, updated_at = now()
    where organisation_id = ${organisationId} and id = ${personId}`)

/** The name stays in the history; everything they could sign in with is removed. */
export const deletePerson = (db: Db, organisationId: number, personId: number) =>
  db.run(sql`
    with login as (
      delete from logins where organisation_id = ${organisationId} and user_id = ${personId}
    ), link as (
      delete from sign_in_links where organisation_id = ${organisationId} and user_id = ${personId}
    ), ended as (
      delete from sessions where organisation_id = ${organisationId} and user_id = ${personId}
    ), strange as (
      delete from known_callers where organisation_id = ${organisationId} and user_id = ${personId}
    )
    update users set deleted_at = now(), updated_at = now()
    where organisation_id = ${organisationId} and id = ${personId}`)

/** Fields not given stay unchanged. */
export const saveLogin = (db: Db, organisationId: number, personId: number, email: string, password: string | null) =>
  db.run(sql`
    insert into logins as l (organisation_id, user_id, email, password)
    values (${organisationId}, ${personId}, ${email}, ${password})
    on conflict (organisation_id, user_id) do update
    set password = coalesce(excluded.password, l.password), updated_at = now()`)

/** A new link replaces the previous one. */
export const saveLink = (db: Db, organisationId: number, personId: number, hash: Buffer) =>
  db.get<Pick<LinkRow, 'expires_at'>>(sql`
    insert into sign_in_links (organisation_id, user_id, hash, expires_at)
    values (${organisationId}, ${personId}, ${hash}, now() + interval '24 hours')
    on conflict (organisation_id, user_id) do update set hash = excluded.hash, expires_at = excluded.expires_at
    returning expires_at`)

/** By hash alone: the holder of the link is not known yet. */
export const findLink = (db: Db, hash: Buffer) =>
  db.find<Pick<LinkRow, 'organisation_id' | 'user_id'> & { email: string | null }>(sql`
    select k.organisation_id, k.user_id, l.email
    from sign_in_links k
    left join logins l on l.organisation_id = k.organisation_id and l.user_id = k.user_id
    where k.hash = ${hash} and k.expires_at > now()`)

/** Whose link it is, even after it expired. */
export const findLinkOwner = (db: Db, hash: Buffer) =>
  db.find<LinkOwner>(sql`
    select u.name, l.email, o.name as organisation, k.expires_at, k.expires_at <= now() as is_expired
    from sign_in_links k
    join users u on u.organisation_id = k.organisation_id and u.id = k.user_id
    join organisations o on o.id = k.organisation_id
    left join logins l on l.organisation_id = k.organisation_id and l.user_id = k.user_id
    where k.hash = ${hash}`)

export interface LinkOwner {
  name: string
  email: string | null
  organisation: string
  expires_at: Date
  is_expired: boolean
}

/** 0 if someone was faster, or the link has expired. */
export const deleteLink = (db: Db, hash: Buffer) =>
  db.run(sql`delete from sign_in_links where hash = ${hash} and expires_at > now()`)

export const deleteLinkOf = (db: Db, organisationId: number, personId: number) =>
  db.run(sql`delete from sign_in_links where organisation_id = ${organisationId} and user_id = ${personId}`)

export const renamePerson = (db: Db, organisationId: number, personId: number, name: string) =>
  db.run(sql`
    update users set name = ${name}, updated_at = now()
    where organisation_id = ${organisationId} and id = ${personId}`)

export interface Login {
  organisation_id: number
  user_id: number
  email: string
  password: string | null
}

/** By address alone: signing in names no organisation. */
export const findLogin = (db: Db, email: string) =>
  db.find<Login>(sql`
    select organisation_id, user_id, email, password from logins where lower(email) = lower(${email})`)

export const getLogin = (db: Db, organisationId: number, personId: number) =>
  db.get<Login>(sql`
    select organisation_id, user_id, email, password from logins
    where organisation_id = ${organisationId} and user_id = ${personId}`)

/** 0 if the password has changed since it was compared. */
export const replacePassword = (db: Db, { organisation_id, user_id, password: old }: Login, password: string) =>
  db.run(sql`
    update logins set password = ${password}, updated_at = now()
    where organisation_id = ${organisation_id} and user_id = ${user_id} and password = ${old}`)

/** A session ends when unused for this long, or this long after it began. */
const isAlive = raw(`s.last_used_at > now() - interval '12 hours' and s.created_at > now() - interval '30 days'`)

/**
 * Opens a session for someone who knew this password, unless it has changed in the meantime: then 0. Deletes their
 * ended sessions.
 */
export const insertSession = (db: Db, { organisation_id, user_id, password }: Login, hash: Buffer) =>
  db.run(sql`
    with over as (
      delete from sessions s
      where s.organisation_id = ${organisation_id} and s.user_id = ${user_id} and not (${isAlive})
    )
    insert into sessions (organisation_id, user_id, hash)
    select organisation_id, user_id, ${hash}::bytea from logins
    where organisation_id = ${organisation_id} and user_id = ${user_id} and password = ${password}
    for share`)

type FoundSession = Pick<SessionRow, 'id' | 'user_id'> &
  Pick<UserRow, 'name' | 'is_admin'> & {
    /** Whether `last_used_at` is old enough to be written again. */
    is_mark_due: boolean
    organisation: Organisation
  }

export const findSession = (db: Db, hash: Buffer) =>
  db.find<FoundSession>(sql`
    select
      s.id, s.user_id, u.name, u.is_admin,
      s.last_used_at < now() - interval '1 minute' as is_mark_due,
      row_to_json(o) as organisation
    from sessions s
    join users u on u.organisation_id = s.organisation_id and u.id = s.user_id
    join organisations o on o.id = s.organisation_id
    where s.hash = ${hash} and ${isAlive} and ${isPerson} and u.active`)

export const markSessionUsed = (db: Db, hash: Buffer) =>
  db.run(sql`update sessions set last_used_at = now() where hash = ${hash}`)

export const deleteSession = (db: Db, organisationId: number, sessionId: number) =>
  db.run(sql`delete from sessions where organisation_id = ${organisationId} and id = ${sessionId}`)

/** All sessions of a person except the one to keep. Without one, their devices and networks are no longer known either. */
export const deleteSessions = (db: Db, organisationId: number, personId: number, keptId = 0) =>
  db.run(sql`
    with strange as (
      delete from known_callers
      where organisation_id = ${organisationId} and user_id = ${personId} and ${keptId}::bigint = 0
    )
    delete from sessions
    where organisation_id = ${organisationId} and user_id = ${personId} and id <> ${keptId}`)

export const serverAddress = table('server_address', { is_only: 'boolean', address: 'text' })

/** The server's public address, for commands that create links without a request. */
export const saveAddress = (db: Db, address: string) =>
  db.run(sql`
    insert into server_address (address) values (${address})
    on conflict (is_only) do update set address = excluded.address where server_address.address <> excluded.address`)

export const findAddress = async (db: Db) =>
  (await db.find<Row<typeof serverAddress>>(sql`select * from server_address`))?.address
