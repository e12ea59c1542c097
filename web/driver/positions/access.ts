import { useSyncExternalStore } from 'react'

/** Whether the app may read where the phone is; `missing` if the browser cannot tell, `unknown` until it has answered. */
export type Access = 'unknown' | 'unasked' | 'allowed' | 'denied' | 'missing'

interface Known {
  access: Access
  /** It may, but the phone does not find out. */
  isLost: boolean
}

let known: Known = { access: 'geolocation' in navigator ? 'unknown' : 'missing', isLost: false }
const listeners = new Set<() => void>()

function note(news: Partial<Known>) {
  known = { ...known, ...news }
  for (const listener of listeners) listener()
}

const meanings = { granted: 'allowed', denied: 'denied', prompt: 'unasked' } as const

async function follow() {
  if (known.access === 'missing') return
  try {
    const permission = await navigator.permissions.query({ name: 'geolocation' })
    const look = () => note({ access: meanings[permission.state] })
    permission.addEventListener('change', look)
    look()
  } catch {
    // This browser tells only when it is asked for the position.
    note({ access: 'unasked' })
  }
}
void follow()

export const noteFound = () => {
  if (known.access !== 'allowed' || known.isLost) note({ access: 'allowed', isLost: false })
}
export const noteProblem = ({ code, PERMISSION_DENIED }: GeolocationPositionError) =>
  note(code === PERMISSION_DENIED ? { access: 'denied' } : { isLost: true })

/** Makes the browser ask. */
export const askForPosition = () => navigator.geolocation.getCurrentPosition(noteFound, noteProblem)

export const useAccess = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => known,
  )
