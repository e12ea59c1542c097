/*
 * The service worker: keeps all files of this version of the app, so that it opens without a network and without asking.
 * A new version is kept beside it, and used from the next time the app is opened. The build fills in the files.
 */
export type {}

interface Extendable extends Event {
  waitUntil(done: Promise<unknown>): void
}
interface Fetching extends Extendable {
  request: Request
  respondWith(response: Promise<Response>): void
}
interface Worker {
  addEventListener(type: 'install' | 'activate', run: (event: Extendable) => void): void
  addEventListener(type: 'fetch', run: (event: Fetching) => void): void
  addEventListener(type: 'message', run: (event: MessageEvent) => void): void
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
}
declare const __FILES__: { version: string; page: string; files: string[] }

const worker = self as unknown as Worker
const { version, page, files } = __FILES__
const prefix = 'waybill-driver-'
const cacheName = prefix + version
const known = new Set(files)

worker.addEventListener('install', (event) => {
  // All or nothing, and not from the browser's cache: half a version would fail somewhere without a network.
  const fetched = [page, ...files].map((path) => new Request(path, { cache: 'no-cache' }))
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(fetched)))
})

worker.addEventListener('activate', (event) => {
  const clear = async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName)
    await Promise.all(names.map((name) => caches.delete(name)))
    await worker.clients.claim()
  }
  event.waitUntil(clear())
})

worker.addEventListener('message', ({ data }) => {
  if (data === 'use') void worker.skipWaiting()
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  // `/drivers` of the console begins like our own address.
  const path = request.mode === 'navigate' && /^\/driver\/?$/.test(pathname) ? page : pathname
  if (path !== page && !known.has(path)) return
  const answer = async () => (await (await caches.open(cacheName)).match(path)) ?? fetch(request)
  event.respondWith(answer())
})
