import type { Cell } from './clip.ts'

/** Tiles of the zooms before this one. */
const tilesBefore = (zoom: number) => (4 ** zoom - 1) / 3

/** The number of a tile in a PMTiles file: zoom by zoom, in each along a Hilbert curve, so that neighbours lie together. */
export function idOf({ z, x, y }: Cell): number {
  let left = x
  let down = y
  let along = 0
  for (let size = 2 ** (z - 1); size >= 1; size /= 2) {
    const isRight = (left & size) > 0 ? 1 : 0
    const isLower = (down & size) > 0 ? 1 : 0
    along += size * size * ((3 * isRight) ^ isLower)
    // Inside of a quarter the curve is turned.
    if (isLower) continue
    if (isRight) {
      left = size - 1 - (left & (size - 1))
      down = size - 1 - (down & (size - 1))
    }
    ;[left, down] = [down, left]
  }
  return tilesBefore(z) + along
}
