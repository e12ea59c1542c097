import { useSyncExternalStore } from 'react'

/*
 * The service worker keeps the app on the phone. A new version is used when the app is opened, or when the driver says
 * so, never in the middle of something: while the camera is open the page is hidden, and a page that loads again then
 * loses the photo.
 */

let waiting: ServiceWorker | null = null
const listeners = new Set<() => void>()

function found(worker: ServiceWorker | null) {
  waiting = worker
  for (const listener of listeners) listener()
}

export async function keepAppOnPhone() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const wasControlled = navigator.serviceWorker.controller !== null
  const registration = await navigator.serviceWorker
    .register('/driver-worker.js', { scope: '/driver', updateViaCache: 'none' })
    .catch(() => undefined)
  if (!registration) return
  followUpdates(registration)
  // The app works by now; what it needs for the map comes afterwards.
  void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage('keep the rest'))
  if (!wasControlled) return
  // The app was just opened: nothing has been begun yet.
  if (registration.waiting) use(registration.waiting)
}

const lookMs = 3_600_000

/** The app may stay open for days; the browser itself looks for a new version only when it is opened. */
function followUpdates(registration: ServiceWorkerRegistration) {
  registration.addEventListener('updatefound', () => {
    const coming = registration.installing
    coming?.addEventListener('statechange', () => {
      if (coming.state === 'installed' && navigator.serviceWorker.controller) found(coming)
    })
  })
  let lookedAt = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - lookedAt < lookMs) return
    lookedAt = Date.now()
    void registration.update().catch(() => {})
  })
}

function use(worker: ServiceWorker) {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  worker.postMessage('use')
}

/** What uses the new version now, if there is one. */
export const useUpdate = (): (() => void) | undefined => {
  const worker = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => waiting,
  )
  return worker ? () => use(worker) : undefined
}
