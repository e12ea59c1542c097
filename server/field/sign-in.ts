import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import { readPhone } from '../../core/phone.ts'
import type { Context, Service } from '../context.ts'
import type { Db } from '../db/db.ts'
import { type DriverRow, findDriver } from '../drivers/queries.ts'
import type { Authenticate } from '../http/auth.ts'
import type { Organisation } from '../organisations/queries.ts'
import {
  countWrongTry,
  deleteInvitation,
  findDriverByToken,
  findOrganisation,
  insertToken,
  listCountries,
  lockInvitations,
  replaceInvitation,
} from './queries.ts'

const codeLivesMs = 15 * 60_000
const tries = 5

/** A code of six digits is short enough to be told by phone; five tries and fifteen minutes keep it from being guessed. */
export async function inviteDriver(
  { db, config }: Context,
  organisation: Organisation,
  driverId: number,
  ownUrl: string,
) {
  const driver = await findDriver(db, organisation.id, driverId)
  if (!driver) throw new Refusal('DRIVER_NOT_FOUND')
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const expiresAt = new Date(Date.now() + codeLivesMs)
  const hash = hashCode(organisation.id, driverId, code)
  await replaceInvitation(db, organisation.id, { user_id: driverId, hash, tries_left: tries, expires_at: expiresAt })
  // After the #, where no server sees it and no log keeps it.
  const link = `${config.publicUrl ?? ownUrl}/driver#${new URLSearchParams({ phone: driver.phone, code })}`
  return { code, link, expiresAt: expiresAt.toISOString() }
}

export interface SignedIn {
  token: string
  driver: DriverRow
  organisation: Organisation
}

/** Exchanges a code for the token of a device. The same answer for a wrong phone and a wrong code tells nothing. */
export async function signInDriver({ database }: Service, phone: string, code: string): Promise<SignedIn> {
  const signedIn = await database.everyone.transaction((db) => exchangeCode(db, phone, code))
  if (!signedIn) throw new Refusal('UNAUTHORIZED', { message: 'Wrong phone or code, or the code has expired' })
  return signedIn
}

async function exchangeCode(db: Db, phone: string, code: string): Promise<SignedIn | undefined> {
  const countries = await listCountries(db)
  const phones = [...new Set(countries.map((country) => readPhone(phone, country)))].filter((one) => one !== undefined)
  const candidates = await lockInvitations(db, phones)
  const invitation = candidates.find(({ organisation_id, user_id, hash }) =>
    timingSafeEqual(hash, hashCode(organisation_id, user_id, code.trim())),
  )
  if (!invitation) {
    await countWrongTry(db, candidates)
    return undefined
  }
  const { organisation_id: organisationId, user_id: driverId } = invitation
  const token = `wbd_${randomBytes(32).toString('base64url')}`
  await deleteInvitation(db, invitation)
  await insertToken(db, organisationId, driverId, hashToken(token))
  const organisation = (await findOrganisation(db, organisationId)) as Organisation
  return { token, organisation, driver: (await findDriver(db, organisationId, driverId)) as DriverRow }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const hashCode = (organisationId: number, driverId: number, code: string) =>
  sha256(`${organisationId}:${driverId}:${code}`)
const hashToken = sha256

/** Looks a driver's token up at every request: a device that was signed out is out at once. */
export const driverAuthenticator =
  (db: Db): Authenticate<Organisation> =>
  async (token) => {
    const driver = token.startsWith('wbd_') ? await findDriverByToken(db, hashToken(token)) : undefined
    if (!driver) throw new Refusal('UNAUTHORIZED', { message: 'This device is not signed in' })
    return {
      organisation: driver.organisation,
      actor: { type: 'DRIVER', id: driver.id, name: driver.name },
      scopes: [],
    }
  }
