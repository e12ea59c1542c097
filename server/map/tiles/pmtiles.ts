import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync, gzip as gzipWithCallback } from 'node:zlib'
import { PbfWriter } from 'pbf'
import type { Cell } from './clip.ts'
import { idOf } from './hilbert.ts'
import { lastZoom } from './layers.ts'

/*
 * A PMTiles file, version 3 (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md): header, root directory, metadata, leaf
 * directories, tiles. Tiles are ordered by zoom and along a Hilbert curve, and each content is kept once.
 */

export interface Bounds {
  west: number
  south: number
  east: number
  north: number
}

export interface TileWriter {
  /** The tiles of one zoom must come in the order of their numbers; zooms may mix. */
  add(cell: Cell, content: Uint8Array): Promise<void>
  finish(about: {
    bounds: Bounds
    metadata: object
  }): Promise<{ bytes: number; tiles: number; largestTileBytes: number }>
  dispose(): Promise<void>
}

/** Where a content is: so far from the beginning of all tiles of its zoom. `count` tiles in a row have it. */
interface Entry {
  id: number
  offset: number
  length: number
  count: number
}

interface Zoom {
  path: string
  file?: FileHandle
  /** Not written yet, so that small tiles do not cost a write each. */
  waiting: Buffer[]
  waitingBytes: number
  bytes: number
  entries: Entry[]
}

const gzip = promisify<Uint8Array, Buffer>(gzipWithCallback)
const compress = async (content: Uint8Array) => (content.length < worthAThread ? gzipSync(content) : gzip(content))

/** So many tiles are compressed beside the making of the next ones. */
const atOnce = 8
/** For less, handing it to another thread takes longer than the work. */
const worthAThread = 4_096
const writtenAtOnce = 512 * 1024
/** Only tiles this small are compared: those that many places share hold an area or two, water or land. */
const sharedBytes = 512
const mostShared = 10_000
const headerBytes = 127
/** Header and root directory together; readers ask for them at once. */
const firstBytes = 16_384
const smallestLeaf = 4_096

export function openTileWriter(path: string, workFolder: string): TileWriter {
  const zooms: Zoom[] = Array.from({ length: lastZoom + 1 }, (_, zoom) => ({
    path: join(workFolder, `tiles-${zoom}`),
    waiting: [],
    waitingBytes: 0,
    bytes: 0,
    entries: [],
  }))
  const shared = new Map<string, Promise<Entry>>()
  const waiting: Promise<unknown>[] = []
  let written: Promise<unknown> = Promise.resolve()
  let largestTileBytes = 0

  /** Behind everything that was added before. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = written.then(work)
    written = result
    // Whoever waits for it hears of a failure.
    result.catch(() => {})
    return result
  }

  const flush = async (zoom: Zoom) => {
    if (zoom.waiting.length === 0) return
    if (!zoom.file) {
      await mkdir(workFolder, { recursive: true })
      zoom.file = await open(zoom.path, 'w')
    }
    await zoom.file.writeFile(Buffer.concat(zoom.waiting))
    zoom.waiting = []
    zoom.waitingBytes = 0
  }

  const append = async (zoom: Zoom, content: Buffer): Promise<Pick<Entry, 'offset' | 'length'>> => {
    const offset = zoom.bytes
    zoom.waiting.push(content)
    zoom.waitingBytes += content.length
    zoom.bytes += content.length
    if (zoom.waitingBytes > writtenAtOnce) await flush(zoom)
    largestTileBytes = Math.max(largestTileBytes, content.length)
    return { offset, length: content.length }
  }

  return {
    async add(cell, content) {
      const zoom = zooms[cell.z] as Zoom
      const id = idOf(cell)
      const text = content.length > sharedBytes ? undefined : `${cell.z} ${Buffer.from(content).toString('latin1')}`
      const same = text === undefined ? undefined : shared.get(text)
      const compressed = same ? undefined : compress(content)
      compressed?.catch(() => {})
      const entry = inTurn(async () => {
        const place = same ? await same : await append(zoom, await (compressed as Promise<Buffer>))
        const last = zoom.entries.at(-1)
        if (last && last.id + last.count === id && last.offset === place.offset) last.count++
        else zoom.entries.push({ id, offset: place.offset, length: place.length, count: 1 })
        return { ...place, id, count: 1 }
      })
      if (text !== undefined && !same && shared.size < mostShared) shared.set(text, entry)
      waiting.push(entry)
      if (waiting.length >= atOnce) await waiting.shift()
    },

    async finish({ bounds, metadata }) {
      await written
      for (const zoom of zooms) await flush(zoom)
      const entries = inOneRow(zooms)
      if (entries.length === 0) throw new Error('There is no tile to write')
      const { root, leaves } = directories(entries)
      const deepest = zooms.findLastIndex((zoom) => zoom.entries.length > 0)
      const about = gzipSync(JSON.stringify(metadata))
      const file = await open(path, 'w')
      try {
        const sections = { root: root.length, metadata: about.length, leaves: leaves.length, tiles: bytesOf(zooms) }
        await file.writev([header(sections, entries, bounds, deepest), root, about, leaves])
        for (const zoom of zooms) if (zoom.file) await file.writeFile(createReadStream(zoom.path))
        await file.sync()
      } finally {
        await file.close()
      }
      const bytes = headerBytes + root.length + about.length + leaves.length + bytesOf(zooms)
      return { bytes, tiles: entries.reduce((sum, { count }) => sum + count, 0), largestTileBytes }
    },

    async dispose() {
      await Promise.allSettled(waiting)
      for (const { path, file } of zooms) {
        if (!file) continue
        await file.close()
        await rm(path, { force: true })
      }
    },
  }
}

const bytesOf = (zooms: readonly Zoom[]) => zooms.reduce((sum, { bytes }) => sum + bytes, 0)

/** Their places count from the beginning of all tiles. */
function inOneRow(zooms: readonly Zoom[]): Entry[] {
  let before = 0
  const all: Entry[] = []
  for (const { entries, bytes } of zooms) {
    for (const entry of entries) all.push({ ...entry, offset: before + entry.offset })
    before += bytes
  }
  return all
}

/** All entries in the root, or in leaves that the root lists; the leaves grow until it fits. */
function directories(entries: readonly Entry[]): { root: Buffer; leaves: Buffer } {
  const alone = directory(entries)
  if (headerBytes + alone.length < firstBytes) return { root: alone, leaves: Buffer.alloc(0) }
  for (let size = smallestLeaf; ; size *= 2) {
    const leaves: Buffer[] = []
    const listed: Entry[] = []
    let offset = 0
    for (let at = 0; at < entries.length; at += size) {
      const leaf = directory(entries.slice(at, at + size))
      leaves.push(leaf)
      listed.push({ id: (entries[at] as Entry).id, offset, length: leaf.length, count: 0 })
      offset += leaf.length
    }
    const root = directory(listed)
    if (headerBytes + root.length < firstBytes) return { root, leaves: Buffer.concat(leaves) }
  }
}

function directory(entries: readonly Entry[]): Buffer {
  const writer = new PbfWriter()
  writer.writeVarint(entries.length)
  let before = 0
  for (const { id } of entries) {
    writer.writeVarint(id - before)
    before = id
  }
  for (const { count } of entries) writer.writeVarint(count)
  for (const { length } of entries) writer.writeVarint(length)
  let end = -1
  for (const { offset, length } of entries) {
    writer.writeVarint(offset === end ? 0 : offset + 1)
    end = offset + length
  }
  return gzipSync(writer.finish())
}

interface Sections {
  root: number
  metadata: number
  leaves: number
  tiles: number
}

function header(
  sections: Sections,
  entries: readonly Entry[],
  { west, south, east, north }: Bounds,
  deepest: number,
): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  bytes.write('PMTiles', 0, 'latin1')
  bytes[7] = 3
  let offset = headerBytes
  for (const [index, length] of [sections.root, sections.metadata, sections.leaves, sections.tiles].entries()) {
    bytes.writeBigUInt64LE(BigInt(offset), 8 + 16 * index)
    bytes.writeBigUInt64LE(BigInt(length), 16 + 16 * index)
    offset += length
  }
  const addressed = entries.reduce((sum, { count }) => sum + count, 0)
  const contents = new Set(entries.map((entry) => entry.offset)).size
  for (const [index, count] of [addressed, entries.length, contents].entries())
    bytes.writeBigUInt64LE(BigInt(count), 72 + 8 * index)
  const gzipped = 2
  const vectorTiles = 1
  // Clustered; how directories and tiles are compressed; what tiles are; the zooms.
  bytes.set([1, gzipped, gzipped, vectorTiles, 0, deepest], 96)
  const places = [west, south, east, north, (west + east) / 2, (south + north) / 2]
  const at = [102, 106, 110, 114, 119, 123]
  for (const [index, degrees] of places.entries()) bytes.writeInt32LE(Math.round(degrees * 1e7), at[index] as number)
  bytes[118] = Math.min(deepest, Math.max(0, Math.floor(Math.log2(360 / Math.max(east - west, 1e-3)))))
  return bytes
}
