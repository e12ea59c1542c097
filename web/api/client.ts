import endpoints from 'virtual:endpoints'
import { clientFor, WaybillError } from '../../sdk/calls.ts'

/**
 * The public API, called with the session of the signed-in person. A write says that it is JSON even if it is empty: no
 * form of a foreign page can say that, and the server relies on it.
 */
export const api = clientFor(endpoints, async (path, { method, headers, ...init }) => {
  const json = method === 'GET' ? {} : { 'content-type': 'application/json' }
  try {
    return await fetch(path, { ...init, method, headers: { ...json, ...headers }, credentials: 'same-origin' })
  } catch {
    throw new WaybillError(0, { code: 'networkDown', message: 'The server cannot be reached' })
  }
})

export { WaybillError }
