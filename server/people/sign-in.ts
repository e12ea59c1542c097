import type { AuditChange, AuditKind } from '../../contract/audit.ts'
import { Refusal } from '../../contract/errors.ts'
import { type LinkToken, type PasswordByLink, type PasswordChange, roles, type SignIn } from '../../contract/person.ts'
import { nobody, recordFailure } from '../audit/failures.ts'
import { type Acting, type Doer, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { isUnavailable } from '../db/faults.ts'
import type { Authenticate } from '../http/requests/credentials.ts'
import type { Organisation } from '../organisations/queries.ts'
import { emailRefusal, hashToken, makeToken } from './actions.ts'
import { hashPassword, isPassword, nobodysPassword, refuseEasyPassword } from './passwords.ts'
import { roleOf } from './present.ts'
import {
  deleteLink,
  deleteSession,
  deleteSessions,
  findLink,
  findLinkOwner,
  findLogin,
  findSession,
  getLogin,
  insertSession,
  type LinkOwner,
  type Login,
  markSessionUsed,
  renamePerson,
  replacePassword,
  saveLogin,
} from './queries.ts'
import type { AccountLimit } from './tries.ts'

/** Exchanges a password for a session token. An unknown address and a wrong password get the same answer in the same time. */
export const signIn = (context: Context, limit: AccountLimit, { email, password }: SignIn): Promise<string> =>
  limit(email, async (isKnown) => {
    const login = await findLogin(context.db, email.trim())
    const isRight = await isPassword(password, login?.password ?? nobodysPassword, isKnown)
    const token = login?.password && isRight ? await beginSession(context, login) : undefined
    if (!token && login) noteWrongPassword(context, login)
    if (!token) throw new Refusal('UNAUTHORIZED', { message: 'Wrong email or password' })
    return token
  })

const beginSession = ({ db, origin }: Acting, login: Login): Promise<string | undefined> =>
  db.transaction(async (db) => {
    const token = await openSession(db, login)
    if (token) await recordOwn({ actor: self(login), origin }, db, login, 'person.signedIn')
    return token
  })

async function openSession(db: Db, login: Login): Promise<string | undefined> {
  const token = makeToken()
  return (await insertSession(db, login, hashToken(token))) > 0 ? token : undefined
}

/** Nobody waits for it: otherwise an address that exists would be answered later than one that does not. */
function noteWrongPassword({ db, origin, log }: Context, { organisation_id, user_id }: Login) {
  const failure = { organisationId: organisation_id, kind: 'person.passwordWrong', subjectId: user_id } as const
  recordFailure(nobody(origin), db, failure).catch((err) => log.warn({ err }, 'Recording a wrong password failed'))
}

type Whose = Pick<Login, 'organisation_id' | 'user_id'>

/** Somebody who signs in is known by what they sign in with. */
const self = ({ user_id }: Whose) => ({ type: 'ADMIN', id: user_id }) as const

/** What a person does to their own account. */
const recordOwn = (
  by: Doer,
  db: Db,
  { organisation_id, user_id }: Whose,
  kind: AuditKind,
  changes: AuditChange[] = [],
) => recordAudit(by, db, organisation_id, [{ kind, subjectId: user_id, changes }])

export const signOut = (by: Acting, organisationId: number, personId: number, sessionId: number) =>
  by.db.transaction(async (db) => {
    await deleteSession(db, organisationId, sessionId)
    await recordAudit(by, db, organisationId, [{ kind: 'person.signedOut', subjectId: personId }])
  })

export const signOutEverywhere = (by: Acting, organisationId: number, personId: number) =>
  by.db.transaction(async (db) => {
    await deleteSessions(db, organisationId, personId)
    await recordAudit(by, db, organisationId, [{ kind: 'person.signedOutEverywhere', subjectId: personId }])
  })

const deadLink = () =>
  new Refusal('UNAUTHORIZED', { message: 'This link is unknown, used or expired; ask for a new one' })

/** The holder of the token may see this: it lets them in anyway. */
export async function getLinkOwner(db: Db, { token }: LinkToken): Promise<LinkOwner> {
  const owner = await findLinkOwner(db, hashToken(token))
  if (!owner)
    throw new Refusal('UNAUTHORIZED', { message: 'This link is unknown or was already used; ask for a new one' })
  if (owner.is_expired) throw new Refusal('UNAUTHORIZED', { message: 'This link has expired; ask for a new one' })
  return owner
}

/** Uses the link: sets its owner's password and opens a session, whose token this returns. */
export async function setPassword({ db, origin }: Acting, given: PasswordByLink): Promise<string> {
  const hash = hashToken(given.token)
  const link = await findLink(db, hash)
  if (!link) throw deadLink()
  const email = readEmail(link.email, given.email)
  refuseEasyPassword(given.password, email)
  const password = await hashPassword(given.password)
  const { organisation_id, user_id } = link
  try {
    return await db.transaction(async (db) => {
      if ((await deleteLink(db, hash)) === 0) throw deadLink()
      if (given.name !== undefined) await renamePerson(db, organisation_id, user_id, given.name)
      await saveLogin(db, organisation_id, user_id, email, password)
      await deleteSessions(db, organisation_id, user_id)
      const changes = [
        ...(given.name === undefined ? [] : ['name']),
        ...(link.email === null ? ['email'] : []),
        'password',
      ]
      const fields = changes.map((field) => ({ field }))
      await recordOwn({ actor: self(link), origin }, db, link, 'person.passwordSet', fields)
      return (await openSession(db, { organisation_id, user_id, email, password })) as string
    })
  } catch (error) {
    throw emailRefusal(error)
  }
}

/** Invited people keep their address; the first admin chooses one. */
function readEmail(known: string | null, given: string | undefined): string {
  const field = 'email'
  const email = known ?? given
  if (email === undefined)
    throw new Refusal('VALIDATION_FAILED', { field, message: 'email is required', rule: 'required' })
  if (given !== undefined && given.toLowerCase() !== email.toLowerCase())
    throw new Refusal('VALIDATION_FAILED', { field, message: 'email must be the one the link was created for' })
  return email
}

/** Everyone who knew the old password has to sign in again; only this session stays. */
export async function changePassword(
  by: Acting,
  limit: AccountLimit,
  { organisationId, personId, sessionId }: { organisationId: number; personId: number; sessionId: number },
  { currentPassword, password }: PasswordChange,
): Promise<void> {
  const login = await getLogin(by.db, organisationId, personId)
  refuseEasyPassword(password, login.email)
  await limit(login.email, async () => {
    if (await isPassword(currentPassword, login.password ?? nobodysPassword)) return
    await recordFailure(by, by.db, { organisationId, kind: 'person.passwordWrong', subjectId: personId })
    throw new Refusal('WRONG_PASSWORD')
  })
  const hashed = await hashPassword(password)
  await by.db.transaction(async (db) => {
    if ((await replacePassword(db, login, hashed)) === 0) throw new Refusal('WRONG_PASSWORD')
    await deleteSessions(db, organisationId, personId, sessionId)
    await recordOwn(by, db, login, 'person.passwordChanged', [{ field: 'password' }])
  })
}

function throwUnlessUnavailable(error: unknown) {
  if (!isUnavailable(error)) throw error
}

/** Looks up a session for every request: a sign-out applies at once, in every process. */
export const sessionAuthenticator =
  (db: Db): Authenticate<Organisation> =>
  async (token) => {
    const hash = hashToken(token)
    const session = await findSession(db, hash)
    if (!session) throw new Refusal('UNAUTHORIZED', { message: 'This session has ended; sign in again' })
    // Reading must work even if nothing can be written.
    if (session.is_mark_due) await markSessionUsed(db, hash).catch(throwUnlessUnavailable)
    return {
      organisation: session.organisation,
      actor: { type: 'ADMIN', id: session.user_id, name: session.name },
      scopes: roles[roleOf(session)],
      sessionId: session.id,
    }
  }
