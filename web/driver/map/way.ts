import { useEffect, useMemo, useRef, useState } from 'react'
import type { Point } from '../../../core/geo.ts'
import { isOffLines, type KnownLine, type WayPart, wayThrough } from '../../../core/way.ts'
import { useDay } from '../looks/day.ts'
import { news } from '../outbox/notify.ts'
import { phone } from '../outbox/phone.ts'

/** A driver who took another road gets another line this often. */
const offRoadMs = 20_000

/** The way from where the driver is through the stops, as the phone knows it. */
export function useWay(own: Point | undefined, through: readonly Point[]): WayPart[] {
  const lines = useLines()
  const [first] = through
  useAnotherRoad(own !== undefined && first !== undefined && isOffLines(own, first, lines))
  const key = JSON.stringify([own && [own.lat, own.lng], through.map(({ lat, lng }) => [lat, lng])])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the places are in the key
  return useMemo(() => wayThrough(own, through, lines), [key, lines])
}

function useLines(): readonly KnownLine[] {
  const [lines, setLines] = useState<readonly KnownLine[]>([])
  useEffect(() => {
    let isGone = false
    const read = () =>
      phone.readLines().then(
        (now) => isGone || setLines((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now)),
        // The screens say that the phone cannot be read; the map is drawn all the same.
        () => {},
      )
    void read()
    const stop = news.on(read)
    return () => {
      isGone = true
      stop()
    }
  }, [])
  return lines
}

function useAnotherRoad(isOff: boolean) {
  const { isReachable } = useDay()
  const askedAt = useRef(0)
  useEffect(() => {
    if (!isOff || isReachable === false) return undefined
    const ask = () => {
      askedAt.current = Date.now()
      void phone.fetchLines()
    }
    const wait = setTimeout(ask, Math.max(0, askedAt.current + offRoadMs - Date.now()))
    const timer = setInterval(ask, offRoadMs)
    return () => {
      clearTimeout(wait)
      clearInterval(timer)
    }
  }, [isOff, isReachable])
}
