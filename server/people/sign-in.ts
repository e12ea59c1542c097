import { Refusal } from '../../contract/errors.ts'
import { type LinkToken, type PasswordByLink, type PasswordChange, roles, type SignIn } from '../../contract/person.ts'
import type { Db } from '../db/db.ts'
import { isUnavailable } from '../db/faults.ts'
import type { Authenticate } from '../http/auth.ts'
import type { Organisation } from '../organisations/queries.ts'
import { emailRefusal, hashToken, makeToken } from './actions.ts'
import { hashPassword, isPassword, nobodysPassword, refuseEasyPassword } from './passwords.ts'
import { roleOf } from './present.ts'
import {
  deleteLink,
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
export const signIn = (db: Db, limit: AccountLimit, { email, password }: SignIn): Promise<string> =>
  limit(email, async (isKnown) => {
    const login = await findLogin(db, email.trim())
    const isRight = await isPassword(password, login?.password ?? nobodysPassword, isKnown)
    const token = login?.password && isRight ? await openSession(db, login) : undefined
    if (!token) throw new Refusal('UNAUTHORIZED', { message: 'Wrong email or password' })
    return token
  })

async function openSession(db: Db, login: Login): Promise<string | undefined> {
  const token = makeToken()
  return (await insertSession(db, login, hashToken(token))) > 0 ? token : undefined
}

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
export async function setPassword(db: Db, given: PasswordByLink): Promise<string> {
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
  if (email === undefined) throw new Refusal('VALIDATION_FAILED', { field, message: 'email is required' })
  if (given !== undefined && given.toLowerCase() !== email.toLowerCase())
    throw new Refusal('VALIDATION_FAILED', { field, message: 'email must be the one the link was created for' })
  return email
}

/** Everyone who knew the old password has to sign in again; only this session stays. */
export async function changePassword(
  db: Db,
  limit: AccountLimit,
  { organisationId, personId, sessionId }: { organisationId: number; personId: number; sessionId: number },
  { currentPassword, password }: PasswordChange,
): Promise<void> {
  const login = await getLogin(db, organisationId, personId)
  refuseEasyPassword(password, login.email)
  await limit(login.email, async () => {
    if (!(await isPassword(currentPassword, login.password ?? nobodysPassword))) throw new Refusal('WRONG_PASSWORD')
  })
  const hashed = await hashPassword(password)
  await db.transaction(async (db) => {
    if ((await replacePassword(db, login, hashed)) === 0) throw new Refusal('WRONG_PASSWORD')
    await deleteSessions(db, organisationId, personId, sessionId)
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
