import { createHash, randomBytes } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import { longest } from '../../contract/limits.ts'
import { type PersonInput, type PersonUpdate, roles } from '../../contract/person.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import { violatedUnique } from '../db/faults.ts'
import { ensureFirstOrganisation, refuseMoreRights } from '../organisations/actions.ts'
import { roleOf } from './present.ts'
import {
  deleteLinkOf,
  deletePerson,
  findPerson,
  insertPerson,
  lockPersonAndAdmins,
  type PersonRow,
  saveLink,
  saveLogin,
  savePerson,
} from './queries.ts'

/** Tokens are random, so a plain hash is enough. Only the hash is ever stored. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest()
export const makeToken = () => randomBytes(32).toString('base64url')

/** A link at the one moment it is known. */
export interface MadeLink {
  token: string
  expiresAt: Date
}

export async function makeLink(db: Db, organisationId: number, personId: number): Promise<MadeLink> {
  const token = makeToken()
  const { expires_at } = await saveLink(db, organisationId, personId, hashToken(token))
  return { token, expiresAt: expires_at }
}

/** After the #, where no server sees it and no log keeps it. */
export const linkTo = (address: string, { token }: MadeLink) => `${address}/welcome#${token}`

/** Makes the first organisation, and the link by which its admin chooses an e-mail address and a password. */
export function ensureFirstPerson(db: Db, first: Config['first']) {
  return db.transaction(async (db) => {
    const made = await ensureFirstOrganisation(db, first)
    return made && { key: made.key, link: await makeLink(db, made.organisation.id, made.adminId) }
  })
}

export interface Invited {
  person: PersonRow
  link: MadeLink
}

/** A new person with no more rights than whoever asks for them has. */
export async function invitePerson(
  db: Db,
  organisationId: number,
  callerScopes: readonly string[],
  { email, name = nameFrom(email), role = 'dispatcher' }: PersonInput,
): Promise<Invited> {
  refuseMoreRights(callerScopes, roles[role])
  try {
    return await db.transaction(async (db) => {
      const id = await insertPerson(db, organisationId, name, role === 'admin')
      await saveLogin(db, organisationId, id, email, null)
      const link = await makeLink(db, organisationId, id)
      return { person: (await findPerson(db, organisationId, id)) as PersonRow, link }
    })
  } catch (error) {
    throw emailRefusal(error)
  }
}

const nameFrom = (email: string) => (email.split('@')[0] as string).slice(0, longest.name)

/** Whether an address is taken, only the database knows, since it knows all organisations. */
export const emailRefusal = (error: unknown) =>
  violatedUnique(error) === 'logins_email' ? new Refusal('EMAIL_TAKEN', { field: 'email' }) : error

/** A new link, which lets in whoever has it: nobody makes one for a person who may do more than they. */
export function renewLink(
  db: Db,
  organisationId: number,
  callerScopes: readonly string[],
  personId: number,
): Promise<Invited> {
  return db.transaction(async (db) => {
    const { person } = await lockPerson(db, organisationId, callerScopes, personId)
    return { person, link: await makeLink(db, organisationId, personId) }
  })
}

export function changePerson(
  db: Db,
  organisationId: number,
  callerScopes: readonly string[],
  personId: number,
  { name, role }: PersonUpdate,
): Promise<PersonRow> {
  return db.transaction(async (db) => {
    const { person, isLastAdmin } = await lockPerson(db, organisationId, callerScopes, personId)
    const newRole = role ?? roleOf(person)
    refuseMoreRights(callerScopes, roles[newRole])
    if (isLastAdmin && newRole !== 'admin') throw new Refusal('LAST_ADMIN')
    // An open link may be known to somebody who could not have made one for the new role.
    if (newRole === 'admin' && !person.is_admin) await deleteLinkOf(db, organisationId, personId)
    await savePerson(db, organisationId, personId, name ?? person.name, newRole === 'admin')
    return (await findPerson(db, organisationId, personId)) as PersonRow
  })
}

export function dismissPerson(
  db: Db,
  organisationId: number,
  callerScopes: readonly string[],
  personId: number,
): Promise<void> {
  return db.transaction(async (db) => {
    const { isLastAdmin } = await lockPerson(db, organisationId, callerScopes, personId)
    if (isLastAdmin) throw new Refusal('LAST_ADMIN')
    await deletePerson(db, organisationId, personId)
  })
}

/** Somebody who is about to be changed, by a caller who may do at least as much. */
async function lockPerson(db: Db, organisationId: number, callerScopes: readonly string[], personId: number) {
  const locked = await lockPersonAndAdmins(db, organisationId, personId)
  const person = locked.find(({ id }) => id === personId)
  if (!person) throw new Refusal('PERSON_NOT_FOUND')
  refuseMoreRights(callerScopes, roles[roleOf(person)])
  return { person, isLastAdmin: person.is_admin && !isReplaceable(person, locked) }
}

/** Whether another admin is left. One who never signed in may never do so, and cannot stand in for one who has. */
const isReplaceable = (admin: PersonRow, others: PersonRow[]) =>
  others.some(({ id, is_admin, has_password }) => id !== admin.id && is_admin && (has_password || !admin.has_password))
