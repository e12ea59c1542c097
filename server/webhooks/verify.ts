import { randomBytes } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import { OutsideError } from '../outside/fault.ts'
import type { Answer, Outside } from '../outside/fetch.ts'

export type VerifyMode = 'reachable' | 'echo' | 'off'

/**
 * Checks a url before anything is stored. Returns what was proved: `echo` if it returned the token (even if being
 * reachable is enough), `reachable` if it answered at all, `off` if it was not checked.
 */
export async function verifyUrl(
  outside: Outside,
  mode: VerifyMode,
  url: string,
  timeoutMs = 5_000,
): Promise<VerifyMode> {
  const target = judge(outside, url)
  if (mode === 'off') return 'off'

  const token = randomBytes(16).toString('hex')
  const answer = await ask(outside, withCheck(target, token), timeoutMs)
  refuseRedirect(answer, target)

  if (answer.status === 200 && answer.body === token) return 'echo'
  if (mode === 'reachable') return 'reachable'
  throw notVerified(
    `The URL answered ${describe(answer)}; it must answer 200 with exactly the value of the query parameter "check" as the body`,
  )
}

function judge(outside: Outside, url: string): URL {
  try {
    return outside.judge(url)
  } catch (error) {
    throw toRefusal(error)
  }
}

async function ask(outside: Outside, url: string, timeoutMs: number): Promise<Answer> {
  try {
    return await outside.send({ method: 'GET', url, timeoutMs })
  } catch (error) {
    throw toRefusal(error)
  }
}

/** Added as text: serialising a parsed query would change the other bytes, which a receiver may have signed. */
function withCheck(url: URL, token: string): string {
  const checked = new URL(url)
  checked.search = url.search ? `${url.search}&check=${token}` : `?check=${token}`
  return checked.href
}

/** Deliveries do not follow redirects, so such a url would always fail; better to say it now. */
function refuseRedirect({ status, headers: { location } }: Answer, from: URL): void {
  if (status < 300 || status > 399 || location === undefined) return
  const to = URL.parse(location, from)
  to?.searchParams.delete('check')
  throw notVerified(
    `The URL answered ${status}, a redirect to ${shorten(to?.href ?? location)}; use a URL that does not redirect`,
  )
}

function toRefusal(error: unknown): unknown {
  if (!(error instanceof OutsideError)) return error
  switch (error.fault) {
    case 'invalid':
      return new Refusal('VALIDATION_FAILED', { field: 'url', message: error.message })
    case 'forbidden':
      return forbidden(`${error.message}. The operator can allow it with WAYBILL_WEBHOOK_ALLOW`)
    default:
      return notVerified(`${error.message}; it must answer a GET request`)
  }
}

function describe({ status, body, truncated }: Answer): string {
  if (body === '') return `${status} without a body`
  return truncated ? `${status} with a very large body` : `${status} with the body "${shorten(body)}"`
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

const forbidden = (message: string) => new Refusal('WEBHOOK_URL_FORBIDDEN', { field: 'url', message })
const notVerified = (message: string) => new Refusal('WEBHOOK_URL_NOT_VERIFIED', { field: 'url', message })
