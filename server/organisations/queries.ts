import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { type JsonRow, type Row, table } from '../db/table.ts'

export const organisations = table('organisations', {
  id: 'bigint',
  name: 'text',
  logo: 'text',
  email: 'text',
  phone: 'text?',
  country: 'text',
  timezone: 'text',
  currency: 'text',
  settings: 'jsonb',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
})
export type OrganisationRow = Row<typeof organisations>
/** The organisation of a caller, as the look-up of the key brings it along. */
export type Organisation = JsonRow<typeof organisations>

export const users = table('users', {
  organisation_id: 'bigint',
  id: 'bigint',
  name: 'text',
  email: 'text?',
  phone: 'text',
  avatar: 'text?',
  is_driver: 'boolean',
  is_admin: 'boolean',
  in_shift: 'boolean',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  deleted_at: 'timestamptz?',
})
export type UserRow = Row<typeof users>

export const keys = table('keys', {
  organisation_id: 'bigint',
  id: 'bigint',
  name: 'text',
  hash: 'bytea',
  scopes: 'text[]',
  created_at: 'timestamptz',
  last_used_at: 'timestamptz?',
  expires_at: 'timestamptz?',
  revoked_at: 'timestamptz?',
})
export type KeyRow = Row<typeof keys>

/** Held until the transaction ends: two servers that start on one empty database make one first organisation. */
export const lockFirstStart = (db: Db) => db.run(sql`select pg_advisory_xact_lock(7204118202)`)

export const findFirstOrganisation = (db: Db) =>
  db.find<OrganisationRow>(sql`select * from organisations order by id limit 1`)

type NewOrganisation = Pick<OrganisationRow, 'name' | 'country' | 'timezone' | 'currency'>

/** The organisation and the counter that numbers its events. */
export const insertOrganisation = (db: Db, { name, country, timezone, currency }: NewOrganisation) =>
  db.get<OrganisationRow>(sql`
    with organisation as (
      insert into organisations (name, country, timezone, currency)
      values (${name}, ${country}, ${timezone}, ${currency})
      returning *
    ), counter as (
      insert into event_counters (organisation_id) select id from organisation
    )
    select * from organisation`)

export const insertAdmin = (db: Db, organisationId: number, name: string) =>
  db.run(sql`insert into users (organisation_id, name, is_admin) values (${organisationId}, ${name}, true)`)

export const nextKeyId = async (db: Db) =>
  (await db.get<{ id: number }>(sql`select nextval(pg_get_serial_sequence('keys', 'id')) as id`)).id

type NewKey = Pick<KeyRow, 'id' | 'name' | 'hash' | 'scopes'>

export const insertKey = (db: Db, organisationId: number, { id, name, hash, scopes }: NewKey) =>
  db.run(sql`
    insert into keys (organisation_id, id, name, hash, scopes)
    overriding system value
    values (${organisationId}, ${id}, ${name}, ${hash}, ${scopes})`)

/** A key and its organisation, by the hash alone: the one question that is asked before the tenant is known. */
export const findKeyByHash = (db: Db, hash: Buffer) =>
  db.find<
    Pick<KeyRow, 'id' | 'name' | 'scopes'> & { is_expired: boolean; is_revoked: boolean; organisation: Organisation }
  >(sql`
    select
      k.id, k.name, k.scopes,
      coalesce(k.expires_at <= now(), false) as is_expired,
      k.revoked_at is not null as is_revoked,
      row_to_json(o) as organisation
    from keys k
    join organisations o on o.id = k.organisation_id
    where k.hash = ${hash}`)
