import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../../contract/errors.ts'

/* How a session travels: in a cookie that no script can read and no other site can use (docs/decisions/0014). */

export const sessionDays = 30

export type SessionCookie = ReturnType<typeof createCookie>

export const createSessionCookie = (publicUrl: string | undefined) => createCookie('waybill', sessionDays, publicUrl)

/** What a browser knows itself by, long after its session: the most days a browser keeps a cookie. */
export const createDeviceCookie = (publicUrl: string | undefined) => createCookie('waybill-device', 400, publicUrl)

/** Over https its name begins with `__Host-`, so that no neighbouring host can plant one. */
function createCookie(plainName: string, days: number, publicUrl: string | undefined) {
  const isSecure = publicUrl?.startsWith('https:') === true
  const name = isSecure ? `__Host-${plainName}` : plainName
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  const own = new RegExp(`(?:^|;)\\s*${name}=([\\w-]{1,100})\\s*(?:;|$)`)

  return {
    read: (header: string | undefined) => own.exec(header ?? '')?.[1],
    /** The header that sets or clears it in a browser. */
    write: (token: string | undefined) => `${name}=${token ?? ''}; Max-Age=${token ? days * 86_400 : 0}; ${attributes}`,
  }
}

type Sent = Pick<FastifyRequest, 'headers' | 'host'>

/** A browser says in one of two headers where a request comes from; anything but our own pages is refused. */
export function refuseOtherSites({ headers, host }: Sent, publicUrl: string | undefined) {
  const { origin, 'sec-fetch-site': site } = headers
  const isElsewhere = site !== undefined && site !== 'same-origin'
  if (isElsewhere || (origin !== undefined && !isOwnOrigin(origin, host, publicUrl))) throw new Refusal('CROSS_SITE')
}

/**
 * With a cookie, missing headers are not enough: a write must show that it comes from our pages. JSON is required even
 * without a body, because neither a form nor a request without preflight can send it; the same holds for pictures.
 */
export function requireOwnPages(
  request: Sent,
  publicUrl: string | undefined,
  types: readonly string[] = ['application/json'],
) {
  refuseOtherSites(request, publicUrl)
  const { origin, 'sec-fetch-site': site, 'content-type': type = '' } = request.headers
  if (origin === undefined && site === undefined)
    throw new Refusal('CROSS_SITE', { message: 'A write with a session needs an Origin or Sec-Fetch-Site header' })
  if (!types.includes(type.replace(/;.*$/s, '').trim().toLowerCase()))
    throw new Refusal('CROSS_SITE', { message: `A write with a session needs Content-Type: ${types.join(' or ')}` })
}

const isOwnOrigin = (origin: string, host: string, publicUrl: string | undefined) =>
  publicUrl ? origin === URL.parse(publicUrl)?.origin : URL.parse(origin)?.host === host
