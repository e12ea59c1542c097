import endpoints from 'virtual:endpoints'
import { clientFor, WaybillError } from '../../sdk/calls.ts'

/**
 * The public API, called with the session of the signed-in person. Even an empty write has the JSON content type: a
 * form on another site cannot send that, and the server relies on it.
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
