/*
 * Grey as black dots on white, for printers that know nothing else. The error of each dot goes to the dots around it, three quarters of it
 * (Atkinson): what is nearly white or nearly black becomes it, so that letters stay clean; all of the error (Floyd and Steinberg) left
 * single dots around them.
 */

/** Where an eighth of the error goes: right and down. */
const neighbours = [
  [1, 0],
  [2, 0],
  [-1, 1],
  [0, 1],
  [1, 1],
  [0, 2],
] as const

/** A byte for each dot, 255 is white. Returns rows of whole bytes, the first dot in the highest bit, 1 is black. */
export function dither(grey: Uint8Array, width: number, height: number): Uint8Array {
  const levels = Float32Array.from(grey)
  const bytesOfRow = Math.ceil(width / 8)
  const bits = new Uint8Array(bytesOfRow * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const level = levels[y * width + x] as number
      const isBlack = level < 128
      const error = (level - (isBlack ? 0 : 255)) / 8
      for (const [right, down] of neighbours)
        if (x + right >= 0 && x + right < width && y + down < height) {
          const at = (y + down) * width + x + right
          levels[at] = (levels[at] as number) + error
        }
      if (isBlack) {
        const at = y * bytesOfRow + (x >> 3)
        bits[at] = (bits[at] as number) | (128 >> (x & 7))
      }
    }
  return bits
}
