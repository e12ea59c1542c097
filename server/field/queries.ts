import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { type Row, table, unnest } from '../db/table.ts'
import type { Organisation } from '../organisations/queries.ts'

export const invitations = table('invitations', {
  organisation_id: 'bigint',
  id: 'bigint',
  user_id: 'bigint',
  hash: 'bytea',
  tries_left: 'smallint',
  expires_at: 'timestamptz',
  secret_hash: 'bytea?',
  wrong_from: 'jsonb',
  try_hash: 'bytea?',
  device_id: 'bigint?',
})
export type InvitationRow = Row<typeof invitations>

type NewInvitation = Pick<InvitationRow, 'user_id' | 'hash' | 'secret_hash' | 'tries_left'>

/** A new invitation makes the driver's older ones worthless. Returns until when it is good. */
export const replaceInvitation = async (
  db: Db,
  organisationId: number,
  { user_id, hash, secret_hash, tries_left }: NewInvitation,
) =>
  (
    await db.get<Pick<InvitationRow, 'expires_at'>>(sql`
      with old as (delete from invitations where organisation_id = ${organisationId} and user_id = ${user_id})
      insert into invitations (organisation_id, user_id, hash, secret_hash, tries_left, expires_at)
      values (${organisationId}, ${user_id}, ${hash}, ${secret_hash}, ${tries_left}, now() + interval '15 minutes')
      returning expires_at`)
  ).expires_at

/** How a phone number is read depends on the country, which a driver who signs in has not told us. */
export const listCountries = async (db: Db) =>
  (await db.many<{ country: string }>(sql`select distinct country from organisations`)).map(({ country }) => country)

/** For invitations `i`: nobody has used them, or the same phone did, in a try that it repeats. */
const isFree = (tryHash: Buffer | null) => sql`(i.try_hash is null or i.try_hash = ${tryHash})`

/** Invitations to one of these numbers, in any organisation, for which this address may still try a code. */
export const lockInvitations = (
  db: Db,
  phones: string[],
  network: string,
  triesOfOne: number,
  tryHash: Buffer | null,
) =>
  db.many<InvitationRow>(sql`
    select i.* from invitations i
    join users u on u.organisation_id = i.organisation_id and u.id = i.user_id
    where u.phone = any(${phones}::text[]) and u.is_driver and u.active and u.deleted_at is null
      and i.expires_at > now() and i.tries_left > 0 and ${isFree(tryHash)}
      and coalesce((i.wrong_from ->> ${network})::int, 0) < ${triesOfOne}
    order by i.organisation_id, i.id
    for update of i`)

/** By the hash alone, like any link: we do not know yet who opened it. */
export const lockInvitationBySecret = (db: Db, secretHash: Buffer, tryHash: Buffer | null) =>
  db.find<InvitationRow>(sql`
    select i.* from invitations i
    join users u on u.organisation_id = i.organisation_id and u.id = i.user_id
    where i.secret_hash = ${secretHash} and i.expires_at > now() and ${isFree(tryHash)}
      and u.is_driver and u.active and u.deleted_at is null
    for update of i`)

/** A wrong code counts against every invitation it could have been for. */
export const countWrongTry = (db: Db, tried: InvitationRow[], network: string) =>
  db.run(sql`
    update invitations i
    set tries_left = tries_left - 1,
      wrong_from = wrong_from
        || jsonb_build_object(${network}::text, coalesce((wrong_from ->> ${network})::int, 0) + 1)
    from ${unnest(invitations, ['organisation_id', 'id'], tried)}
    where i.organisation_id = given.organisation_id and i.id = given.id`)

export const noteUse = (db: Db, { organisation_id, id }: InvitationRow, tryHash: Buffer, deviceId: number) =>
  db.run(sql`
    update invitations set try_hash = ${tryHash}, device_id = ${deviceId}
    where organisation_id = ${organisation_id} and id = ${id}`)

export const deleteInvitation = (db: Db, { organisation_id, id }: InvitationRow) =>
  db.run(sql`delete from invitations where organisation_id = ${organisation_id} and id = ${id}`)

export const findOrganisation = (db: Db, organisationId: number) =>
  db.find<Organisation>(sql`select * from organisations where id = ${organisationId}`)
