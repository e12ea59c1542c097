import { writeFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import type { ErrorCode } from '../../contract/errors.ts'
import { dither } from './dither.ts'

/* A process that makes one picture after the other. What it writes has only pixels: no place, no camera, no name. */

/** Makes a picture and its thumbnail of what somebody sent. */
export interface MakeJob {
  /** A file on this machine, and where to write what is made of it. */
  from: string
  picture: string
  thumb: string
}

/** Makes a small JPEG of a picture, for paper. */
export interface ShrinkJob {
  from: string
  to: string
  longestSide: number
  mostBytes: number
}

/** Makes black dots of a picture, in a box of so many, for printers that have no grey. */
export interface InkJob {
  from: string
  to: string
  box: { width: number; height: number }
}

export type PictureJob = MakeJob | ShrinkJob | InkJob

export interface Made {
  type: 'image/jpeg' | 'image/png' | 'image/x-portable-bitmap'
  bytes: number
  width: number
  height: number
}

export type PictureAnswer = Made | { refused: ErrorCode }

const mostPixels = 50_000_000
const longestSide = 2_048
const longestSideOfThumb = 320

// Of all the formats libvips reads, only these, whatever a file claims to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp'].map((format) => `VipsForeignLoad${format}File`) })
sharp.cache(false)
sharp.concurrency(1)

async function make({ from, picture, thumb }: MakeJob): Promise<PictureAnswer> {
  const pixels = await open(from)
    .autoOrient()
    .resize({ ...within(longestSide), withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const { width, height } = pixels.info
  const encode = isTransparent(pixels.data) ? toPng : toJpeg
  const sized = () => sharp(pixels.data, { raw: { width, height, channels: 4 } })
  const { size: bytes } = await encode(sized()).toFile(picture)
  await encode(sized().resize({ ...within(longestSideOfThumb), withoutEnlargement: true })).toFile(thumb)
  return { type: encode === toPng ? 'image/png' : 'image/jpeg', bytes, width, height }
}

/** A warning is no reason to lose a photo: many phones write JPEG files that are slightly wrong. */
const open = (path: string) => sharp(path, { limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true })

const smallestSide = 200

/** What is still too large with all its detail gets fewer pixels, not worse ones. The file is decoded once. */
async function shrink({ from, to, longestSide, mostBytes }: ShrinkJob): Promise<PictureAnswer> {
  const { data, info } = await open(from)
    .resize({ ...within(longestSide), withoutEnlargement: true })
    .toColourspace('srgb')
    .flatten({ background: '#fff' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  for (let side = Math.max(width, height); ; side = Math.round(side * 0.75)) {
    const sized = sharp(data, { raw: { width, height, channels } }).resize(within(side))
    const made = await toJpeg(sized).toFile(to)
    if (made.size <= mostBytes || side <= smallestSide)
      return { type: 'image/jpeg', bytes: made.size, width: made.width, height: made.height }
  }
}

async function ink({ from, to, box }: InkJob): Promise<PictureAnswer> {
  const { data, info } = await open(from)
    .flatten({ background: '#fff' })
    .resize({ ...box, fit: 'inside' })
    .greyscale()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const file = Buffer.concat([Buffer.from(`P4\n${width} ${height}\n`), dither(data, width, height)])
  await writeFile(to, file)
  return { type: 'image/x-portable-bitmap', bytes: file.length, width, height }
}

const within = (side: number) => ({ width: side, height: side, fit: 'inside' }) as const
const toPng = (input: Sharp) => input.png()
const toJpeg = (input: Sharp) => input.flatten({ background: '#fff' }).jpeg({ quality: 82 })

/** Many pictures have an alpha channel and make no use of it. */
function isTransparent(rgba: Buffer): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return true
  return false
}

/** An error of the decoder is the file's fault; a full disk is not. */
function refusalFor({ message, code }: Error & { code?: string }): PictureAnswer {
  if (/pixel limit/i.test(message)) return { refused: 'PICTURE_TOO_LARGE' }
  return { refused: code === 'ENOSPC' || /no space|write failed/i.test(message) ? 'DISK_FULL' : 'PICTURE_DAMAGED' }
}

process.on('message', (job: PictureJob) => {
  const answer = 'thumb' in job ? make(job) : 'box' in job ? ink(job) : shrink(job)
  answer.catch(refusalFor).then((answer) => process.send?.(answer))
})
// Signals for the whole group are for the server, which ends us in its own time; a server that died ends us at once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
