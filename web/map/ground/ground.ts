import type { StyleSpecification } from 'maplibre-gl'
import { useEffect, useMemo, useState } from 'react'
import { openTiles } from './pmtiles.ts'
import { ownStyle, plainStyle, type Streets } from './style.ts'

/** The background map, and why it has no streets, if it has none. */
export interface Ground {
  kind: 'waiting' | 'given' | 'tiles' | 'world'
  theme: 'light' | 'dark'
  style: StyleSpecification
  reason?: 'wanted' | 'unreachable'
  /** Called when a style was found but its sources cannot be loaded. */
  giveUp: () => void
}

const patienceMs = 4_000
/** A map that could not be reached is tried again after this time. */
const retryMs = 60_000
/** A page stays open for days, and a new map is imported meanwhile. */
const askAgainMs = 5 * 60_000

/** What the server says about the map this page may show. */
interface Found {
  mapStyle?: string | null
  /** Vector tiles of our own server: of an import, or a file of the operator, which is from Protomaps. */
  tiles?: string
}

/** `described`: where the server says which map this page may show. */
export function useGround(theme: 'light' | 'dark', described = '/console.json'): Ground {
  const [failed, setFailed] = useState<string>()
  const found = useJson<Found>(described, askAgainMs)
  const tiles = found?.json?.tiles
  const mapStyle = found?.json?.mapStyle
  const wanted = mapStyle && !tiles ? themed(mapStyle, theme) : undefined
  const fetched = useJson<StyleSpecification>(wanted)
  const source = tiles ?? wanted
  const isGivenUp = source !== undefined && failed === source
  const url = tiles && new URL(tiles, location.href).href
  const isByProtomaps = url !== undefined && !new URL(url).searchParams.has('import')
  const bounds = useBounds(isGivenUp ? undefined : url)
  useEffect(() => {
    const tryAgain = () => setFailed(undefined)
    window.addEventListener('online', tryAgain)
    return () => window.removeEventListener('online', tryAgain)
  }, [])
  const given = fetched?.json
  const isDecided = found !== undefined && (!wanted || fetched !== undefined) && (!tiles || isGivenUp || bounds)
  const isUnreachable =
    isDecided && (!found?.json || (wanted !== undefined && !given) || isGivenUp || bounds === 'unreadable')

  return useMemo(() => {
    const giveUp = () => setFailed(source)
    if (!isDecided) return { kind: 'waiting', theme, style: plainStyle(theme), giveUp }
    if (!isUnreachable && url && bounds && bounds !== 'unreadable')
      return { kind: 'tiles', theme, style: ownStyle(theme, { url, bounds, isByProtomaps }), giveUp }
    if (!isUnreachable && given) return { kind: 'given', theme, style: given, giveUp }
    const reason = isUnreachable ? 'unreachable' : 'wanted'
    return { kind: 'world', theme, style: ownStyle(theme), reason, giveUp }
  }, [isDecided, isUnreachable, url, bounds, isByProtomaps, given, source, theme])
}

/** The area of tiles, as their file says it; undefined until it is known. */
function useBounds(tiles: string | undefined): Streets['bounds'] | 'unreadable' | undefined {
  const [read, setRead] = useState<{ tiles: string; bounds: Streets['bounds'] | 'unreadable' }>()
  useEffect(() => {
    if (!tiles) return undefined
    let isGone = false
    const tell = (bounds: Streets['bounds'] | 'unreadable') => void (isGone || setRead({ tiles, bounds }))
    openTiles(tiles)
      .getHeader()
      .then(
        ({ minLon, minLat, maxLon, maxLat }) => tell([minLon, minLat, maxLon, maxLat]),
        () => tell('unreadable'),
      )
    return () => {
      isGone = true
    }
  }, [tiles])
  return read && read.tiles === tiles ? read.bounds : undefined
}

interface Fetched<Json> {
  url: string
  /** Undefined if it could not be fetched. */
  json: Json | undefined
}

/** What was fetched once stays, so that a map that is opened again or changes its theme does not flicker. */
const kept = new Map<string, unknown>()

/**
 * Undefined until it is known. What could not be fetched is tried again now and then; what could, only if it is said how
 * often.
 */
function useJson<Json>(url: string | undefined, againMs?: number): Fetched<Json> | undefined {
  const [fetched, setFetched] = useState<Fetched<Json>>()
  useEffect(() => {
    if (!url || (kept.has(url) && !againMs)) return undefined
    const stopped = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = async () => {
      const json = await withPatience(stopped.signal, (signal) => fetchJson<Json>(url, signal)).catch(() => undefined)
      if (stopped.signal.aborted) return
      const isKnown = kept.has(url)
      if (json && !isSame(kept.get(url), json)) kept.set(url, json)
      const waitMs = json ? againMs : retryMs
      if (waitMs) timer = setTimeout(load, waitMs)
      // What is shown stays, also if the server is away for a while.
      if (json || !isKnown) setFetched({ url, json: kept.get(url) as Json | undefined })
    }
    void load()
    return () => {
      stopped.abort()
      clearTimeout(timer)
    }
  }, [url, againMs])
  return useMemo(() => {
    if (url && kept.has(url)) return { url, json: kept.get(url) as Json }
    return fetched?.url === url ? fetched : undefined
  }, [url, fetched])
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

async function fetchJson<Json>(url: string, signal: AbortSignal): Promise<Json> {
  const response = await fetch(url, { signal, headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return (await response.json()) as Json
}

/**
 * Gives up after a while. The time is counted in short waits: while a slow machine prepares the map, the page cannot
 * process a response that has already arrived, and a single long timer would fire before it.
 */
async function withPatience<Result>(
  stopped: AbortSignal,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController()
  const waitMs = 250
  let left = patienceMs / waitMs
  const timer = setInterval(() => {
    left -= 1
    if (left <= 0) stop.abort()
  }, waitMs)
  try {
    return await run(AbortSignal.any([stopped, stop.signal]))
  } finally {
    clearInterval(timer)
  }
}

/** OpenFreeMap also has a dark style; any other style looks the same in both themes. */
export function themed(style: string, theme: 'light' | 'dark'): string {
  const { origin, pathname } = new URL(style)
  const isTheirs = origin === 'https://tiles.openfreemap.org' && pathname.startsWith('/styles/')
  return theme === 'dark' && isTheirs ? `${origin}/styles/dark` : style
}
