import type { LayerName } from './layers.ts'
import { type Path, stride } from './world.ts'

/** The numbers are those of vector tiles. */
export const geometries = { point: 1, line: 2, polygon: 3 } as const
export type Geometry = (typeof geometries)[keyof typeof geometries]

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** Something to draw. What it is called and how it looks is kept as text, which tells at once what is drawn alike. */
export interface Shape extends Box {
  layer: LayerName
  geometry: Geometry
  minZoom: number
  /** Its properties as JSON. */
  says: string
  /** One point; lines; or an outer ring and its holes. */
  paths: Path[]
}

export function boxOf(paths: readonly Path[]): Box {
  const box = {
    left: Number.POSITIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    bottom: Number.NEGATIVE_INFINITY,
  }
  for (const path of paths)
    for (let at = 0; at < path.length; at += stride) {
      const x = path[at] as number
      const y = path[at + 1] as number
      if (x < box.left) box.left = x
      if (x > box.right) box.right = x
      if (y < box.top) box.top = y
      if (y > box.bottom) box.bottom = y
    }
  return box
}
