import { type Map as MapLibre, Marker } from 'maplibre-gl'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Point } from './point.ts'

const glideMs = 1_000
const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)')

/**
 * An element on the map. When it moves, the library places it at its new position and its content slides there from the
 * old one: the browser's compositor does that without drawing the map again.
 */
export function MapMarker({ map, point: [lng, lat], level = 1, children }: Props) {
  const [element] = useState(() => document.createElement('div'))
  const marker = useRef<Marker>(undefined)
  const inner = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const made = new Marker({ element, subpixelPositioning: true }).setLngLat([0, 0]).addTo(map)
    marker.current = made
    return () => {
      marker.current = undefined
      made.remove()
    }
  }, [map, element])

  useEffect(() => {
    const { current } = marker
    if (!current) return
    const before = current.getLngLat()
    current.setLngLat([lng, lat])
    if (before.lng !== 0 || before.lat !== 0) glide(map, inner.current, [before.lng, before.lat], [lng, lat])
  }, [map, lng, lat])

  useLayoutEffect(() => {
    element.style.zIndex = String(level)
  }, [element, level])

  return createPortal(<div ref={inner}>{children}</div>, element)
}

interface Props {
  map: MapLibre
  point: Point
  /** Higher is on top: hubs 0, drivers 1, the selected one 2. */
  level?: 0 | 1 | 2
  children: ReactNode
}

function glide(map: MapLibre, element: HTMLElement | null, from: Point, to: Point) {
  if (!element || isCalm.matches) return
  const [start, end] = [map.project(from), map.project(to)]
  const [x, y] = [start.x - end.x, start.y - end.y]
  if (Math.hypot(x, y) < 0.5) return
  const running = element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], glideMs)
  // The distance in pixels is valid only at one zoom.
  map.once('zoomstart', () => running.finish())
}
