import endpoints from 'virtual:endpoints'
import { clientFor, WaybillError } from '../../sdk/calls.ts'

/** What is sent while the page closes must outlive it. */
let isLeaving = false
window.addEventListener('pagehide', () => {
  isLeaving = true
})
window.addEventListener('pageshow', () => {
  isLeaving = false
})
export const isPageLeaving = () => isLeaving

/**
 * The public API, called with the session of the signed-in person. Even an empty write has the JSON content type: a
 * form on another site cannot send that, and the server relies on it.
 */
export const api = clientFor(endpoints, async (path, { method, headers, ...init }) => {
  const json = method === 'GET' ? {} : { 'content-type': 'application/json' }
  try {
    const options = {
      method,
      headers: { ...json, ...headers },
      credentials: 'same-origin',
      keepalive: isLeaving,
    } as const
    return await fetch(path, { ...init, ...options })
  } catch {
    throw new WaybillError(0, { code: 'networkDown', message: 'The server cannot be reached' })
  }
})

export { WaybillError }
