import { createHash, type Hash, randomBytes } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { access, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import pg from 'pg'
import { copyOut, streamOf } from '../db/copy.ts'
import { locks, takeLock } from '../db/locks.ts'
import { connectAsOwner } from '../db/migrate.ts'
import { type ArchiveWriter, writeArchive } from './archive.ts'
import { findMap, listMigrations, listPartitions, listTables, readSequences, type StoredTable } from './catalogue.ts'
import { type Counted, countRows, formatNumber, type Head, type Manifest, places } from './contents.ts'
import { copyReceipts, receiptsBeside } from './receipts.ts'

const compress = promisify(zstdCompress)

/** Progress of a long command; reported often, drawn less often. */
export interface Progress {
  doing: string
  /** From 0 to 1. */
  part: number
  rows: number
}

export interface BackupOptions {
  databaseUrl: string
  dataFolder: string
  /** The Waybill that writes it. */
  version: string
  path: string
  /** The bucket that keeps the pictures, if they are not in the data folder. */
  bucket?: string | undefined
  /** The file of receipts, which is copied beside the backup. */
  receipts?: string | undefined
  signal: AbortSignal
  onProgress: (progress: Progress) => void
  log: (sentence: string) => void
}

export interface Written {
  head: Head
  manifest: Manifest
  bytes: number
  /** Where the receipts are, if there are any. */
  receipts: string | undefined
}

/**
 * Writes a consistent copy of the database, and the files that belong to it, to one file, without blocking anything
 * in the meantime. The file gets its name only when it is complete.
 */
export async function backUp(options: BackupOptions): Promise<Written> {
  const { path, signal } = options
  const beside = receiptsBeside(path)
  for (const place of [path, beside])
    if (await exists(place)) throw new Error(`${place} already exists: choose another name, or move it away`)
  await access(dirname(path), constants.W_OK)
  const client = await connectAsOwner(options.databaseUrl, 'waybill backup')
  const hangUp = () => streamOf(client).destroy()
  signal.addEventListener('abort', hangUp)
  if (signal.aborted) hangUp()
  const unfinished = `${path}.unfinished-${randomBytes(4).toString('hex')}`
  const unfinishedReceipts = `${unfinished}.receipts`
  const ours = [unfinished, unfinishedReceipts]
  try {
    const file = await open(unfinished, 'wx', 0o600)
    try {
      const archive = writeArchive(file, new Date())
      const told = await writeAll(client, archive, options)
      await archive.finish()
      const hasReceipts = options.receipts !== undefined && (await copyReceipts(options.receipts, unfinishedReceipts))
      signal.throwIfAborted()
      // First, so that no backup is without them.
      if (hasReceipts) await rename(unfinishedReceipts, beside)
      if (hasReceipts) ours.push(beside)
      await rename(unfinished, path)
      await syncFolder(dirname(path))
      return { ...told, bytes: archive.bytes(), receipts: hasReceipts ? beside : undefined }
    } finally {
      await file.close()
    }
  } catch (error) {
    for (const place of ours) await rm(place, { force: true })
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', hangUp)
    await client.end().catch(() => {})
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** A rename is durable only when the folder is synced too. */
async function syncFolder(path: string) {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

async function writeAll(client: pg.Client, archive: ArchiveWriter, options: BackupOptions) {
  const { version, dataFolder, bucket, onProgress, log } = options
  const onWait = () => log('Waiting for another process that is changing the tables')
  await takeLock(client, locks.schema, { shared: true, onWait })
  await takeLock(client, locks.partitions, { shared: true, onWait })
  await client.query(`
    set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set bytea_output = 'hex';
    set extra_float_digits = 3; set client_encoding = 'UTF8'`)
  await client.query('begin isolation level repeatable read, read only')

  const { rows: about } = await client.query<{ version: string }>("select current_setting('server_version') as version")
  const map = await findMap(client)
  const head: Head = {
    format: formatNumber,
    version,
    createdAt: new Date().toISOString(),
    postgres: about[0]?.version ?? '',
    migrations: await listMigrations(client),
    ...(bucket && { bucket }),
    ...(map !== undefined && { map }),
  }
  await archive.add(places.head, asJson(head))

  const stored = await listTables(client)
  const expected = stored.reduce((sum, { bytes }) => sum + bytes, 0)
  const tables: Counted[] = []
  let [before, rowsBefore] = [0, 0]
  for (const table of stored) {
    const counted = await writeTable(client, archive, table, (rows) => {
      const partOfTable = table.rows > 0 ? Math.min(1, rows / table.rows) : 0
      const part = (before + partOfTable * table.bytes) / Math.max(1, expected)
      onProgress({ doing: table.name, part, rows: rowsBefore + rows })
    })
    tables.push(counted)
    before += table.bytes
    rowsBefore += counted.rows
  }

  const partitions = await listPartitions(client)
  // Read after the rows: a sequence is never behind the ids taken from it.
  const sequences = await readSequences(client)
  await client.query('commit')
  const files = bucket ? [] : await writeFiles(archive, join(dataFolder, places.files))
  const manifest: Manifest = { tables, partitions, sequences, files }
  await archive.add(places.manifest, asJson(manifest))
  return { head, manifest }
}

async function writeTable(
  client: pg.Client,
  archive: ArchiveWriter,
  { name, columns }: StoredTable,
  onRows: (rows: number) => void,
): Promise<Counted> {
  const hash = createHash('sha256')
  let [rows, bytes, parts] = [0, 0, 0]
  onRows(0)
  // As a query, because COPY cannot read a partitioned table directly.
  const text = `copy (select ${columns.map(pg.escapeIdentifier).join(', ')} from ${pg.escapeIdentifier(name)}) to stdout`
  await copyOut(client, text, async (block) => {
    hash.update(block)
    rows += countRows(block)
    bytes += block.length
    parts += 1
    await archive.add(`${places.tables}${name}/${String(parts).padStart(8, '0')}.zst`, await compress(block))
    onRows(rows)
  })
  return { name, columns, rows, bytes, sha256: hash.digest('hex') }
}

/** Files are written once and never changed; one deleted right now is not missed. */
async function writeFiles(archive: ArchiveWriter, folder: string): Promise<Manifest['files']> {
  const files: Manifest['files'] = []
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries.filter((entry) => entry.isFile())) {
    const place = join(entry.parentPath, entry.name)
    const path = place.slice(folder.length)
    const file = await open(place).catch(() => undefined)
    if (!file) continue
    const { size: bytes } = await file.stat()
    const hash = createHash('sha256')
    await archive.addPieces(places.files + path, bytes, summed(hash, createReadStream(place, { fd: file })))
    files.push({ path, bytes, sha256: hash.digest('hex') })
  }
  return files
}

/** Not by a listener: that would start the flow before anything reads the pieces. */
async function* summed(hash: Hash, pieces: AsyncIterable<Buffer>) {
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}

const asJson = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
