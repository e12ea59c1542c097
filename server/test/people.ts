import assert from 'node:assert/strict'
import { createSessionCookie } from '../http/requests/session-cookie.ts'
import { hashToken, makeToken } from '../people/actions.ts'
import { hashPassword } from '../people/passwords.ts'
import { insertPerson, insertSession, saveLogin } from '../people/queries.ts'
import { type Reply, request, type TestServer } from './server.ts'

export const aPassword = 'correct horse battery'

let serial = 0
/** A unique address. */
export function anEmail() {
  serial += 1
  return `person-${process.pid}-${serial}@example.org`
}

/** What a browser says of itself when one of our own pages asks. */
export const fromOwnPage = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }

/** The cookie an answer sets, as it is sent back. */
export function cookieOf({ headers }: Reply): string {
  const [cookie] = headers.getSetCookie()
  assert.ok(cookie, 'the answer sets a cookie')
  return cookie.split(';')[0] as string
}

export const tokenIn = (link: string) => link.split('#')[1] as string

export const signIn = (url: string, email: string, password = aPassword, headers: Record<string, string> = {}) =>
  request(url, 'POST', '/api/v1/session', { body: { email, password }, headers })

export const setPassword = (url: string, link: string, body: object = {}) =>
  request(url, 'POST', '/api/v1/session/password', { body: { token: tokenIn(link), password: aPassword, ...body } })

/** The verbs of a person with this cookie, as our pages send them. */
export function browser(url: string, cookie: string) {
  const call = (method: string) => (path: string, body?: unknown) =>
    request(url, method, `/api/v1${path}`, { body, headers: { ...fromOwnPage, cookie } })
  return { cookie, call, get: call('GET'), post: call('POST'), put: call('PUT'), delete: call('DELETE') }
}

/** Hashing takes 50 ms of a core, and all have the same password. */
let hashed: Promise<string> | undefined

/** A person who has a password and is signed in. */
export async function addPerson(
  { url, database, organisationId }: Pick<TestServer, 'url' | 'database' | 'organisationId'>,
  role: 'admin' | 'dispatcher' = 'dispatcher',
  name = 'Ana Pop',
) {
  hashed ??= hashPassword(aPassword)
  const [email, password, db] = [anEmail(), await hashed, database.everyone]
  const id = await insertPerson(db, organisationId, name, role === 'admin')
  await saveLogin(db, organisationId, id, email, password)
  const token = makeToken()
  await insertSession(db, { organisation_id: organisationId, user_id: id, email, password }, hashToken(token))
  const [cookie = ''] = createSessionCookie(undefined).write(token).split(';')
  return { id, email, name, ...browser(url, cookie) }
}
