import type { Db } from '../../db/db.ts'
import { raw, sql } from '../../db/sql.ts'
import { type Row, table, unnest } from '../../db/table.ts'
import type { Organisation } from '../../organisations/queries.ts'

/** A token is a device: each sign-in makes one. */
export const driverTokens = table('driver_tokens', {
  organisation_id: 'bigint',
  id: 'bigint',
  user_id: 'bigint',
  hash: 'bytea',
  created_at: 'timestamptz',
  name: 'text?',
  version: 'text?',
  battery: 'smallint?',
  pending: 'integer?',
  last_seen_at: 'timestamptz?',
  device_key_hash: 'bytea?',
})
export type DeviceRow = Row<typeof driverTokens>

export const insertToken = async (
  db: Db,
  organisationId: number,
  driverId: number,
  hash: Buffer,
  deviceKeyHash: Buffer,
) =>
  (
    await db.get<Pick<DeviceRow, 'id'>>(sql`
      insert into driver_tokens (organisation_id, user_id, hash, device_key_hash)
      values (${organisationId}, ${driverId}, ${hash}, ${deviceKeyHash})
      returning id`)
  ).id

/** Gives a device another token, if it is still signed in. */
export const replaceToken = async (
  db: Db,
  organisationId: number,
  deviceId: number,
  hash: Buffer,
  deviceKeyHash: Buffer,
) =>
  (await db.run(sql`
    update driver_tokens set hash = ${hash}, device_key_hash = ${deviceKeyHash}
    where organisation_id = ${organisationId} and id = ${deviceId}`)) > 0

/** Nothing a driver did can have been before it. Later sign-ins change nothing. */
export const noteFirstSignIn = (db: Db, organisationId: number, driverId: number) =>
  db.run(sql`
    update users set first_signed_in_at = now()
    where organisation_id = ${organisationId} and id = ${driverId} and first_signed_in_at is null`)

interface SignedInDriver {
  /** Of the credential, in hexadecimal. */
  hash: string
  id: number
  name: string
  device_id: number
  active: boolean
}

/** Drivers, by organisation, by hashes alone: asked before the tenant is known. */
export const listDriversByHash = (db: Db, column: 'hash' | 'device_key_hash', hashes: Buffer[]) =>
  db.many<{ organisation: Organisation; drivers: SignedInDriver[] }>(sql`
    select row_to_json(o) as organisation,
      json_agg(json_build_object(
        'hash', encode(t.${raw(column)}, 'hex'), 'id', u.id, 'name', u.name, 'device_id', t.id,
        'active', u.active)) as drivers
    from driver_tokens t
    join users u on u.organisation_id = t.organisation_id and u.id = t.user_id
    join organisations o on o.id = t.organisation_id
    where t.${raw(column)} = any(${hashes}::bytea[]) and u.is_driver and u.deleted_at is null
    group by o.id`)

export const listDevices = (db: Db, organisationId: number, driverId: number) =>
  db.many<DeviceRow>(sql`
    select * from driver_tokens
    where organisation_id = ${organisationId} and user_id = ${driverId}
    order by id`)

export const listAllDevices = (db: Db, organisationId: number) =>
  db.many<DeviceRow>(sql`
    select d.* from driver_tokens d
    join users u on u.organisation_id = d.organisation_id and u.id = d.user_id
    where d.organisation_id = ${organisationId} and u.active
    order by d.id`)

/** 0 if the driver has no such device. */
export const deleteDevice = (db: Db, organisationId: number, driverId: number, deviceId: number) =>
  db.run(sql`
    delete from driver_tokens
    where organisation_id = ${organisationId} and user_id = ${driverId} and id = ${deviceId}`)

/** Whether the driver of a device may use it; undefined if it is not signed in. */
export const findSignIn = (db: Db, organisationId: number, deviceId: number) =>
  db.find<{ active: boolean }>(sql`
    select u.active from driver_tokens d
    join users u on u.organisation_id = d.organisation_id and u.id = d.user_id
    where d.organisation_id = ${organisationId} and d.id = ${deviceId}`)

/** Devices that are signed in, when something about their driver last changed, and what was counted of their cash last. */
export const listSignedIn = (db: Db, organisationId: number, deviceIds: number[]) =>
  db.many<{ id: number; driver_changed_at: Date; counted_id: number | null }>(sql`
    select d.id, u.updated_at as driver_changed_at, (
        select max(l.id) from cash_lines l
        where l.organisation_id = d.organisation_id and l.user_id = d.user_id and l.kind <> 'payment'
      ) as counted_id
    from driver_tokens d
    join users u on u.organisation_id = d.organisation_id and u.id = d.user_id
    where d.organisation_id = ${organisationId} and d.id = any(${deviceIds}::bigint[])
      and u.active and u.deleted_at is null`)

export type Report = Pick<DeviceRow, 'name' | 'version' | 'battery' | 'pending'>

/** What is null stays as it was. Written every ten seconds at most, unless there is news. */
export const saveReport = (
  db: Db,
  organisationId: number,
  deviceId: number,
  { name, version, battery, pending }: Report,
) =>
  db.run(sql`
    update driver_tokens d
    set name = coalesce(given.name, d.name), version = coalesce(given.version, d.version),
      battery = coalesce(given.battery, d.battery), pending = coalesce(given.pending, d.pending), last_seen_at = now()
    from (
      select ${name}::text as name, ${version}::text as version, ${battery}::smallint as battery,
        ${pending}::integer as pending
    ) given
    where d.organisation_id = ${organisationId} and d.id = ${deviceId}
      and (
        d.last_seen_at is null or d.last_seen_at < now() - interval '10 seconds'
        or given.name <> d.name or given.version <> d.version or given.battery <> d.battery
        or given.pending <> d.pending)`)

/** The same for devices that only report where they are. */
export const noteBatteries = (db: Db, organisationId: number, given: Pick<DeviceRow, 'id' | 'battery'>[]) =>
  db.run(sql`
    update driver_tokens d
    set battery = coalesce(given.battery, d.battery), last_seen_at = now()
    from ${unnest(driverTokens, ['id', 'battery'], given)}
    where d.organisation_id = ${organisationId} and d.id = given.id
      and (
        d.last_seen_at is null or d.last_seen_at < now() - interval '10 seconds'
        or coalesce(given.battery, d.battery) is distinct from d.battery)`)

export const pushSubscriptions = table('push_subscriptions', {
  organisation_id: 'bigint',
  device_id: 'bigint',
  endpoint: 'text',
  p256dh: 'bytea',
  auth: 'bytea',
  updated_at: 'timestamptz',
  news_event_id: 'bigint',
  told_event_id: 'bigint',
  due_at: 'timestamptz?',
  attempts: 'smallint',
  called_at: 'timestamptz?',
})
export type PushRow = Row<typeof pushSubscriptions>
type NewPush = Pick<PushRow, 'endpoint' | 'p256dh' | 'auth'>

/** A phone that signs in again is a new device with the same subscription: only the new one keeps it. */
export const replacePush = (db: Db, organisationId: number, deviceId: number, { endpoint, p256dh, auth }: NewPush) =>
  db.run(sql`
    with older as (
      delete from push_subscriptions
      where organisation_id = ${organisationId} and endpoint = ${endpoint} and device_id <> ${deviceId}
    ), first as (
      insert into push_progress (organisation_id, event_id)
      select organisation_id, last_event_id from event_counters where organisation_id = ${organisationId}
      on conflict do nothing
    )
    insert into push_subscriptions (organisation_id, device_id, endpoint, p256dh, auth)
    values (${organisationId}, ${deviceId}, ${endpoint}, ${p256dh}, ${auth})
    on conflict (organisation_id, device_id) do update
    set endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth, attempts = 0, updated_at = now()`)

export const deletePush = (db: Db, organisationId: number, deviceId: number) =>
  db.run(sql`
    delete from push_subscriptions where organisation_id = ${organisationId} and device_id = ${deviceId}`)

export const pushProgress = table('push_progress', { organisation_id: 'bigint', event_id: 'bigint' })

export const pushKeys = table('push_keys', { is_only: 'boolean', public_key: 'text', private_key: 'text' })
type PushKeysRow = Pick<Row<typeof pushKeys>, 'public_key' | 'private_key'>

export const findPushKeys = (db: Db) => db.find<PushKeysRow>(sql`select * from push_keys`)

/** Writes nothing if there are some. */
export const insertPushKeys = (db: Db, { public_key, private_key }: PushKeysRow) =>
  db.run(sql`
    insert into push_keys (public_key, private_key) values (${public_key}, ${private_key})
    on conflict do nothing`)

/** What a device was told in the answer to a sync it need not be called for. */
export const noteTold = (db: Db, organisationId: number, deviceId: number, eventId: number) =>
  db.run(sql`
    update push_subscriptions
    set told_event_id = ${eventId}, attempts = 0, due_at = case when news_event_id > ${eventId} then due_at end
    where organisation_id = ${organisationId} and device_id = ${deviceId} and told_event_id < ${eventId}`)
