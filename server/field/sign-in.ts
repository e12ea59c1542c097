import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { DriverSignIn } from '../../contract/driver.ts'
import { Refusal } from '../../contract/errors.ts'
import { codeDigits } from '../../contract/limits.ts'
import { readPhone } from '../../core/phone.ts'
import { nobody, recordFailure } from '../audit/failures.ts'
import { type Acting, recordAudit } from '../audit/record.ts'
import type { Context, Origin, Service } from '../context.ts'
import type { Db } from '../db/db.ts'
import { type DriverRow, findDriver } from '../drivers/queries.ts'
import { gatherSets } from '../gather.ts'
import { networkOf } from '../http/limits/networks.ts'
import { type Authenticate, type Caller, driverTokenPrefix } from '../http/requests/credentials.ts'
import type { Organisation } from '../organisations/queries.ts'
import { notSignedIn, requireSignIn } from './devices/devices.ts'
import { insertToken, listDriversByHash, noteFirstSignIn, replaceToken } from './devices/queries.ts'
import {
  countWrongTry,
  deleteInvitation,
  findOrganisation,
  type InvitationRow,
  listCountries,
  lockInvitationBySecret,
  lockInvitations,
  noteUse,
  replaceInvitation,
} from './queries.ts'

/** How many wrong codes may come from one address, and from all of them. */
const triesOfOneAddress = 5
const triesOfAll = 50

/**
 * Six digits are short enough to be told by phone; few tries and fifteen minutes keep them from being guessed. The link
 * has 128 bits of its own: a stranger who knows the phone can use up the tries of the digits, but never the link.
 */
export async function inviteDriver(by: Acting, organisation: Organisation, driverId: number, ownUrl: string) {
  const driver = await findDriver(by.db, organisation.id, driverId)
  if (!driver) throw new Refusal('DRIVER_NOT_FOUND')
  if (!driver.active) throw new Refusal('DRIVER_INACTIVE')
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0')
  const secret = randomBytes(16).toString('base64url')
  const invitation = {
    user_id: driverId,
    hash: hashCode(organisation.id, driverId, code),
    secret_hash: sha256(secret),
    tries_left: triesOfAll,
  }
  const expiresAt = await by.db.transaction(async (db) => {
    await recordAudit(by, db, organisation.id, [{ kind: 'driver.invited', subjectId: driverId }])
    return replaceInvitation(db, organisation.id, invitation)
  })
  // After the #, where no server sees it and no log keeps it.
  const link = `${ownUrl}/driver#${secret}`
  return { code, link, expiresAt: expiresAt.toISOString() }
}

export interface SignedIn {
  token: string
  /** With which a tracking app reports positions, and can do nothing else. */
  deviceKey: string
  driver: DriverRow
  organisation: Organisation
}

/**
 * Exchanges a code, or the secret of a link, for the token of a device. The same answer to every mistake tells nothing. An
 * answer can be lost on its way: a phone that says which try it is can repeat it, and gets another token for the same
 * device.
 */
export async function signInDriver(
  { database, origin }: Context,
  given: DriverSignIn,
  address: string,
): Promise<SignedIn> {
  const signedIn = await database.everyone.transaction(async (db) => {
    const tryHash = given.tryId === undefined ? null : sha256(given.tryId)
    const invitation = await findInvitation(db, given, networkOf(address), tryHash, origin)
    return invitation && acceptInvitation(db, invitation, tryHash, origin)
  })
  if (!signedIn)
    throw given.secret === undefined
      ? new Refusal('UNAUTHORIZED', { message: 'Wrong phone or code, or the code has expired' })
      : linkEnded()
  return signedIn
}

const linkEnded = () =>
  new Refusal('UNAUTHORIZED', { message: 'This link is wrong, was already used, or has expired; ask for a new one' })

/** Whose link it is, so that a phone on which somebody works can ask before it is used. */
export async function describeInvitation({ database }: Service, secret: string) {
  const { everyone } = database
  const invitation = await everyone.transaction((db) => lockInvitationBySecret(db, sha256(secret.trim()), null))
  const driver = invitation && (await findDriver(everyone, invitation.organisation_id, invitation.user_id))
  if (!driver) throw linkEnded()
  return { id: driver.id, name: driver.name }
}

function findInvitation(
  db: Db,
  { phone, code, secret }: DriverSignIn,
  network: string,
  tryHash: Buffer | null,
  origin: Origin,
) {
  if (secret !== undefined) return lockInvitationBySecret(db, sha256(secret.trim()), tryHash)
  if (phone !== undefined && code !== undefined) return findByCode(db, phone, code, network, tryHash, origin)
  const field = phone === undefined ? 'phone' : 'code'
  throw new Refusal('VALIDATION_FAILED', { field, message: `${field} is required, unless there is a secret` })
}

async function findByCode(
  db: Db,
  phone: string,
  code: string,
  network: string,
  tryHash: Buffer | null,
  origin: Origin,
): Promise<InvitationRow | undefined> {
  const countries = await listCountries(db)
  const phones = [...new Set(countries.map((country) => readPhone(phone, country)))].filter((one) => one !== undefined)
  const candidates = await lockInvitations(db, phones, network, triesOfOneAddress, tryHash)
  const invitation = candidates.find(({ organisation_id, user_id, hash }) =>
    timingSafeEqual(hash, hashCode(organisation_id, user_id, code.trim())),
  )
  if (!invitation) await countWrongTry(db, candidates, network)
  if (!invitation)
    for (const { organisation_id: organisationId, user_id: subjectId } of candidates)
      await recordFailure(nobody(origin), db, { organisationId, kind: 'driver.codeWrong', subjectId })
  return invitation
}

async function acceptInvitation(
  db: Db,
  invitation: InvitationRow,
  tryHash: Buffer | null,
  origin: Origin,
): Promise<SignedIn | undefined> {
  const { organisation_id: organisationId, user_id: driverId, device_id } = invitation
  const token = `${driverTokenPrefix}${randomBytes(32).toString('base64url')}`
  const deviceKey = randomBytes(16).toString('base64url')
  const hashes = [hashToken(token), hashToken(deviceKey)] as const
  // The office may have signed out the device of the try before.
  if (device_id !== null && !(await replaceToken(db, organisationId, device_id, ...hashes))) return undefined
  const deviceId = device_id ?? (await insertToken(db, organisationId, driverId, ...hashes))
  if (tryHash) await noteUse(db, invitation, tryHash, deviceId)
  else await deleteInvitation(db, invitation)
  await noteFirstSignIn(db, organisationId, driverId)
  const by = { actor: { type: 'DRIVER', id: driverId }, origin } as const
  const changes = [{ field: 'deviceId', after: deviceId }]
  await recordAudit(by, db, organisationId, [{ kind: 'driver.signedIn', subjectId: driverId, changes }])
  const organisation = (await findOrganisation(db, organisationId)) as Organisation
  return { token, deviceKey, organisation, driver: (await findDriver(db, organisationId, driverId)) as DriverRow }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const hashCode = (organisationId: number, driverId: number, code: string) =>
  sha256(`${organisationId}:${driverId}:${code}`)
const hashToken = sha256

/** Looks a driver's token up at every request: a device that was signed out is out at once. */
export function driverAuthenticator(db: Db): Authenticate<Organisation> {
  const authenticate = authenticator(db, 'hash')
  return async (token) => {
    if (!token.startsWith(driverTokenPrefix)) throw notSignedIn()
    return authenticate(token)
  }
}

/** The same for the key in the address of a tracking app. */
export const deviceAuthenticator = (db: Db) => authenticator(db, 'device_key_hash')

/** A thousand phones report at the same time: those who ask while others are being looked up are looked up together. */
function authenticator(db: Db, column: 'hash' | 'device_key_hash'): Authenticate<Organisation> {
  const lookUp = gatherSets({ mostAtOnce: 2, largestSet: 1_000 }, async (hashes: Buffer[]) => {
    const callers = new Map<string, Caller<Organisation> & { active: boolean }>()
    for (const { organisation, drivers } of await listDriversByHash(db, column, hashes))
      for (const { hash, id, name, device_id, active } of drivers)
        callers.set(hash, {
          organisation,
          actor: { type: 'DRIVER', id, name },
          scopes: [],
          deviceId: device_id,
          active,
        })
    return hashes.map((hash) => callers.get(hash.toString('hex')))
  })
  return async (credential) => requireSignIn(await lookUp(hashToken(credential)))
}
