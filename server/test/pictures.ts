import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

/* Pictures to send. They are made by hand: a test process has no decoder, and so shows that the server has none either. */

const read = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, 'pictures', name)))

/** 80 × 60 pixels that lie on their side, with the place where they were taken and a camera called KANARIENVOGEL. */
export const photo = read('photo.jpg')
export const webp = read('photo.webp')

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), body])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(body.length)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), named.length + 4)
  return whole
}

interface PngOptions {
  /** Of 255, for every pixel. */
  alpha?: number
  /** What stands in the file instead of pixels that fit the size. */
  pixels?: Buffer
  /** Another picture each time. */
  shade?: number
  /** How hard it is compressed. */
  level?: number
}

/** A PNG of one colour: red, green, blue, alpha. */
export function makePng(width: number, height: number, { alpha = 255, pixels, shade = 0, level = 6 }: PngOptions = {}) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  const colour = Buffer.from([shade, 90, 200, alpha])
  const line = () => Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 4, colour)])
  const raw = pixels ?? Buffer.concat(Array(height).fill(line()))
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(raw, { level })), chunk('IEND', Buffer.alloc(0))]
  return new Uint8Array(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]))
}

/** A PNG in which no two pixels are alike: nothing makes it small but fewer pixels, so nobody tries. */
export function makeNoise(width: number, height: number) {
  const lineBytes = 1 + width * 4
  const pixels = randomBytes(lineBytes * height)
  for (let line = 0; line < pixels.length; line += lineBytes) {
    pixels[line] = 0
    for (let alpha = line + 4; alpha < line + lineBytes; alpha += 4) pixels[alpha] = 255
  }
  return makePng(width, height, { pixels, level: 0 })
}
