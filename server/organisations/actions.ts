import type { CompanyUpdate } from '../../contract/company.ts'
import { type ErrorDetail, Refusal, unknownInBody } from '../../contract/errors.ts'
import type { KeyInput, KeyRotation } from '../../contract/key.ts'
import { refusalOf } from '../../contract/read/refusal.ts'
import { lackingScopes } from '../../contract/scopes.ts'
import { firstOrganisation } from '../../core/first-organisation.ts'
import { isCurrency } from '../../core/money.ts'
import { isCountry } from '../../core/phone.ts'
import { mostWindows, readWindows } from '../../core/recipient-choice.ts'
import { type Settings, settingsOf } from '../../core/settings.ts'
import type { WeekdayShift } from '../../core/shift-bounds.ts'
import { isTimeZone, readTime } from '../../core/time.ts'
import { tellChanges } from '../audit/changes.ts'
import { type Acting, type Doer, itself, recordAudit } from '../audit/record.ts'
import type { Config } from '../config.ts'
import { getTime } from '../db/clock.ts'
import type { Db } from '../db/db.ts'
import { claimPicture, dropPicture } from '../files/claims.ts'
import { credentialIn } from '../http/requests/credentials.ts'
import { hashKey, makeKey } from './keys.ts'
import { arePartners, sharesOpenTasks } from './partner-queries.ts'
import { tellName } from './partners.ts'
import {
  beginDelegating,
  findFirstOrganisation,
  type IssuedKey,
  insertAdmin,
  insertKey,
  insertOrganisation,
  isTeam,
  type KeyRow,
  lockFirstStart,
  lockKey,
  lockOrganisation,
  markRevoked,
  nextKeyId,
  type Organisation,
  type OrganisationChange,
  type OrganisationRow,
  replaceKey,
  updateOrganisation,
} from './queries.ts'
import { readShiftTimes } from './shift-times.ts'

/** Creates the first organisation, its admin and its key, once per database, and returns them. */
export function ensureFirstOrganisation(db: Db, first: Config['first']): Promise<MadeOrganisation | undefined> {
  return db.transaction(async (db) => {
    await lockFirstStart(db)
    if (await findFirstOrganisation(db)) return undefined
    // Stored as it will be read from a header, where a first word such as "Bearer" is dropped.
    const key = first.key && credentialIn(first.key)
    return createOrganisation(db, { ...first, name: first.organisation, first_steps: 'setUp' }, key)
  })
}

export interface MadeOrganisation {
  organisation: OrganisationRow
  adminId: number
  key: string
}

export interface NewOrganisation {
  name: string
  country: string
  timezone: string
  currency: string
  /** `setUp` if whoever signs in first is asked for all this. */
  first_steps?: string
}

/** Creates an organisation with its admin and a first key, whose text is known only now. */
export function createOrganisation(
  db: Db,
  given: NewOrganisation,
  chosenKey?: string,
  by = itself,
): Promise<MadeOrganisation> {
  const place = readPlace(given)
  return db.transaction(async (db) => {
    const organisation = await insertOrganisation(db, { ...given, ...place })
    const adminId = await insertAdmin(db, organisation.id, firstOrganisation.admin)
    const { id, name, country, timezone, currency } = organisation
    const changes = tellChanges(null, { name, country, timezone, currency, adminId })
    await recordAudit(by, db, id, [{ kind: 'company.created', subjectId: id, changes }])
    return { organisation, adminId, key: await createKey(db, id, 'First key', chosenKey, by) }
  })
}

/** Changes the given fields and settings and keeps the rest. */
export async function changeOrganisation(
  by: Acting,
  organisation: Organisation,
  { country, moneyDecimals, shiftTimes, settings: others, firstSteps, ...given }: CompanyUpdate,
): Promise<Organisation> {
  const code = typeof country === 'object' ? country.id : country
  // It stands beside the currency, too, because it says how amounts are to be read.
  const settings = moneyDecimals === undefined ? others : { ...others, moneyDecimals }
  const place = readPlace({ ...given, ...(code !== undefined && { country: code }) })
  const steps = firstSteps && { first_steps: firstSteps }
  const hours = shiftTimes && { shift_times: readHours(shiftTimes) }
  const change = { ...given, ...place, ...steps, ...hours, ...(settings && { settings }) }
  if (Object.keys(change).length === 0) return organisation
  const { id } = organisation
  return by.db.transaction(async (db) => {
    const before = await lockOrganisation(db, id)
    await requireKnown(db, id, settingsOf(before), settings)
    requireWindows(settings)
    await refuseOtherMoney(db, before, change)
    const changed = await (change.logo === undefined
      ? updateOrganisation(db, id, change)
      : changeWithLogo(db, before, change, change.logo))
    const changes = tellChanges(tellOrganisation(before), tellOrganisation(changed), hiddenFields)
    if (changes.length > 0) await recordAudit(by, db, id, [{ kind: 'company.changed', subjectId: id, changes }])
    if (settingsOf(before).delegateNewTasksTo === null && settingsOf(changed).delegateNewTasksTo !== null)
      await beginDelegating(db, id)
    if (shownFields.some((field) => before[field] !== changed[field])) await tellName(db, changed)
    return changed
  })
}

/** A rule names whom and what there is. What became of it later is no reason to refuse other changes. */
async function requireKnown(db: Db, organisationId: number, before: Settings, given: Partial<Settings> = {}) {
  const { delegateNewTasksTo: partnerId = null, delegateNewTasksOfTeam: teamId = null } = given
  if (
    partnerId !== null &&
    partnerId !== before.delegateNewTasksTo &&
    !(await arePartners(db, organisationId, partnerId))
  )
    throw unknownInBody(
      'PARTNER_NOT_FOUND',
      'settings.delegateNewTasksTo',
      'delegateNewTasksTo must be the company id of a partner: both sides have to agree first',
    )
  if (teamId !== null && teamId !== before.delegateNewTasksOfTeam && !(await isTeam(db, organisationId, teamId)))
    throw unknownInBody(
      'TEAM_NOT_FOUND',
      'settings.delegateNewTasksOfTeam',
      'delegateNewTasksOfTeam must be the id of one of your teams',
    )
}

/** What customers are to choose from is read when their page is shown: what cannot be read is refused before. */
function requireWindows({ recipientReattemptWindows: windows }: Partial<Settings> = {}) {
  if (windows === undefined || readWindows(windows)) return
  throw new Refusal('VALIDATION_FAILED', {
    field: 'settings.recipientReattemptWindows',
    message: `recipientReattemptWindows must be up to ${mostWindows} windows such as 09:00-13:00, 13:00-18:00`,
    rule: 'format',
  })
}

/**
 * Amounts of shared tasks are the same on both sides, so what they mean stays, too. Whoever gives a task away holds both
 * organisations (tasks/delegate): it is seen here, or sees what is changed here.
 */
async function refuseOtherMoney(db: Db, before: OrganisationRow, { currency, settings }: OrganisationChange) {
  const { moneyDecimals } = settingsOf(before)
  const isOther = currency !== undefined && currency !== before.currency
  if (isOther && (await sharesOpenTasks(db, before.id, false)))
    throw new Refusal('CURRENCY_IN_USE', {
      field: 'currency',
      message: `Open tasks are shared with partners, in ${before.currency}; the currency can be changed when they have ended or were taken back`,
    })
  const losesDecimals = moneyDecimals !== 0 && settings?.moneyDecimals === 0
  if (losesDecimals && (await sharesOpenTasks(db, before.id, true)))
    throw new Refusal('CURRENCY_IN_USE', {
      field: 'settings.moneyDecimals',
      message:
        'Open tasks with decimals are shared with partners; they can be turned off when these have ended or were taken back',
    })
}

async function changeWithLogo(
  db: Db,
  { id, logo: before }: OrganisationRow,
  change: OrganisationChange,
  given: string,
) {
  const logo = given && (await claimPicture(db, id, given, 'logo'))
  const changed = await updateOrganisation(db, id, { ...change, logo })
  await dropPicture(db, id, before, logo)
  return changed
}

function readHours(given: readonly WeekdayShift[]): WeekdayShift[] {
  const problems: ErrorDetail[] = []
  const hours = readShiftTimes(given, problems)
  if (problems.length > 0) throw refusalOf(problems)
  return hours
}

/** What the audit log compares: the fields and the settings. */
const tellOrganisation = (
  organisation: Pick<Organisation, 'settings' | 'shift_times' | (typeof comparedFields)[number]>,
) => ({
  ...Object.fromEntries(comparedFields.map((field) => [field, organisation[field]])),
  shiftTimes: organisation.shift_times,
  ...settingsOf(organisation),
})
const comparedFields = ['name', 'logo', 'email', 'phone', 'country', 'timezone', 'currency'] as const

/** What partners see of it. */
const shownFields = ['name', 'logo', 'email', 'phone'] as const

/** They can be a person's, or are secret. */
const hiddenFields = ['email', 'phone', 'callForwardingRecipient', 'callCenterPhoneNumber', 'googleApiKey']

type Place = Partial<Pick<OrganisationRow, 'country' | 'timezone' | 'currency'>>

const placeRules = {
  country: [isCountry, 'must be a two-letter country code such as RO'],
  timezone: [isTimeZone, 'must be a time zone such as Europe/Bucharest'],
  currency: [isCurrency, 'must be a three-letter currency code such as RON'],
} as const

/** The given country, time zone and currency, checked; codes may be in lower case. */
function readPlace({ country, timezone, currency }: Place): Place {
  const place: Place = {
    ...(country !== undefined && { country: country.toUpperCase() }),
    ...(timezone !== undefined && { timezone }),
    ...(currency !== undefined && { currency: currency.toUpperCase() }),
  }
  const problems: ErrorDetail[] = []
  for (const [field, value] of Object.entries(place)) {
    const [isKnown, says] = placeRules[field as keyof Place]
    if (!isKnown(value)) problems.push({ field, code: 'VALIDATION_FAILED', message: `${field} ${says}` })
  }
  if (problems.length > 0) throw refusalOf(problems)
  return place
}

/** Stores a new key with every scope and returns it; this is the only time its text is known. */
export const createKey = (
  db: Db,
  organisationId: number,
  name: string,
  chosen?: string,
  by = itself,
): Promise<string> =>
  db.transaction(async (db) => {
    const key = await storeKey(db, organisationId, { name, scopes: ['*'], expires_at: null }, chosen)
    await recordCreation(by, db, organisationId, key)
    return key.secret
  })

const recordCreation = (by: Doer, db: Db, organisationId: number, key: KeyRow) =>
  recordAudit(by, db, organisationId, [
    { kind: 'key.created', subjectId: key.id, changes: tellChanges(null, tellKey(key)) },
  ])

/** What the log keeps of a key. */
const tellKey = ({ name, scopes, expires_at }: Pick<KeyRow, 'name' | 'scopes' | 'expires_at'>) => ({
  name,
  scopes,
  expiresAt: expires_at,
})

async function storeKey(
  db: Db,
  organisationId: number,
  key: Pick<KeyRow, 'name' | 'scopes' | 'expires_at'>,
  chosen?: string,
): Promise<IssuedKey> {
  const id = await nextKeyId(db)
  const secret = chosen ?? makeKey(id)
  return { ...(await insertKey(db, organisationId, { ...key, id, hash: hashKey(secret) })), secret }
}

/** Creates a key with no more rights than the caller. */
export async function issueKey(
  by: Acting,
  { id, timezone }: Pick<Organisation, 'id' | 'timezone'>,
  callerScopes: readonly string[],
  { name, scopes = ['*'], expiresAt = null }: KeyInput,
): Promise<IssuedKey> {
  refuseMoreRights(callerScopes, scopes)
  const expires_at = expiresAt === null ? null : await readExpiry(by.db, expiresAt, timezone)
  return by.db.transaction(async (db) => {
    const key = await storeKey(db, id, { name, scopes: [...new Set(scopes)], expires_at })
    await recordCreation(by, db, id, key)
    return key
  })
}

/** Creates a key with the name, scopes and expiry of the old one, which keeps working during the overlap. */
export async function rotateKey(
  by: Acting,
  organisationId: number,
  callerScopes: readonly string[],
  keyId: number,
  { overlapHours = 24 }: KeyRotation,
): Promise<IssuedKey> {
  return by.db.transaction(async (db) => {
    const old = await lockKey(db, organisationId, keyId)
    if (!old) throw new Refusal('KEY_NOT_FOUND')
    if (old.replaced_by !== null)
      throw new Refusal('KEY_REPLACED', {
        message: `This key was already rotated; rotate key ${old.replaced_by}, which replaced it`,
      })
    if (old.is_expired) throw new Refusal('KEY_NOT_FOUND', { message: 'This key has expired; create a new one' })
    refuseMoreRights(callerScopes, old.scopes)
    const issued = await storeKey(db, organisationId, old)
    await replaceKey(db, organisationId, keyId, issued.id, overlapHours)
    const changes = tellChanges(null, { replacedBy: issued.id, overlapHours })
    await recordAudit(by, db, organisationId, [{ kind: 'key.rotated', subjectId: keyId, changes }])
    await recordCreation(by, db, organisationId, issued)
    return issued
  })
}

/** Revokes a key, unless it has more rights than the caller. */
export function revokeKey(
  by: Acting,
  organisationId: number,
  callerScopes: readonly string[],
  keyId: number,
): Promise<void> {
  return by.db.transaction(async (db) => {
    const key = await lockKey(db, organisationId, keyId)
    if (!key) throw new Refusal('KEY_NOT_FOUND')
    refuseMoreRights(callerScopes, key.scopes)
    await markRevoked(db, organisationId, keyId)
    const changes = tellChanges(tellKey(key), null)
    await recordAudit(by, db, organisationId, [{ kind: 'key.revoked', subjectId: keyId, changes }])
  })
}

/** A caller cannot grant rights they do not have, or take them from someone who has more. */
export function refuseMoreRights(callerScopes: readonly string[], rights: readonly string[]) {
  const lacking = lackingScopes(callerScopes, rights)
  if (lacking.length === 0) return
  const message = `You can only grant or revoke rights you have yourself; missing: ${lacking.join(', ')}`
  throw new Refusal('FORBIDDEN', { message })
}

async function readExpiry(db: Db, text: string, timezone: string): Promise<Date> {
  const field = 'expiresAt'
  const time = readTime(text, timezone)
  if (!time) throw new Refusal('INVALID_TIME', { field, message: 'expiresAt must be YYYY-MM-DD HH:MM:SS or ISO 8601' })
  if (time <= (await getTime(db)))
    throw new Refusal('VALIDATION_FAILED', { field, message: 'expiresAt must be in the future' })
  return time
}
