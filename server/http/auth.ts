import { Refusal } from '../../contract/errors.ts'
import { lackingScopes, type Scope } from '../../contract/scopes.ts'
import type { Actor } from '../context.ts'

/** Who is calling, once the key, the token or the session is known. */
export interface Caller<Organisation> {
  organisation: Organisation
  actor: Actor
  /** What a key may do; `*` is everything. */
  scopes: readonly string[]
  /** The session they came with, if they did not come with a key. */
  sessionId?: number
}

export type Authenticate<Organisation> = (credential: string) => Promise<Caller<Organisation>>

/** The key is the whole header; `Bearer <key>` and `Basic base64(key:)` are what many clients send by habit. */
export function readCredential(header: string | undefined): string {
  const value = header?.trim()
  if (!value) throw new Refusal('UNAUTHORIZED', { message: 'The Authorization header is missing; put your key in it' })
  const bearer = /^bearer\s+(.+)$/i.exec(value)
  if (bearer) return bearer[1] as string
  const basic = /^basic\s+([\w+/=-]+)$/i.exec(value)
  if (basic)
    return Buffer.from(basic[1] as string, 'base64')
      .toString('utf8')
      .replace(/:.*$/s, '')
  return value
}

export function requireScope(caller: Caller<unknown>, scope: Scope) {
  if (lackingScopes(caller.scopes, [scope]).length > 0)
    throw new Refusal('FORBIDDEN', {
      message: `${caller.sessionId === undefined ? 'This key' : 'Your role'} lacks the scope ${scope}`,
    })
}
