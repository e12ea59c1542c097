import { appendFile, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PbfReader, PbfWriter } from 'pbf'
import type { Cell } from './clip.ts'
import { layers } from './layers.ts'
import { boxOf, type Geometry, type Shape } from './shapes.ts'
import { type Path, stride } from './world.ts'

/** Shapes on disk, those of a cell together, in the order in which they came. */
export interface Bucket {
  cell: Cell
  path: string
  bytes: number
}

export interface Buckets {
  add(cell: Cell, shape: Shape): void
  /** Whether so much waits in memory that it should be written now. */
  readonly isFull: boolean
  flush(): Promise<void>
  /** All that got something, once everything is written. */
  list(): Bucket[]
}

/** Waits in memory before it is written, together. */
const waitingBytes = 16 * 1024 * 1024
/** Read at a time. */
const pieceBytes = 4 * 1024 * 1024

export function openBuckets(folder: string): Buckets {
  const buckets = new Map<string, Bucket & { waiting: Uint8Array[] }>()
  let waiting = 0
  return {
    add(cell, shape) {
      const name = `${cell.z}-${cell.x}-${cell.y}`
      const bucket = buckets.get(name) ?? { cell, path: join(folder, name), bytes: 0, waiting: [] }
      buckets.set(name, bucket)
      const record = write(shape)
      bucket.waiting.push(record)
      bucket.bytes += record.length
      waiting += record.length
    },
    get isFull() {
      return waiting > waitingBytes
    },
    async flush() {
      await mkdir(folder, { recursive: true })
      for (const bucket of buckets.values()) {
        const { path, waiting: records } = bucket
        if (records.length === 0) continue
        bucket.waiting = []
        await appendFile(path, Buffer.concat(records))
      }
      waiting = 0
    },
    list: () => Array.from(buckets.values(), ({ cell, path, bytes }) => ({ cell, path, bytes })),
  }
}

export const removeBucket = ({ path }: Bucket): Promise<void> => rm(path, { force: true })

const writer = new PbfWriter()

/** Its length, and then everything as numbers; points as differences, which are small. */
function write(shape: Shape): Uint8Array {
  writer.pos = 0
  writer.writeVarint(layers.indexOf(shape.layer))
  writer.writeVarint(shape.geometry)
  writer.writeVarint(shape.minZoom)
  writer.writeString(shape.says)
  writer.writeVarint(shape.paths.length)
  for (const path of shape.paths) {
    writer.writeVarint(path.length / stride)
    let x = 0
    let y = 0
    for (let at = 0; at < path.length; at += stride) {
      writer.writeSVarint((path[at] as number) - x)
      writer.writeSVarint((path[at + 1] as number) - y)
      writer.writeVarint(path[at + 2] as number)
      x = path[at] as number
      y = path[at + 1] as number
    }
  }
  const body = writer.buf.slice(0, writer.pos)
  const record = new Uint8Array(4 + body.length)
  new DataView(record.buffer).setUint32(0, body.length, true)
  record.set(body, 4)
  return record
}

function read(reader: PbfReader): Shape {
  const layer = layers[reader.readVarint()]
  if (!layer) throw new Error('A bucket of the tiles was changed while it was in use')
  const geometry = reader.readVarint() as Geometry
  const minZoom = reader.readVarint()
  const says = reader.readString()
  const paths: Path[] = []
  for (let left = reader.readVarint(); left > 0; left--) {
    const path: Path = []
    let x = 0
    let y = 0
    for (let points = reader.readVarint(); points > 0; points--) {
      x += reader.readSVarint()
      y += reader.readSVarint()
      path.push(x, y, reader.readVarint())
    }
    paths.push(path)
  }
  return { layer, geometry, minZoom, says, paths, ...boxOf(paths) }
}

/** All shapes of a bucket, in pieces that fit into memory whatever its size. */
export async function* readBucket({ path, bytes }: Bucket): AsyncGenerator<Shape[]> {
  const file = await open(path)
  try {
    let rest: Uint8Array = new Uint8Array()
    for (let at = 0; at < bytes; ) {
      const piece = Buffer.allocUnsafe(Math.min(pieceBytes, bytes - at))
      const { bytesRead } = await file.read(piece, 0, piece.length, at)
      if (bytesRead === 0) throw new Error(`${path} is shorter than what was written to it`)
      at += bytesRead
      const known = Buffer.concat([rest, piece.subarray(0, bytesRead)])
      const shapes: Shape[] = []
      let done = 0
      while (done + 4 <= known.length) {
        const end = done + 4 + known.readUInt32LE(done)
        if (end > known.length) break
        shapes.push(read(new PbfReader(known.subarray(done + 4, end))))
        done = end
      }
      rest = known.subarray(done)
      yield shapes
    }
  } finally {
    await file.close()
  }
}
