import { useSyncExternalStore } from 'react'

/*
 * The secret of an invitation link: the page may be opened with it, or it may be opened while the app is in use. It
 * must not stay in the address. The tab keeps it until the server has answered, as the page may be loaded again: a new
 * version of the app does that when the app is opened.
 */

const key = 'waybill-link'
let secret = sessionStorage.getItem(key) ?? undefined
const listeners = new Set<() => void>()

function show(found: string | undefined) {
  secret = found
  for (const listener of listeners) listener()
}

function take() {
  const found = location.hash.slice(1)
  if (found === '' || found.startsWith('/')) return
  history.replaceState(null, '', location.pathname)
  sessionStorage.setItem(key, found)
  show(found)
}
take()
window.addEventListener('hashchange', take)

/** It is being tried. */
export const hideLink = () => show(undefined)

/** It was used, or will not be. */
export function forgetLink() {
  sessionStorage.removeItem(key)
  show(undefined)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The secret of a link that was opened and about which nothing has been decided yet. */
export const useLink = () => useSyncExternalStore(subscribe, () => secret)
