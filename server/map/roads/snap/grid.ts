import { unitsPerDegree } from '../../extract/block.ts'
import { Growing } from '../growing.ts'
import { marks } from '../net/kinds.ts'
import type { Net } from '../net/net.ts'

/** Which edges pass where: the area in squares, and of each the edges that lead through it. */
export interface Grid {
  /** South and west of all, how many rows and columns there are, and how high and wide they are; in ten-millionths of a degree. */
  frame: Int32Array
  /** The edges of a cell (row × columns + column): cellEdges[cellFirst[cell]] … cellEdges[cellFirst[cell + 1] - 1]. */
  cellFirst: Uint32Array
  cellEdges: Uint32Array
}

/** Some 280 metres, and more where the area is so large that there would be too many of them. */
const leastUnits = unitsPerDegree / 400
const mostCells = 1 << 24

type Courses = Pick<Net, 'first' | 'last' | 'lat' | 'lng' | 'marks'>

export function makeGrid(net: Courses): Grid {
  const frame = frameOf(net)
  const cells = (frame[2] as number) * (frame[3] as number)
  const cellFirst = new Uint32Array(cells + 1)
  const [where, which] = [new Growing(Uint32Array), new Growing(Uint32Array)]
  /** The last edge of each cell: a road may come by several times. */
  const seen = new Uint32Array(cells)
  for (let edge = 0; edge < net.first.length; edge += 1) {
    if ((net.marks[edge] as number) & marks.noSpots) continue
    for (let point = net.first[edge] as number; point < (net.last[edge] as number); point += 1)
      for (const cell of cellsBetween(net, frame, point)) {
        if (seen[cell] === edge + 1) continue
        seen[cell] = edge + 1
        where.push(cell)
        which.push(edge)
        ;(cellFirst[cell + 1] as number) += 1
      }
  }
  for (let cell = 0; cell < cells; cell += 1) (cellFirst[cell + 1] as number) += cellFirst[cell] as number
  const next = cellFirst.slice()
  const cellEdges = new Uint32Array(which.length)
  for (let at = 0; at < which.length; at += 1) {
    const cell = where.at(at)
    cellEdges[next[cell] as number] = which.at(at)
    ;(next[cell] as number) += 1
  }
  return { frame, cellFirst, cellEdges }
}

function frameOf({ first, last, lat, lng, marks: all }: Courses): Int32Array {
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let edge = 0; edge < first.length; edge += 1) {
    if ((all[edge] as number) & marks.noSpots) continue
    for (let point = first[edge] as number; point <= (last[edge] as number); point += 1) {
      south = Math.min(south, lat[point] as number)
      north = Math.max(north, lat[point] as number)
      west = Math.min(west, lng[point] as number)
      east = Math.max(east, lng[point] as number)
    }
  }
  if (south > north) return Int32Array.of(0, 0, 0, 0, leastUnits)
  for (let units = leastUnits; ; units *= 2) {
    const rows = Math.floor((north - south) / units) + 1
    const columns = Math.floor((east - west) / units) + 1
    if (rows * columns <= mostCells) return Int32Array.of(south, west, rows, columns, units)
  }
}

/** The cells that the line from a point to the next one passes, and some beside it where it is slanted. */
function* cellsBetween({ lat, lng }: Courses, frame: Int32Array, point: number) {
  const [south, west, , columns, cellUnits] = frame as unknown as [number, number, number, number, number]
  const row = (at: number) => Math.floor(((lat[at] as number) - south) / cellUnits)
  const column = (at: number) => Math.floor(((lng[at] as number) - west) / cellUnits)
  const [bottom, top] = [row(point), row(point + 1)].sort((one, other) => one - other) as [number, number]
  for (let at = bottom; at <= top; at += 1) {
    const [from, to] = columnsIn(at, bottom === top)
    for (let beside = from; beside <= to; beside += 1) yield at * columns + beside
  }

  /** Where the line is between the lower and the upper edge of a row. */
  function columnsIn(at: number, isFlat: boolean): [number, number] {
    const ends = [column(point), column(point + 1)].sort((one, other) => one - other) as [number, number]
    if (isFlat || ends[0] === ends[1]) return ends
    const slope =
      ((lng[point + 1] as number) - (lng[point] as number)) / ((lat[point + 1] as number) - (lat[point] as number))
    const columnAt = (edge: number) => {
      const there = (lng[point] as number) + slope * (south + edge * cellUnits - (lat[point] as number))
      return Math.min(ends[1], Math.max(ends[0], Math.floor((there - west) / cellUnits)))
    }
    return [columnAt(at), columnAt(at + 1)].sort((one, other) => one - other) as [number, number]
  }
}
