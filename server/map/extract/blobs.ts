import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflate, zstdDecompress } from 'node:zlib'
import { PbfReader } from 'pbf'
import { damaged, UnreadableExtract } from './unreadable.ts'

/*
 * An .osm.pbf is a row of blobs: four bytes with the length of a head, the head (what kind of blob, how long), and its compressed
 * body. https://wiki.openstreetmap.org/wiki/PBF_Format
 */

export interface Blob {
  /** Where its body begins in the file. */
  at: number
  bytes: number
}

export interface Blobs {
  /** The length of the file. */
  size: number
  header: Buffer
  /** All but the header, in the order of the file. */
  data: readonly Blob[]
  /** The contents of a blob. Decompressing happens beside the caller's work. */
  read(blob: Blob): Promise<Buffer>
  close(): Promise<void>
}

/** By the format; larger ones are not to be read. */
const mostHeadBytes = 64 * 1024
const mostBlobBytes = 32 * 1024 * 1024

const decompressors = { 3: promisify(inflate), 7: promisify(zstdDecompress) } as const
/** Which nobody writes by default. */
const otherCompressions: Record<number, string> = { 4: 'LZMA', 5: 'bzip2', 6: 'LZ4' }

/** Looks at the heads of all blobs, so a file that was cut off is known before anything is done with it. */
export async function openBlobs(path: string): Promise<Blobs> {
  const file = await open(path)
  try {
    const stats = await file.stat()
    if (stats.isDirectory()) throw new UnreadableExtract(`${path} is a folder: name the .osm.pbf file in it`)
    const { size } = stats
    await requireExtract(file, path, size)
    const found = await findBlobs(file, size)
    const [first, ...data] = found
    const header = await readBlob(file, first as Blob)
    return { size, header, data, read: (blob) => readBlob(file, blob), close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** What people take for an extract, by how it begins. */
const strangers: readonly [begins: string, is: string][] = [
  ['<?xml', 'is an OpenStreetMap file in XML (.osm)'],
  ['<osm', 'is an OpenStreetMap file in XML (.osm)'],
  ['BZh', 'is packed with bzip2 (.osm.bz2)'],
  ['\u001f\u008b', 'is packed with gzip'],
  ['\u00fd7zXZ', 'is packed with xz'],
  ['PK\u0003\u0004', 'is a ZIP archive'],
  ['o5m2', 'is an OpenStreetMap file in o5m'],
  ['\u00ff\u00e0\u0004o5m2', 'is an OpenStreetMap file in o5m'],
  ['PMTiles', 'holds map tiles (PMTiles)'],
  ['SQLite format 3', 'is a database (SQLite)'],
  ['\u00ff\u00d8\u00ff', 'is a picture (JPEG)'],
  ['\u0089PNG', 'is a picture (PNG)'],
  ['%PDF', 'is a PDF'],
  ['<!doctype html', 'is a web page: the download did not work'],
  ['<html', 'is a web page: the download did not work'],
  ['{', 'is JSON'],
  ['[', 'is JSON'],
]

async function requireExtract(file: FileHandle, path: string, size: number) {
  if (size === 0) throw new UnreadableExtract(`${path} is empty: download it again`)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
  const start = buffer.toString('latin1', 0, bytesRead)
  // The kind of the first blob stands near the beginning.
  if (start.slice(0, 64).includes('OSMHeader')) return
  const trimmed = start
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
    .toLowerCase()
  const is = strangers.find(([begins]) => trimmed.startsWith(begins.toLowerCase()))?.[1] ?? 'is something else'
  throw new UnreadableExtract(
    `${path} ${is}: an extract of OpenStreetMap in the format PBF is needed, a file that ends in .osm.pbf`,
  )
}

async function findBlobs(file: FileHandle, size: number): Promise<Blob[]> {
  const blobs: Blob[] = []
  const start = Buffer.alloc(mostHeadBytes + 4)
  const cutOff = () =>
    new UnreadableExtract(
      `The file ends in the middle of its data, at ${size.toLocaleString('en')} bytes: the download was cut off; download it again`,
    )
  for (let at = 0; at < size; ) {
    // Heads have some fifteen bytes.
    let { bytesRead } = await file.read(start, 0, 64, at)
    if (bytesRead < 4) throw cutOff()
    const headBytes = start.readUInt32BE(0)
    if (headBytes === 0 || headBytes > mostHeadBytes) throw damaged(`at byte ${at}`)
    if (headBytes + 4 > bytesRead) ({ bytesRead } = await file.read(start, 0, headBytes + 4, at))
    if (bytesRead < headBytes + 4) throw cutOff()
    const { type, bytes } = readHead(start.subarray(4, headBytes + 4), at)
    const body = at + 4 + headBytes
    if (bytes > mostBlobBytes) throw damaged(`at byte ${at}`)
    if (body + bytes > size) throw cutOff()
    const expected = blobs.length === 0 ? 'OSMHeader' : 'OSMData'
    // Kinds that are not known are to be skipped; the first must be a header.
    if (type === expected) blobs.push({ at: body, bytes })
    else if (blobs.length === 0 || type === 'OSMHeader') throw damaged(`at byte ${at}`)
    at = body + bytes
  }
  return blobs
}

function readHead(bytes: Buffer, at: number): { type: string; bytes: number } {
  const head = { type: '', bytes: -1 }
  try {
    new PbfReader(bytes).readFields((tag, head, pbf) => {
      if (tag === 1) head.type = pbf.readString()
      else if (tag === 3) head.bytes = pbf.readVarint()
    }, head)
  } catch (error) {
    throw damaged(`at byte ${at}`, error)
  }
  if (!(head.bytes >= 0)) throw damaged(`at byte ${at}`)
  return head
}

async function readBlob(file: FileHandle, { at, bytes }: Blob): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, at)
  const where = `the part at byte ${at}`
  if (bytesRead < bytes) throw damaged(where)
  const found: { field: number; body: Uint8Array | undefined; plainBytes: number } = {
    field: 0,
    body: undefined,
    plainBytes: 0,
  }
  try {
    new PbfReader(buffer).readFields((tag, found, pbf) => {
      if (tag === 2) found.plainBytes = pbf.readVarint()
      else if (tag === 1 || (tag >= 3 && tag <= 7)) Object.assign(found, { field: tag, body: pbf.readBytes() })
    }, found)
  } catch (error) {
    throw damaged(where, error)
  }
  const { field, body, plainBytes } = found
  const other = otherCompressions[field]
  if (other)
    throw new UnreadableExtract(
      `The file is compressed with ${other}, which is not read here: write it again with "osmium cat -o new.osm.pbf"`,
    )
  if (!body || plainBytes > mostBlobBytes) throw damaged(where)
  if (field === 1) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const decompress = decompressors[field as keyof typeof decompressors]
  const plain = await decompress(body, { maxOutputLength: mostBlobBytes }).catch((error) => {
    throw damaged(where, error)
  })
  if (plain.length !== plainBytes) throw damaged(where)
  return plain
}
