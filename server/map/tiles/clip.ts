import { type Box, boxOf, geometries, type Shape } from './shapes.ts'
import { type Path, stride, worldSize } from './world.ts'

export interface Cell {
  z: number
  x: number
  y: number
}

/** Drawn beyond the edge of a tile, so that a thick line or an outline does not end at it: an eighth of a centimetre on a screen. */
const margin = 1 / 64

export function boxOfCell({ z, x, y }: Cell): Box {
  const size = worldSize / 2 ** z
  return { left: x * size, top: y * size, right: (x + 1) * size, bottom: (y + 1) * size }
}

function withMargin(box: Box): Box {
  const width = (box.right - box.left) * margin
  return { left: box.left - width, top: box.top - width, right: box.right + width, bottom: box.bottom + width }
}

export const childrenOf = ({ z, x, y }: Cell): Cell[] =>
  [0, 1, 2, 3].map((quarter) => ({ z: z + 1, x: 2 * x + (quarter & 1), y: 2 * y + (quarter >> 1) }))

/** The cells of a zoom that a shape reaches. */
export function cellsOf(shape: Box, z: number): Cell[] {
  const size = worldSize / 2 ** z
  const last = 2 ** z - 1
  const reach = size * margin
  const within = (place: number) => Math.min(last, Math.max(0, Math.floor(place / size)))
  const cells: Cell[] = []
  for (let y = within(shape.top - reach); y <= within(shape.bottom + reach); y++)
    for (let x = within(shape.left - reach); x <= within(shape.right + reach); x++) cells.push({ z, x, y })
  return cells
}

/** The part of a shape in a cell and its margin, itself if all of it is, undefined if nothing is. */
export function clip(shape: Shape, cell: Cell): Shape | undefined {
  const bounds = boxOfCell(cell)
  // A point belongs to one tile, or its name would be written twice.
  if (shape.geometry === geometries.point) return isInside(shape, bounds) ? shape : undefined
  const { left, top, right, bottom } = withMargin(bounds)
  const upright = cut(shape, 0, left, right)
  return upright && cut(upright, 1, top, bottom)
}

const isInside = ({ left: x, top: y }: Box, { left, top, right, bottom }: Box) =>
  x >= left && x < right && y >= top && y < bottom

function cut(shape: Shape, axis: 0 | 1, from: number, to: number): Shape | undefined {
  const [low, high] = axis === 0 ? [shape.left, shape.right] : [shape.top, shape.bottom]
  if (low >= from && high <= to) return shape
  if (high < from || low > to) return undefined
  const paths =
    shape.geometry === geometries.line ? cutLines(shape.paths, axis, from, to) : cutRings(shape.paths, axis, from, to)
  return paths.length === 0 ? undefined : { ...shape, paths, ...boxOf(paths) }
}

const cutLines = (lines: readonly Path[], axis: 0 | 1, from: number, to: number): Path[] =>
  lines.flatMap((line) => cutLine(line, axis, from, to))

/** The parts of a line between two places of an axis (0 across, 1 down). */
export function cutLine(line: Path, axis: 0 | 1, from: number, to: number): Path[] {
  const parts: Path[] = []
  let part: Path = []
  const end = () => {
    if (part.length > stride) parts.push(part)
    part = []
  }
  walk(line, axis, from, to, (x, y, zoom) => part.push(x, y, zoom), end)
  end()
  return parts
}

/** Every ring stays one ring, also where several parts of it are inside; its hull then runs along the edge, outside of the tile. */
function cutRings(rings: readonly Path[], axis: 0 | 1, from: number, to: number): Path[] {
  const parts: Path[] = []
  for (const [index, ring] of rings.entries()) {
    const part: Path = []
    walk(ring, axis, from, to, (x, y, zoom) => part.push(x, y, zoom))
    if (part.length > 0 && (part[0] !== part.at(-stride) || part[1] !== part.at(1 - stride)))
      part.push(part[0] as number, part[1] as number, 0)
    // A ring has three corners and ends where it began.
    if (part.length >= 4 * stride) parts.push(part)
    else if (index === 0) return []
  }
  return parts
}

/** Every point between the two edges, and those where the path crosses one. */
function walk(
  path: Path,
  axis: 0 | 1,
  from: number,
  to: number,
  add: (x: number, y: number, zoom: number) => void,
  leave?: () => void,
) {
  const last = path.length - stride
  for (let at = 0; at < last; at += stride) {
    const here = path[at + axis] as number
    const next = path[at + stride + axis] as number
    if (here < from) {
      if (next > from) cross(path, at, axis, from, add)
    } else if (here > to) {
      if (next < to) cross(path, at, axis, to, add)
    } else add(path[at] as number, path[at + 1] as number, path[at + 2] as number)
    const leaves = next < from && here >= from ? from : next > to && here <= to ? to : undefined
    // What jumps over everything between the edges crosses both.
    if (leaves === undefined) continue
    cross(path, at, axis, leaves, add)
    leave?.()
  }
  const end = path[last + axis] as number
  if (end >= from && end <= to) add(path[last] as number, path[last + 1] as number, path[last + 2] as number)
}

function cross(path: Path, at: number, axis: 0 | 1, edge: number, add: (x: number, y: number, zoom: number) => void) {
  const x = path[at] as number
  const y = path[at + 1] as number
  const toX = path[at + stride] as number
  const toY = path[at + stride + 1] as number
  const share = axis === 0 ? (edge - x) / (toX - x) : (edge - y) / (toY - y)
  if (axis === 0) add(edge, Math.round(y + (toY - y) * share), 0)
  else add(Math.round(x + (toX - x) * share), edge, 0)
}
