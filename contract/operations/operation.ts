import type { TObject } from 'typebox'
import type { ErrorCode } from '../errors.ts'
import type { Upload } from '../file.ts'
import type { Changed } from '../live.ts'
import type { Scope } from '../scopes.ts'
import { Type } from '../type.ts'

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  tag: string
  summary: string
  /** What a key needs to call it. An operation without a scope is not for keys. */
  scope?: Scope
  /**
   * Who calls it, if not the holder of a key: a driver with a token, a tracking app with the key of its device in the
   * path, a signed-in person, any of those but the app, or anyone.
   */
  access?: 'driver' | 'device' | 'person' | 'member' | 'anybody'
  params?: TObject
  query?: TObject
  body?: TObject
  /** It takes bytes instead of JSON. */
  upload?: Upload
  reply: TObject
  /** It responds with bytes of one of these types instead of JSON. */
  download?: readonly string[]
  /** With `format=csv` it responds with a table of that type instead of JSON. */
  csv?: true
  /** It responds with an HTML page instead of JSON. */
  page?: true
  /** A form of the page at this path may send it, too; then it responds with a redirect back there. */
  formOf?: string
  /** It responds with an endless stream instead of one body. */
  streams?: true
  /** It takes a secret from an unknown caller: different wrong ones are counted per address. */
  signsIn?: true
  /** It starts or ends a session, so its response sets a cookie. */
  setsCookie?: true
  /** What it changes besides tasks; readers of the stream are notified. */
  changes?: readonly Changed[]
  /** The error if an id in the path does not exist for the caller. */
  missing?: ErrorCode
  /** What it takes carries ids of its own, by which a repeat is known: it may simply be sent again. */
  isRepeatable?: true
  /** It commits in steps, so that nothing waits for the last. With an Idempotency-Key the answer is kept after that. */
  inSteps?: true
  /** The errors specific to this operation, without those every operation shares. */
  refuses: ErrorCode[]
}

/**
 * Whether the operation accepts an Idempotency-Key. Not where passwords are sent: to compare
 * requests, a hash of each is stored. Nor where a repeat is known by other means.
 */
export const takesIdempotencyKey = ({ method, access, isRepeatable }: Operation) =>
  method !== 'GET' && access !== 'anybody' && access !== 'person' && !isRepeatable

export const NextCursor = Type.Optional(
  Type.String({ description: 'There is more: pass it as `cursor` to get the next page' }),
)
