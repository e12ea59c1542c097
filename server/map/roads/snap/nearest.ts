import { unitsPerDegree } from '../../extract/block.ts'
import type { Net } from '../net/net.ts'
import type { Grid } from './grid.ts'

/** Where an edge comes nearest to a place. */
export interface Nearest {
  edge: number
  metres: number
  /** The point of its course after which it is, and how much of the way to the next one. */
  point: number
  share: number
  lat: number
  lng: number
  /** Metres that the place lies to the right of the course; negative to the left. */
  right: number
}

const metresPerUnit = (6_371_000 * Math.PI) / 180 / unitsPerDegree

/** Calls `look` with the edges around a place, square by square, until what it has found is nearer than all that is left. */
export function lookAround(
  { frame, cellFirst, cellEdges }: Grid,
  lat: number,
  lng: number,
  mostMetres: number,
  look: (edge: number) => void,
  foundMetres: () => number,
) {
  const [south, west, rows, columns, cellUnits] = frame as unknown as [number, number, number, number, number]
  const row = Math.floor((lat - south) / cellUnits)
  const column = Math.floor((lng - west) / cellUnits)
  const east = Math.cos(((lat / unitsPerDegree) * Math.PI) / 180)
  const offLat = lat - south - row * cellUnits
  const offLng = lng - west - column * cellUnits
  /** From the place to the next side of its own square. */
  const least =
    Math.min(Math.min(offLat, cellUnits - offLat), Math.min(offLng, cellUnits - offLng) * east) * metresPerUnit
  const sideMetres = cellUnits * east * metresPerUnit
  for (let ring = 0; ; ring += 1) {
    // What lies in this ring is at least so far away.
    const nearest = ring === 0 ? 0 : least + (ring - 1) * sideMetres
    if (nearest > mostMetres || nearest > foundMetres()) return
    for (let up = -ring; up <= ring; up += 1) {
      const isWhole = Math.abs(up) === ring
      for (let over = -ring; over <= ring; over += isWhole ? 1 : Math.max(1, 2 * ring)) {
        if (row + up < 0 || row + up >= rows || column + over < 0 || column + over >= columns) continue
        const cell = (row + up) * columns + column + over
        for (let at = cellFirst[cell] as number; at < (cellFirst[cell + 1] as number); at += 1)
          look(cellEdges[at] as number)
      }
    }
  }
}

export function nearestOf(net: Net, edge: number, lat: number, lng: number): Nearest {
  const east = Math.cos(((lat / unitsPerDegree) * Math.PI) / 180)
  let best: Nearest | undefined
  for (let point = net.first[edge] as number; point < (net.last[edge] as number); point += 1) {
    const [y, x] = [net.lat[point] as number, net.lng[point] as number]
    const [dy, dx] = [(net.lat[point + 1] as number) - y, ((net.lng[point + 1] as number) - x) * east]
    const [py, px] = [lat - y, (lng - x) * east]
    const squared = dy * dy + dx * dx
    const share = squared === 0 ? 0 : Math.min(1, Math.max(0, (py * dy + px * dx) / squared))
    const metres = Math.hypot(py - share * dy, px - share * dx) * metresPerUnit
    if (best && metres >= best.metres) continue
    const right = squared === 0 ? 0 : ((px * dy - py * dx) / Math.sqrt(squared)) * metresPerUnit
    best = { edge, metres, point, share, lat: y + share * dy, lng: x + (share * dx) / east, right }
  }
  return best as Nearest
}
