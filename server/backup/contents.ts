import { createHash, type Hash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { type Archive, DamagedBackup, type Member } from './archive.ts'

const decompress = promisify(zstdDecompress)

/** Raised when today's version could no longer read new backups. */
export const formatNumber = 1

export const places = { head: 'waybill-backup.json', manifest: 'manifest.json', tables: 'tables/', files: 'files/' }

/** The first member: what this is, and which schema it fits. */
export interface Head {
  format: number
  /** The Waybill that wrote it. */
  version: string
  createdAt: string
  /** The PostgreSQL it came from. */
  postgres: string
  migrations: { name: string; checksum: string }[]
  /** The bucket that keeps the pictures, which are then not in the backup. */
  bucket?: string
  /** The imported map, which is not in the backup. */
  map?: string
}

/** The last member before the checksum: what the backup must contain. */
export interface Manifest {
  tables: Counted[]
  partitions: { name: string; parent: string; bound: string }[]
  sequences: { name: string; lastValue: string; isCalled: boolean }[]
  files: { path: string; bytes: number; sha256: string }[]
}

export interface Counted {
  name: string
  columns: string[]
  rows: number
  /** Of the text, before it was compressed. */
  bytes: number
  sha256: string
}

/** A backup that was read completely and is intact. */
export interface Contents {
  archive: Archive
  head: Head
  manifest: Manifest
  /** The parts of each table, in order. */
  parts: Map<string, Member[]>
  files: Map<string, Member>
}

export const textOf = async (archive: Archive, part: Member): Promise<Buffer> => decompress(await archive.body(part))

/** In COPY text a line break inside a value is written `\n`, so every real one ends a row. */
export function countRows(text: Buffer): number {
  let rows = 0
  for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, at + 1)) rows += 1
  return rows
}

/** Reads everything and checks all checksums: per table, per file, and overall. Throws an error that says what is wrong. */
export async function checkContents(
  archive: Archive,
  path: string,
  onRead: (bytes: number, rows: number) => void,
): Promise<Contents> {
  let head: Head | undefined
  let manifest: Manifest | undefined
  const parts = new Map<string, Member[]>()
  const files = new Map<string, Member>()
  const found = new Map<string, { rows: number; bytes: number; hash: Hash }>()

  let rowsRead = 0
  await archive.readAll(async (member, pieces) => {
    onRead(member.at, rowsRead)
    if (!head) {
      if (member.path !== places.head) throw new DamagedBackup(`${path} is not a Waybill backup`)
      head = parse<Head>(path, await collect(pieces))
      if (head.format > formatNumber)
        throw new DamagedBackup(`${path} was written by a newer Waybill (${head.version}): use that version`)
    } else if (member.path === places.manifest) {
      manifest = parse<Manifest>(path, await collect(pieces))
    } else if (member.path.startsWith(places.tables)) {
      const [, table = ''] = member.path.split('/')
      const counted = found.get(table) ?? { rows: 0, bytes: 0, hash: createHash('sha256') }
      const text = await decompress(await collect(pieces)).catch(() => {
        throw new DamagedBackup(`${path} was changed after it was written: ${member.path} cannot be read`)
      })
      const rows = countRows(text)
      counted.rows += rows
      rowsRead += rows
      counted.bytes += text.length
      counted.hash.update(text)
      found.set(table, counted)
      if (!parts.get(table)?.push(member)) parts.set(table, [member])
    } else {
      const counted = { rows: 0, bytes: member.bytes, hash: createHash('sha256') }
      for await (const piece of pieces) counted.hash.update(piece)
      found.set(member.path, counted)
      files.set(member.path.slice(places.files.length), member)
    }
  })
  if (!head || !manifest) throw new DamagedBackup(`${path} is not a Waybill backup`)

  // The overall checksum matches, so a mismatch here means it was written wrong.
  const isAsCounted = (name: string, { rows = 0, bytes, sha256 }: { rows?: number; bytes: number; sha256: string }) => {
    const { rows: foundRows = 0, bytes: foundBytes = 0, hash = createHash('sha256') } = found.get(name) ?? {}
    return foundRows === rows && foundBytes === bytes && hash.digest('hex') === sha256
  }
  for (const table of manifest.tables)
    if (!isAsCounted(table.name, table)) throw new DamagedBackup(`${path} is missing part of the table ${table.name}`)
  for (const file of manifest.files)
    if (!isAsCounted(places.files + file.path, file)) throw new DamagedBackup(`${path} is missing part of ${file.path}`)
  return { archive, head, manifest, parts, files }
}

const collect = async (pieces: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(pieces))

function parse<Value>(path: string, text: Buffer): Value {
  try {
    return JSON.parse(text.toString())
  } catch {
    throw new DamagedBackup(`${path} was changed after it was written: its description cannot be read`)
  }
}
