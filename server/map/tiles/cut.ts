import { setImmediate } from 'node:timers/promises'
import { type Bucket, openBuckets, readBucket, removeBucket } from './buckets.ts'
import { type Cell, childrenOf, clip } from './clip.ts'
import { idOf } from './hilbert.ts'
import type { TileWriter } from './pmtiles.ts'
import type { Shape } from './shapes.ts'
import { makeTile } from './tile.ts'

export interface Cutting {
  folder: string
  writer: TileWriter
  /** The last zoom that is made from this bucket. */
  upTo: number
  /** A bucket with more bytes than this is divided on disk before it is cut into tiles; in memory it takes about eight times as many. */
  mostInMemory: number
  progress: (share: number) => void
  signal: AbortSignal | undefined
}

/** Cells from this zoom on are not divided any more: that would be cities many times denser than any. */
const lastDivided = 12

/** Cuts a bucket into tiles, beginning with the one of its own cell, in the order in which they lie in the file; then removes it. */
export async function cutBucket(bucket: Bucket, cutting: Cutting): Promise<void> {
  const { cell } = bucket
  if (bucket.bytes <= cutting.mostInMemory || cell.z >= Math.min(lastDivided, cutting.upTo)) {
    const shapes: Shape[] = []
    for await (const piece of readBucket(bucket)) for (const shape of piece) shapes.push(shape)
    await removeBucket(bucket)
    await cutShapes(cell, shapes, cutting, { from: 0, to: 1 })
  } else await divide(bucket, cutting)
  cutting.progress(1)
}

async function divide(bucket: Bucket, cutting: Cutting): Promise<void> {
  const { cell } = bucket
  const children = childrenOf(cell)
  const parts = openBuckets(cutting.folder)
  const own: Shape[] = []
  for await (const piece of readBucket(bucket)) {
    for (const shape of piece) {
      if (shape.minZoom <= cell.z) own.push(shape)
      for (const child of children) {
        const inside = clip(shape, child)
        if (inside) parts.add(child, inside)
      }
    }
    await parts.flush()
    cutting.signal?.throwIfAborted()
  }
  await removeBucket(bucket)
  await write(cell, own, cutting)
  const buckets = parts.list().toSorted((one, other) => idOf(one.cell) - idOf(other.cell))
  const total = buckets.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  for (const part of buckets) {
    const progress = (share: number) => cutting.progress((done + share * part.bytes) / total)
    await cutBucket(part, { ...cutting, progress })
    done += part.bytes
  }
}

/** The tile of a cell, then those of its quarters, and so on. What they get becomes smaller each time. */
async function cutShapes(cell: Cell, shapes: readonly Shape[], cutting: Cutting, span: Span): Promise<void> {
  await write(cell, shapes, cutting)
  if (cell.z >= cutting.upTo) return cutting.progress(span.to)
  const children = childrenOf(cell).toSorted((one, other) => idOf(one) - idOf(other))
  const share = (span.to - span.from) / children.length
  for (const [index, child] of children.entries()) {
    const inside: Shape[] = []
    for (const shape of shapes) {
      const part = clip(shape, child)
      if (part) inside.push(part)
    }
    const from = span.from + index * share
    if (inside.length > 0) await cutShapes(child, inside, cutting, { from, to: from + share })
  }
}

/** The part of all progress that a cell is. */
interface Span {
  from: number
  to: number
}

async function write(cell: Cell, shapes: readonly Shape[], { writer, signal }: Cutting): Promise<void> {
  // Signals and timers get their turn between two tiles.
  await setImmediate()
  signal?.throwIfAborted()
  const content = makeTile(cell, shapes)
  if (content) await writer.add(cell, content)
}
