import { useSyncExternalStore } from 'react'

/*
 * The secret of an invitation link: the page may be opened with it, or it may be opened while the app is in use. It
 * must not stay in the address.
 */

let secret: string | undefined
const listeners = new Set<() => void>()

function take() {
  const found = location.hash.slice(1)
  if (found === '' || found.startsWith('/')) return
  history.replaceState(null, '', location.pathname)
  secret = found
  for (const listener of listeners) listener()
}
take()
window.addEventListener('hashchange', take)

/** It was used, or will not be. */
export function dropLink() {
  secret = undefined
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The secret of a link that was opened and about which nothing has been decided yet. */
export const useLink = () => useSyncExternalStore(subscribe, () => secret)
