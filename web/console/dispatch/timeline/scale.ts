import { useLayoutEffect, useMemo, useState } from 'react'
import type { Span } from './lanes.ts'

export const zooms = ['fit', 4, 2] as const
export type Zoom = (typeof zooms)[number]

/** In a narrow view the lanes need the room: their heads have only the name there, and unplanned tasks scroll along. */
export const isNarrow = (width: number) => width < 672
export const headWidthIn = (width: number) => (isNarrow(width) ? 136 : 248)
/** Unplanned tasks are in two columns if there is space. */
export const tailWidthIn = (width: number) => (width < 900 ? 132 : 240)
export const laneHeight = 58

const hourMs = 3_600_000

/** Converts times to pixels. */
export interface Scale extends Span {
  width: number
  hourPx: number
  x: (moment: number) => number
  moment: (x: number) => number
}

export function useScale(range: Span, zoom: Zoom, viewport: number): Scale {
  const { start, end } = range
  return useMemo(() => {
    const hours = (end - start) / hourMs
    const hourPx = Math.max(30, viewport / (zoom === 'fit' ? hours : zoom))
    return {
      start,
      end,
      hourPx,
      width: hours * hourPx,
      x: (moment) => ((moment - start) / hourMs) * hourPx,
      moment: (x) => start + (x / hourPx) * hourMs,
    }
  }, [start, end, zoom, viewport])
}

/** The current width of an element. */
export function useWidth(element: HTMLElement | null): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element) return undefined
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    setWidth(element.clientWidth)
    return () => observer.disconnect()
  }, [element])
  return width
}
