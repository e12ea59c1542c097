import type { StyleSpecification } from 'maplibre-gl'
import { useEffect, useMemo, useState } from 'react'
import type { Colours } from '../colours.ts'
import { protomapsStyle } from './protomaps.ts'
import { plainStyle, schematicStyle } from './schematic.ts'

/** The background map, and why it is only a grid, if it is. */
export interface Ground {
  kind: 'waiting' | 'given' | 'tiles' | 'schematic'
  style: StyleSpecification
  reason?: 'wanted' | 'unreachable'
  /** Called when a style was found but its sources cannot be loaded. */
  giveUp: () => void
}

const patienceMs = 4_000
/** A map that could not be reached is tried again after this time. */
const retryMs = 60_000

interface Found {
  mapStyle?: string | null
  tiles?: string
}

/** `described`: where the server says which map this page may show. */
export function useGround(theme: 'light' | 'dark', colours: Colours, described = '/console.json'): Ground {
  const [failed, setFailed] = useState<string>()
  const found = useJson<Found>(described)
  const tiles = found?.json?.tiles
  const mapStyle = found?.json?.mapStyle
  const wanted = mapStyle && !tiles ? themed(mapStyle, theme) : undefined
  const fetched = useJson<StyleSpecification>(wanted)
  const source = tiles ?? wanted
  const isGivenUp = source !== undefined && failed === source
  useEffect(() => {
    const tryAgain = () => setFailed(undefined)
    window.addEventListener('online', tryAgain)
    return () => window.removeEventListener('online', tryAgain)
  }, [])
  const given = fetched?.json
  const isDecided = found !== undefined && (!wanted || fetched !== undefined)
  const isUnreachable = isDecided && (!found.json || (wanted !== undefined && !given) || isGivenUp)

  return useMemo(() => {
    const giveUp = () => setFailed(source)
    if (!isDecided) return { kind: 'waiting', style: plainStyle(colours), giveUp }
    if (!isUnreachable && tiles)
      return { kind: 'tiles', style: protomapsStyle(new URL(tiles, location.href).href, theme), giveUp }
    if (!isUnreachable && given) return { kind: 'given', style: given, giveUp }
    const reason = isUnreachable ? 'unreachable' : 'wanted'
    return { kind: 'schematic', style: schematicStyle(colours), reason, giveUp }
  }, [isDecided, isUnreachable, tiles, given, source, theme, colours])
}

interface Fetched<Json> {
  url: string
  /** Undefined if it could not be fetched. */
  json: Json | undefined
}

/** What was fetched once stays, so that a map that is opened again or changes its theme does not flicker. */
const kept = new Map<string, unknown>()

/** Undefined until it is known. What could not be fetched is tried again now and then. */
function useJson<Json>(url: string | undefined): Fetched<Json> | undefined {
  const [fetched, setFetched] = useState<Fetched<Json>>()
  useEffect(() => {
    if (!url || kept.has(url)) return undefined
    const stopped = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = async () => {
      const json = await withPatience(stopped.signal, (signal) => fetchJson<Json>(url, signal)).catch(() => undefined)
      if (stopped.signal.aborted) return
      if (json) kept.set(url, json)
      else timer = setTimeout(load, retryMs)
      setFetched({ url, json })
    }
    void load()
    return () => {
      stopped.abort()
      clearTimeout(timer)
    }
  }, [url])
  return useMemo(() => {
    if (url && kept.has(url)) return { url, json: kept.get(url) as Json }
    return fetched?.url === url ? fetched : undefined
  }, [url, fetched])
}

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
