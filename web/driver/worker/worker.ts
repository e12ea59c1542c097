/*
 * The service worker: keeps all files of this version of the app, so that it opens without a network and without asking.
 * A new version is kept beside it, and used from the next time the app is opened. The build fills in the files: those
 * the app needs, and the rest, which is fetched later.
 */
import { answerForMap } from './map.ts'

interface Extendable extends Event {
  waitUntil(done: Promise<unknown>): void
}
interface Fetching extends Extendable {
  request: Request
  respondWith(response: Promise<Response>): void
}
interface Clicked extends Extendable {
  notification: Notification
}
interface Client {
  url: string
  visibilityState: DocumentVisibilityState
  postMessage(message: string): void
  focus(): Promise<unknown>
}
interface Worker {
  addEventListener(type: 'install' | 'activate', run: (event: Extendable) => void): void
  addEventListener(type: 'fetch', run: (event: Fetching) => void): void
  addEventListener(type: 'push', run: (event: Extendable) => void): void
  addEventListener(type: 'notificationclick', run: (event: Clicked) => void): void
  addEventListener(type: 'message', run: (event: MessageEvent & Extendable) => void): void
  skipWaiting(): Promise<void>
  clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<Client[]>
    openWindow(url: string): Promise<unknown>
  }
  registration: ServiceWorkerRegistration
}
declare const __FILES__: { version: string; page: string; files: string[]; rest: string[]; tiles: string[] }

const worker = self as unknown as Worker
const { version, page, files, rest, tiles } = __FILES__
const prefix = 'waybill-driver-'
const cacheName = prefix + version
const known = new Set([...files, ...rest])

worker.addEventListener('install', (event) => {
  // All or nothing: half a version would fail somewhere without a network. The browser's cache may have another version
  // of a file, unless its name says which one it is.
  const cacheFor = (path: string) => (path.startsWith('/assets/') ? 'default' : 'no-cache')
  const fetched = [page, ...files].map((path) => new Request(path, { cache: cacheFor(path) }))
  const keepFiles = async () => {
    const cache = await caches.open(cacheName)
    await cache.addAll(fetched)
    // What did not change since the last version is there without a network, too.
    for (const path of rest) {
      const old = await caches.match(path)
      if (old) await cache.put(path, old)
    }
  }
  event.waitUntil(keepFiles())
})

/** A phone with less room than this needs it for work and photos. */
const enoughRoom = 20_000_000

async function keepRest() {
  const { quota = 0, usage = 0 } = await navigator.storage.estimate()
  if (quota - usage < enoughRoom) return
  const cache = await caches.open(cacheName)
  // What cannot be fetched now is tried again when the app is opened next.
  for (const path of rest) if (!(await cache.match(path))) await cache.add(path).catch(() => {})
}

worker.addEventListener('activate', (event) => {
  const clear = async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName)
    await Promise.all(names.map((name) => caches.delete(name)))
    await worker.clients.claim()
  }
  event.waitUntil(clear())
})

worker.addEventListener('message', (event) => {
  if (event.data === 'use') void worker.skipWaiting()
  if (event.data === 'keep the rest') event.waitUntil(keepRest())
})

const ownWindows = async () =>
  (await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })).filter(({ url }) =>
    /^\/driver\/?$/.test(new URL(url).pathname),
  )

// The office changed something. Who looks at the app sees it there; everybody else is told.
worker.addEventListener('push', (event) => {
  const tell = async () => {
    const open = await ownWindows()
    for (const one of open) one.postMessage('sync')
    if (open.some(({ visibilityState }) => visibilityState === 'visible')) return
    // In the language of the app, which keeps the sentence there.
    const notice = await caches.match(`/${__NOTICE__}`, { cacheName: __NOTICE__ })
    await worker.registration.showNotification('Waybill', {
      ...(await notice?.json()),
      icon: '/driver-192.png',
      // One is enough, however much has changed.
      tag: 'sync',
    })
  }
  event.waitUntil(tell())
})

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const show = async () => {
    const [open] = await ownWindows()
    await (open ? open.focus() : worker.clients.openWindow(page))
  }
  event.waitUntil(show())
})

/**
 * A phone that cannot read what it keeps still has the network. The bytes are read here: Chromium breaks off one in some
 * two hundred scripts that it reads from the kept answer itself (net::ERR_ABORTED), and an app without one does not open.
 */
async function findKept(path: string) {
  try {
    const kept = await (await caches.open(cacheName)).match(path)
    return kept && new Response(await kept.arrayBuffer(), { headers: kept.headers })
  } catch {
    return undefined
  }
}

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  // `/drivers` of the console begins like our own address.
  const path = request.mode === 'navigate' && /^\/driver\/?$/.test(pathname) ? page : pathname
  const isOurs = request.method === 'GET' && origin === self.location.origin && (path === page || known.has(path))
  const answer = async () => (await findKept(path)) ?? fetch(request)
  const answering = isOurs ? answer() : answerForMap(request, tiles)
  if (answering) event.respondWith(answering)
})
