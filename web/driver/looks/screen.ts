import { useSyncExternalStore } from 'react'
import { fromScreen } from './back.ts'

/*
 * Where the driver is in the app stands after the #, so that the phone's back button works and a restart returns to the
 * same place. What does not begin with / is the secret of an invitation.
 */

const subscribe = (listener: () => void) => {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

/** The parts of the address: `['task', '12']`; none is the route. */
export const useScreen = () => {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  return hash.startsWith('#/') ? hash.slice(2).split('/').filter(Boolean) : []
}

export const screens = {
  route: '#/',
  map: '#/map',
  me: '#/me',
  load: '#/load',
  waiting: '#/waiting',
  locked: '#/locked',
  onMap: (id: number) => `#/map/${id}`,
  task: (id: number) => `#/task/${id}`,
  complete: (id: number) => `#/task/${id}/complete`,
  /** A stop of several parcels, by one of them. */
  stop: (id: number) => `#/stop/${id}`,
  completeStop: (id: number) => `#/stop/${id}/complete`,
  fail: (id: number) => `#/task/${id}/fail`,
} as const

export const go = (screen: string) =>
  fromScreen(() => {
    location.hash = screen
  })
/** For after something is done: going back does not lead there again. */
export const goInstead = (screen: string) => fromScreen(() => location.replace(screen))
