import { createHash, randomBytes } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import { longest } from '../../contract/limits.ts'
import { type PersonInput, type PersonUpdate, roles } from '../../contract/person.ts'
import { tellChanges } from '../audit/changes.ts'
import { type Acting, recordAudit } from '../audit/record.ts'
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
  saveSuperAdmin,
} from './queries.ts'

/** Tokens are random, so a plain hash is enough. Only the hash is ever stored. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest()
export const makeToken = () => randomBytes(32).toString('base64url')

/** A link with its token, which is known only now. */
export interface MadeLink {
  token: string
  expiresAt: Date
}

export async function makeLink(db: Db, organisationId: number, personId: number): Promise<MadeLink> {
  const token = makeToken()
  const { expires_at } = await saveLink(db, organisationId, personId, hashToken(token))
  return { token, expiresAt: expires_at }
}

/** After the #, so that it reaches no server and no log. */
export const linkTo = (address: string, { token }: MadeLink) => `${address}/welcome#${token}`

/** Creates the first organisation, and the link with which its admin chooses an email address and a password. */
export function ensureFirstPerson(db: Db, first: Config['first']) {
  return db.transaction(async (db) => {
    const made = await ensureFirstOrganisation(db, first)
    // Whoever started it runs it.
    if (made) await saveSuperAdmin(db, made.organisation.id, made.adminId, true)
    return made && { key: made.key, link: await makeLink(db, made.organisation.id, made.adminId) }
  })
}

export interface Invited {
  person: PersonRow
  link: MadeLink
}

/** Adds a person with no more rights than the caller. */
export async function invitePerson(
  by: Acting,
  organisationId: number,
  callerScopes: readonly string[],
  { email, name = nameFrom(email), role = 'dispatcher' }: PersonInput,
): Promise<Invited> {
  refuseMoreRights(callerScopes, roles[role])
  try {
    return await by.db.transaction(async (db) => {
      const id = await insertPerson(db, organisationId, name, role === 'admin')
      await saveLogin(db, organisationId, id, email, null)
      const link = await makeLink(db, organisationId, id)
      const changes = tellChanges(null, { name, email, role }, personal)
      await recordAudit(by, db, organisationId, [{ kind: 'person.invited', subjectId: id, changes }])
      return { person: (await findPerson(db, organisationId, id)) as PersonRow, link }
    })
  } catch (error) {
    throw emailRefusal(error)
  }
}

/** The audit log says only that they have changed. */
const personal = ['name', 'email']

const nameFrom = (email: string) => (email.split('@')[0] as string).slice(0, longest.name)

/** Only the database knows whether an address is taken, because it sees all organisations. */
export const emailRefusal = (error: unknown) =>
  violatedUnique(error) === 'logins_email' ? new Refusal('EMAIL_TAKEN', { field: 'email' }) : error

/** Creates a link, which lets its holder in. So a caller cannot create one for a person with more rights. */
export function renewLink(
  by: Acting,
  organisationId: number,
  callerScopes: readonly string[],
  personId: number,
): Promise<Invited> {
  return by.db.transaction(async (db) => {
    const { person } = await lockPerson(db, organisationId, callerScopes, personId)
    await recordAudit(by, db, organisationId, [{ kind: 'person.linkCreated', subjectId: personId }])
    return { person, link: await makeLink(db, organisationId, personId) }
  })
}

export function changePerson(
  by: Acting,
  organisationId: number,
  callerScopes: readonly string[],
  personId: number,
  { name, role }: PersonUpdate,
): Promise<PersonRow> {
  return by.db.transaction(async (db) => {
    const { person, isLastAdmin } = await lockPerson(db, organisationId, callerScopes, personId)
    const newRole = role ?? roleOf(person)
    refuseMoreRights(callerScopes, roles[newRole])
    if (isLastAdmin && newRole !== 'admin') throw new Refusal('LAST_ADMIN')
    // Someone who could not create a link for the new role may know an open one.
    if (newRole === 'admin' && !person.is_admin) await deleteLinkOf(db, organisationId, personId)
    await savePerson(db, organisationId, personId, name ?? person.name, newRole === 'admin')
    const before = { name: person.name, role: roleOf(person) }
    const changes = tellChanges(before, { name: name ?? person.name, role: newRole }, personal)
    if (changes.length > 0)
      await recordAudit(by, db, organisationId, [{ kind: 'person.changed', subjectId: personId, changes }])
    return (await findPerson(db, organisationId, personId)) as PersonRow
  })
}

/** Lets an admin see the installation, or no longer. Only whoever runs it decides that, so no scope allows it. */
export function changeSuperAdmin(
  by: Acting,
  organisationId: number,
  personId: number,
  superAdmin: boolean,
): Promise<PersonRow> {
  return by.db.transaction(async (db) => {
    const before = await findPerson(db, organisationId, personId)
    if (!before) throw new Refusal('PERSON_NOT_FOUND')
    if (superAdmin && !before.is_admin)
      throw new Refusal('FORBIDDEN', { message: 'Only an admin can be a super admin' })
    await saveSuperAdmin(db, organisationId, personId, superAdmin)
    const changes = tellChanges({ superAdmin: before.is_super_admin }, { superAdmin })
    if (changes.length > 0)
      await recordAudit(by, db, organisationId, [{ kind: 'person.changed', subjectId: personId, changes }])
    return (await findPerson(db, organisationId, personId)) as PersonRow
  })
}

export function dismissPerson(
  by: Acting,
  organisationId: number,
  callerScopes: readonly string[],
  personId: number,
): Promise<void> {
  return by.db.transaction(async (db) => {
    const { person, isLastAdmin } = await lockPerson(db, organisationId, callerScopes, personId)
    if (isLastAdmin) throw new Refusal('LAST_ADMIN')
    await deletePerson(db, organisationId, personId)
    const { name, email } = person
    const changes = tellChanges({ name, email, role: roleOf(person) }, null, personal)
    await recordAudit(by, db, organisationId, [{ kind: 'person.deleted', subjectId: personId, changes }])
  })
}

/** The person to change; the caller must have at least the same rights. */
async function lockPerson(db: Db, organisationId: number, callerScopes: readonly string[], personId: number) {
  const locked = await lockPersonAndAdmins(db, organisationId, personId)
  const person = locked.find(({ id }) => id === personId)
  if (!person) throw new Refusal('PERSON_NOT_FOUND')
  refuseMoreRights(callerScopes, roles[roleOf(person)])
  return { person, isLastAdmin: person.is_admin && !isReplaceable(person, locked) }
}

/** Whether another admin is left. One who never signed in may never do so, and does not count. */
const isReplaceable = (admin: PersonRow, others: PersonRow[]) =>
  others.some(({ id, is_admin, has_password }) => id !== admin.id && is_admin && (has_password || !admin.has_password))
