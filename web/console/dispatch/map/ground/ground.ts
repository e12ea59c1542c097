import { useQuery } from '@tanstack/react-query'
import type { StyleSpecification } from 'maplibre-gl'
import { useMemo, useState } from 'react'
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

export function useGround(theme: 'light' | 'dark', colours: Colours): Ground {
  const [failed, setFailed] = useState<string>()
  const found = useQuery({ queryKey: ['console'], queryFn: () => fetchJson<Found>('/console.json'), ...steady })
  const tiles = found.data?.tiles
  const wanted = found.data?.mapStyle && !tiles ? themed(found.data.mapStyle, theme) : undefined
  const fetched = useQuery({
    queryKey: ['map-style', wanted],
    queryFn: () => withPatience((signal) => fetchJson<StyleSpecification>(wanted as string, signal)),
    enabled: wanted !== undefined,
    refetchInterval: ({ state }) => (state.status === 'error' ? retryMs : false),
    ...steady,
  })
  const source = tiles ?? wanted
  const isGivenUp = source !== undefined && failed === source
  const given = fetched.data
  const isUnreachable = found.isError || fetched.isError || isGivenUp
  const isDecided = found.isError || (found.isSuccess && (!wanted || !fetched.isPending))

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

const steady = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const

async function fetchJson<Json>(url: string, signal: AbortSignal | null = null): Promise<Json> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return (await response.json()) as Json
}

/**
 * Gives up after a while. The time is counted in short waits: while a slow machine prepares the map, the page cannot
 * process a response that has already arrived, and a single long timer would fire before it.
 */
async function withPatience<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController()
  const waitMs = 250
  let left = patienceMs / waitMs
  const timer = setInterval(() => {
    left -= 1
    if (left <= 0) stop.abort()
  }, waitMs)
  try {
    return await run(stop.signal)
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
