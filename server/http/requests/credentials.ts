import { isUtf8 } from 'node:buffer'
import { Refusal } from '../../../contract/errors.ts'
import { lackingScopes, type Scope } from '../../../contract/scopes.ts'
import type { Actor } from '../../context.ts'

/** Who is calling, once the key, the token or the session is known. */
export interface Caller<Organisation> {
  organisation: Organisation
  actor: Actor
  /** What a key may do; `*` is everything. */
  scopes: readonly string[]
  /** The session or the driver's device they came with, if they did not come with a key. */
  sessionId?: number
  deviceId?: number
}

/** How the token of a driver's device begins, which distinguishes it from a key. */
export const driverTokenPrefix = 'wbd_'

export type Authenticate<Organisation> = (credential: string) => Promise<Caller<Organisation>>

export function readCredential(header: string | undefined): string {
  const credential = header && credentialIn(asUtf8(header))
  if (!credential)
    throw new Refusal('UNAUTHORIZED', { message: 'The Authorization header is missing; put your key in it' })
  return credential
}

/** The key is the whole text; many clients send `Bearer <key>` or `Basic base64(key:)` out of habit. */
export function credentialIn(text: string): string {
  const value = text.trim()
  const [, bearer] = /^bearer\s+(.+)$/i.exec(value) ?? []
  const [, basic] = /^basic\s+([\w+/=-]+)$/i.exec(value) ?? []
  return bearer ?? (basic ? withoutPassword(Buffer.from(basic, 'base64').toString('utf8')) : value)
}

/** Node reads the bytes of a header as Latin-1; most clients send UTF-8. */
function asUtf8(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}

/** A custom key may contain a colon; then only the last one ends it. */
const withoutPassword = (user: string) => (user.endsWith(':') ? user.slice(0, -1) : user.replace(/:.*$/s, ''))

export function requireScope({ actor, scopes }: Pick<Caller<unknown>, 'actor' | 'scopes'>, scope: Scope) {
  if (lackingScopes(scopes, [scope]).length > 0)
    throw new Refusal('FORBIDDEN', {
      message: `${actor.type === 'ADMIN' ? 'Your role' : 'This key'} lacks the scope ${scope}`,
    })
}
