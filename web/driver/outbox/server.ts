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
