import type { FirstSteps } from '../../contract/company.ts'
import { type Settings, settingsOf } from '../../core/settings.ts'
import type { WeekdayShift } from '../../core/shift-bounds.ts'
import { Succeeded, Unassigned } from '../../core/task-status.ts'
import type { Db } from '../db/db.ts'
import { locks } from '../db/locks.ts'
import { sql } from '../db/sql.ts'
import { type JsonRow, type Known, type Row, table, unnest } from '../db/table.ts'
import { everything } from '../http/answers/cursor.ts'

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
  settings_changed_at: 'timestamptz?',
  first_steps: 'text',
  shift_times: 'jsonb',
})
type WithHours = { shift_times: WeekdayShift[] }
export type OrganisationRow = Known<Row<typeof organisations>, WithHours>
/** The organisation of a caller, as returned with the key. */
export type Organisation = Known<JsonRow<typeof organisations>, WithHours>

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
  is_dispatcher: 'boolean',
  is_super_admin: 'boolean',
  active: 'boolean',
  has_dismissed_intro: 'boolean',
  transportation_id: 'smallint?',
  shift_start: 'text?',
  shift_end: 'text?',
  lunch_start: 'text?',
  lunch_end: 'text?',
  lunch_minutes: 'integer?',
  shift_times: 'jsonb',
  duty_started_at: 'timestamptz?',
  duty_ended_at: 'timestamptz?',
  first_signed_in_at: 'timestamptz?',
  erased_at: 'timestamptz?',
})
export const delegationProgress = table('delegation_progress', { organisation_id: 'bigint', event_id: 'bigint' })

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
  replaced_by: 'bigint?',
})
export type KeyRow = Row<typeof keys>
/** A key with its text, which is known only when it is made. */
export type IssuedKey = KeyRow & { secret: string }

/** Held until the transaction ends: two servers that start on an empty database create one first organisation. */
export const lockFirstStart = (db: Db) => db.run(sql`select pg_advisory_xact_lock(${locks.firstStart}::bigint)`)

export const findFirstOrganisation = (db: Db) =>
  db.find<OrganisationRow>(sql`select * from organisations order by id limit 1`)

type NewOrganisation = Pick<OrganisationRow, 'name' | 'country' | 'timezone' | 'currency'> &
  Partial<Pick<OrganisationRow, 'first_steps'>>

/** The organisation and the counter that numbers its events. */
export const insertOrganisation = (
  db: Db,
  { name, country, timezone, currency, first_steps = 'done' }: NewOrganisation,
) =>
  db.get<OrganisationRow>(sql`
    with organisation as (
      insert into organisations (name, country, timezone, currency, first_steps)
      values (${name}, ${country}, ${timezone}, ${currency}, ${first_steps})
      returning *
    ), counter as (
      insert into event_counters (organisation_id) select id from organisation
    )
    select * from organisation`)

/** With its own handle. */
export const getOrganisation = async (db: Db, organisationId: number) =>
  (
    await db.get<{ organisation: Organisation }>(sql`
      select row_to_json(o) as organisation from organisations o where id = ${organisationId}`)
  ).organisation

/**
 * The same, and it stays as it is until the transaction ends: for whoever relies on its currency. To be called before
 * partners and tasks are locked, because a change of the organisation tells its partners.
 */
export const holdOrganisation = async (db: Db, organisationId: number) =>
  (
    await db.get<{ organisation: Organisation }>(sql`
      select row_to_json(o) as organisation from organisations o where id = ${organisationId} for share`)
  ).organisation

export const listOrganisations = (db: Db) => db.many<OrganisationRow>(sql`select * from organisations order by id`)

export type OrganisationChange = Partial<
  Pick<
    OrganisationRow,
    'name' | 'logo' | 'email' | 'phone' | 'country' | 'timezone' | 'currency' | 'first_steps' | 'shift_times'
  >
> & { settings?: Partial<Settings> }

export const lockOrganisation = (db: Db, organisationId: number) =>
  db.get<OrganisationRow>(sql`select * from organisations where id = ${organisationId} for no key update`)

const defaults = JSON.stringify(settingsOf({ settings: {} }))

/**
 * Settings are merged in the statement itself, so concurrent changes do not overwrite each other. To choose what is the
 * default anyway is no change.
 */
export const updateOrganisation = async (db: Db, organisationId: number, change: OrganisationChange) => {
  const { name, logo, email, phone, country, timezone, currency, first_steps, shift_times, settings = {} } = change
  const { organisation } = await db.get<{ organisation: Organisation }>(sql`
    update organisations
    set
      name = coalesce(${name}, name),
      logo = coalesce(${logo}, logo),
      email = coalesce(${email}, email),
      phone = case when ${phone !== undefined} then ${phone} else phone end,
      country = coalesce(${country}, country),
      timezone = coalesce(${timezone}, timezone),
      currency = coalesce(${currency}, currency),
      first_steps = coalesce(${first_steps}, first_steps),
      shift_times = coalesce(${shift_times && JSON.stringify(shift_times)}::jsonb, shift_times),
      settings = settings || ${JSON.stringify(settings)}::jsonb,
      settings_changed_at =
        case when (${defaults}::jsonb || settings) @> ${JSON.stringify(settings)}::jsonb then settings_changed_at
          else clock_timestamp() end,
      updated_at = now()
    where id = ${organisationId}
    returning row_to_json(organisations) as organisation`)
  return organisation
}

export const isTeam = async (db: Db, organisationId: number, teamId: number) =>
  (await db.find<object>(sql`select from teams where organisation_id = ${organisationId} and id = ${teamId}`)) !==
  undefined

/** From now on new tasks are delegated: those that there are stay. */
export const beginDelegating = (db: Db, organisationId: number) =>
  db.run(sql`
    insert into delegation_progress (organisation_id, event_id)
    select organisation_id, last_event_id from event_counters where organisation_id = ${organisationId}
    on conflict (organisation_id) do update set event_id = excluded.event_id`)

/** What drivers must do beside the settings has changed: ops from before may have been right then. */
export const markRulesChanged = (db: Db, organisationId: number) =>
  db.run(sql`update organisations set settings_changed_at = clock_timestamp() where id = ${organisationId}`)

export const insertAdmin = async (db: Db, organisationId: number, name: string) =>
  (
    await db.get<{ id: number }>(sql`
      insert into users (organisation_id, name, is_admin) values (${organisationId}, ${name}, true) returning id`)
  ).id

export const nextKeyId = async (db: Db) =>
  (await db.get<{ id: number }>(sql`select nextval(pg_get_serial_sequence('keys', 'id')) as id`)).id

type NewKey = Pick<KeyRow, 'id' | 'name' | 'hash' | 'scopes' | 'expires_at'>

export const insertKey = (db: Db, organisationId: number, { id, name, hash, scopes, expires_at }: NewKey) =>
  db.get<KeyRow>(sql`
    insert into keys (organisation_id, id, name, hash, scopes, expires_at)
    overriding system value
    values (${organisationId}, ${id}, ${name}, ${hash}, ${scopes}, ${expires_at})
    returning *`)

export const listKeys = (db: Db, organisationId: number, afterId = 0, limit = everything) =>
  db.many<KeyRow>(sql`
    select * from keys where organisation_id = ${organisationId} and id > ${afterId} order by id limit ${limit}`)

export const lockKey = (db: Db, organisationId: number, keyId: number) =>
  db.find<KeyRow & { is_expired: boolean }>(sql`
    select *, coalesce(expires_at <= now(), false) as is_expired
    from keys
    where organisation_id = ${organisationId} and id = ${keyId} and revoked_at is null
    for update`)

export const markRevoked = (db: Db, organisationId: number, keyId: number) =>
  db.run(sql`
    update keys set revoked_at = now() where organisation_id = ${organisationId} and id = ${keyId}`)

/** The old key works until the end of the overlap, but never past its own expiry. */
export const replaceKey = (db: Db, organisationId: number, keyId: number, newKeyId: number, overlapHours: number) =>
  db.run(sql`
    update keys
    set replaced_by = ${newKeyId}, expires_at = least(expires_at, now() + make_interval(hours => ${overlapHours}))
    where organisation_id = ${organisationId} and id = ${keyId}`)

export type UsedKey = Pick<KeyRow, 'organisation_id' | 'id'>

export const markKeysUsed = (db: Db, used: UsedKey[]) =>
  db.run(sql`
    update keys k set last_used_at = now()
    from ${unnest(keys, ['organisation_id', 'id'], used)}
    where k.organisation_id = given.organisation_id and k.id = given.id`)

type FoundKey = Pick<KeyRow, 'id' | 'name' | 'scopes'> & {
  is_expired: boolean
  is_revoked: boolean
  /** Whether `last_used_at` is old enough to be written again. */
  is_mark_due: boolean
  organisation: Organisation
}

/** A key and its organisation, by hash alone: the only query before the tenant is known. */
export const findKeyByHash = (db: Db, hash: Buffer) =>
  db.find<FoundKey>(sql`
    select
      k.id, k.name, k.scopes,
      coalesce(k.expires_at <= now(), false) as is_expired,
      k.revoked_at is not null as is_revoked,
      coalesce(k.last_used_at < now() - interval '1 minute', true) as is_mark_due,
      row_to_json(o) as organisation
    from keys k
    join organisations o on o.id = k.organisation_id
    where k.hash = ${hash}`)

/** The rest follows from what there is: a step that was taken once counts, whatever became of it. */
export const findFirstSteps = (db: Db, organisationId: number) =>
  db.get<FirstSteps>(sql`
    select
      exists (select from hubs where organisation_id = ${organisationId}) as hub,
      exists (select from teams where organisation_id = ${organisationId}) as team,
      exists (select from users where organisation_id = ${organisationId} and is_driver) as driver,
      exists (select from invitations where organisation_id = ${organisationId})
        or exists (
          select from users
          where organisation_id = ${organisationId} and is_driver and first_signed_in_at is not null) as invited,
      exists (select from tasks where organisation_id = ${organisationId}) as task,
      exists (select from tasks where organisation_id = ${organisationId} and status_id <> ${Unassigned}) as assigned,
      exists (select from tasks where organisation_id = ${organisationId} and status_id = ${Succeeded}) as delivered`)
