/*
 * What the map is made of (its style, tiles and letters) is kept when it was seen, or fetched ahead around the stops of the
 * day, so that it opens without a network. Tiles are taken from there without asking. What says where tiles are is asked
 * for first: tiles move.
 */

/** A tile has some kilobytes, one of a city centre a hundred. The oldest go first. */
const mostKept = 1_200
const mostBytes = 40_000_000
/** Nobody comes back to the map of a day so long ago; whoever does fetches it anew. */
const mostAgeMs = 30 * 24 * 3_600_000
/** The map has places of its own to look this often for too many. */
const tidyEvery = 100
/** A phone that is connected while nothing comes, as in a lift, does not wait longer for what it has. */
const patienceMs = 2_500

/** The answer to a request of the map; undefined if it is none. */
export function answerForMap(request: Request, tilesPaths: readonly string[]): Promise<Response> | undefined {
  if (request.method !== 'GET' || request.mode === 'navigate') return undefined
  const { origin, pathname, href } = new URL(request.url)
  // The content policy lets the page ask other servers only for maps.
  if (origin !== self.location.origin)
    return request.headers.get('accept')?.includes('json') ? freshFirst(request, href) : keptFirst(request, href)
  if (pathname === '/console.json') return freshFirst(request, href)
  return tilesPaths.includes(pathname) ? answerPart(request, href) : undefined
}

async function freshFirst(request: Request, key: string): Promise<Response> {
  const fresh = fetch(request).then((response) => keep(key, response))
  const kept = await find(key)
  if (!kept) return fresh
  return Promise.race([
    fresh.then(
      (response) => (response.ok ? response : kept),
      () => kept,
    ),
    new Promise<Response>((done) => setTimeout(done, patienceMs, kept)),
  ])
}

const keptFirst = async (request: Request, key: string): Promise<Response> =>
  (await find(key)) ?? keep(key, await fetch(request))

/**
 * A part of the operator's own file. Its first part says where the others are, and belongs to one edition of the file:
 * parts of another edition are never mixed with it.
 */
async function answerPart(request: Request, file: string): Promise<Response> {
  const range = request.headers.get('range') ?? ''
  const first = `${file}?first`
  if (range.startsWith('bytes=0-')) {
    const answer = await freshFirst(request, first)
    if (answer.ok) await forgetOthers(file, answer.headers.get('etag'))
    return asPart(answer)
  }
  const edition = (await find(first))?.headers.get('etag')
  return asPart(await keptFirst(request, keyOf(file, edition) + encodeURIComponent(range)))
}

/** Another import, or another edition of a file, takes the place of the one before: nobody asks for its parts again. */
async function forgetOthers(file: string, edition: string | null) {
  const cache = await caches.open(__MAP_CACHE__)
  const { pathname } = new URL(file)
  const isOld = ({ url }: Request) =>
    new URL(url).pathname === pathname && url !== `${file}?first` && !url.startsWith(keyOf(file, edition))
  const old = (await cache.keys()).filter(isOld)
  await Promise.all(old.map((one) => cache.delete(one)))
}

/** Addresses of a cache are written like those of the web. */
const keyOf = (file: string, edition: string | null | undefined) => `${file}?${encodeURIComponent(edition ?? '')}&`

/** A cache takes only whole answers, and who asked for a part wants a part. */
const asPart = (response: Response) =>
  response.status === 200 ? new Response(response.body, { status: 206, headers: response.headers }) : response

const find = async (key: string) => (await caches.open(__MAP_CACHE__)).match(key)

let untilTidy = tidyEvery

/** Keeps a copy, if there is room. */
async function keep(key: string, response: Response): Promise<Response> {
  if (response.status !== 200 && response.status !== 206) return response
  const { headers } = response
  const bytes = await response.arrayBuffer()
  const cache = await caches.open(__MAP_CACHE__)
  await cache.put(key, new Response(bytes, { headers })).catch(() => {})
  untilTidy -= 1
  if (untilTidy <= 0) {
    untilTidy = tidyEvery
    await tidy(cache)
  }
  return new Response(bytes, { headers })
}

/** From the newest on, as many as there may be. */
async function tidy(cache: Cache) {
  let [count, bytes] = [0, 0]
  const oldest = Date.now() - mostAgeMs
  for (const key of (await cache.keys()).toReversed()) {
    const headers = (await cache.match(key))?.headers
    count += 1
    bytes += Number(headers?.get('content-length') ?? 0)
    const isOld = Date.parse(headers?.get('date') ?? '') < oldest
    if (count > mostKept || bytes > mostBytes || isOld) await cache.delete(key)
  }
}
