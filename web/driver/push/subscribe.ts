import { useSyncExternalStore } from 'react'
import { serverFor } from '../outbox/server.ts'

/** Whether this phone can be called; `failed` if it may be but the browser's push service does not take us. */
export type Calls = 'missing' | 'unasked' | 'denied' | 'allowed' | 'failed'

const canBeCalled = 'PushManager' in window && 'Notification' in window && 'serviceWorker' in navigator
const meanings = { default: 'unasked', denied: 'denied', granted: 'allowed' } as const
const look = (): Calls => (canBeCalled ? meanings[Notification.permission] : 'missing')

let calls = look()
const listeners = new Set<() => void>()
function note(news: Calls) {
  calls = news
  for (const listener of listeners) listener()
}
// The driver may have been in the settings of the browser.
document.addEventListener('visibilitychange', () => calls !== look() && note(look()))

export const useCalls = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => calls,
  )

/** Makes the browser ask. */
export async function askForCalls() {
  await Notification.requestPermission()
  note(look())
}

/** Tells the server how to call this phone. A subscription made with an older key of the server is of no use. */
export async function subscribe(token: string) {
  try {
    const server = serverFor(token)
    const { publicKey } = await server.getPushKey()
    const { pushManager } = await navigator.serviceWorker.ready
    const before = await pushManager.getSubscription()
    const isCurrent = before !== null && textOf(before.options.applicationServerKey) === publicKey
    if (before && !isCurrent) await before.unsubscribe()
    const options = { userVisibleOnly: true, applicationServerKey: publicKey }
    const { endpoint = '', keys } = (before && isCurrent ? before : await pushManager.subscribe(options)).toJSON()
    await server.savePush({
      body: { endpoint, keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } },
    })
    note(look())
  } catch {
    note('failed')
  }
}

const textOf = (key: ArrayBuffer | null) =>
  key &&
  btoa(String.fromCharCode(...new Uint8Array(key)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
