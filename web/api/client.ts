import endpoints from 'virtual:endpoints'
import { clientFor, WaybillError } from '../../sdk/calls.ts'

/** The public API, called with the session of whoever is signed in. */
export const api = clientFor(endpoints, async (path, init) => {
  try {
    return await fetch(path, { ...init, credentials: 'same-origin' })
  } catch {
    throw new WaybillError(0, { code: 'networkDown', message: 'The server cannot be reached' })
  }
})

export { WaybillError }
