import endpoints from 'virtual:endpoints'
import { clientFor, WaybillError } from '../../../sdk/calls.ts'

export { WaybillError }

/** A request without an answer for this long is given up and repeated; a picture may take longer. */
const patienceMs = 30_000
const picturePatienceMs = 300_000

/** The public API, called by this device. The cookie of somebody who uses the console in the same browser stays out of it. */
export const serverFor = (token: string | null) =>
  clientFor(endpoints, async (path, { headers, ...init }) => {
    const isPicture = path.startsWith('/api/v1/driver/files/')
    try {
      return await fetch(path, {
        ...init,
        headers: { 'content-type': 'application/json', ...headers, ...(token && { authorization: token }) },
        credentials: 'omit',
        cache: 'no-store',
        signal: AbortSignal.timeout(isPicture ? picturePatienceMs : patienceMs),
      })
    } catch {
      throw new WaybillError(0, { code: 'networkDown', message: 'The server cannot be reached' })
    }
  })

/** Not by a proxy, or by the page on which a network wants its users to sign in: only our errors have a code. */
const isOurs = (error: unknown): error is WaybillError => error instanceof WaybillError && error.code !== 'INTERNAL'

export const isSignedOut = (error: unknown) => isOurs(error) && error.status === 401
/** Asking again will not help: the server has understood and said no. */
export const isRefused = (error: unknown): error is WaybillError =>
  isOurs(error) && [400, 403, 404, 409, 413, 415, 422].includes(error.status)
