import { mkdir, rename, rm, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type Database, type Db, openDatabase } from '../db/db.ts'
import { isDiskFull } from '../db/faults.ts'
import { locks } from '../db/locks.ts'
import { connectAsOwner } from '../db/migrate.ts'
import { ringEverybody } from '../db/notices.ts'
import type { FileStore } from '../outside/files/store.ts'
import { changedMap } from '../topics.ts'
import type { Found } from './counter.ts'
import type { Maker } from './extract/elements.ts'
import { type Extract, openExtract, type ReadResult } from './extract/extract.ts'
import { describeFiles, folderOf, removeFolders, removeStored, storeFiles, syncFolder } from './files.ts'
import { makers as ourMakers, type Part } from './makers.ts'
import {
  deleteImport,
  endUnfinished,
  findCurrent,
  hasUnfinished,
  type ImportRow,
  insertImport,
  listIds,
  listLeaving,
  makeCurrent,
  retireCurrent,
  setFiles,
} from './queries.ts'
import type { Circle } from './roads/circle.ts'
import { type GivenSpeeds, readSpeedsFile } from './roads/speeds-file.ts'

/*
 * An import: everything is made beside what is there, and then one transaction makes it the current one. Whatever ends it before,
 * nothing has changed, and what it leaves behind is removed by itself, by the next one, or by the next start of a server.
 */

export interface Place {
  databaseUrl: string
  dataFolder: string
  /** Where processes without a common data folder find the files; undefined if there is only the data folder. */
  store: FileStore | undefined
}

export interface ImportOptions extends Place {
  /** The extract. */
  path: string
  name: string
  /** An operator's file of the speeds on roads. */
  speedsPath?: string | undefined
  /** Where roads are wanted, if not everywhere. */
  roadsAround?: Circle | undefined
  signal: AbortSignal
  onProgress?: (progress: Progress) => void
  /** For tests of what goes wrong. */
  makers?: Record<string, Part<object>>
}

export interface Progress {
  does: string
  /** From 0 to 1. */
  part: number
  found: Found | undefined
}

export class MapRefusal extends Error {
  override readonly name = 'MapRefusal'
}

export async function importMap(options: ImportOptions): Promise<ImportRow> {
  // First, because a wrong file needs no database.
  const speeds = options.speedsPath === undefined ? undefined : await readSpeedsFile(options.speedsPath)
  const extract = await openExtract(options.path)
  try {
    return await withLock(options, (database) => importLocked(database.everyone, extract, speeds, options))
  } catch (error) {
    options.signal.throwIfAborted()
    throw isFull(error) ? new MapRefusal(await tellFull(options.dataFolder), { cause: error }) : error
  } finally {
    await extract.close()
  }
}

/** What was current leaves. Returns it; undefined if there was none. */
export const removeMap = (place: Place): Promise<ImportRow | undefined> =>
  withLock(place, async ({ everyone: db }) => {
    const removed = await retireCurrent(db)
    await ringEverybody(db, changedMap)
    await removeLeaving(db, place, ourMakers)
    return removed
  })

/** After imports that were killed, if nobody is importing now. */
export async function tidyImports(place: Place, db: Db): Promise<void> {
  if (!(await hasUnfinished(db))) return
  await withLock(place, ({ everyone: db }) => removeLeaving(db, place, ourMakers)).catch((error) => {
    if (!(error instanceof MapRefusal)) throw error
  })
}

/**
 * Nobody else imports or tidies up meanwhile. The lock ends with its connection, however we end; with the owner's rights, because
 * makers have tables of their own.
 */
async function withLock<Result>(
  { databaseUrl }: Place,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const client = await connectAsOwner(databaseUrl, 'waybill map')
  // If it breaks, what follows finds out by its own connection.
  client.on('error', () => {})
  try {
    if (!(await tryLock(client)))
      throw new MapRefusal('Another import of a map is running on this database: wait until it ends, or stop it')
    const database = openDatabase({ url: databaseUrl, connections: 2, onIdleError: () => {} })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  } finally {
    await client.end().catch(() => {})
  }
}

/** Tidying up takes a moment, and so does noticing that somebody was killed; an import takes longer. */
const patienceMs = 2_000

async function tryLock(client: pg.Client): Promise<boolean> {
  for (const until = performance.now() + patienceMs; performance.now() < until; await pause(100)) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      locks.mapImports,
    ])
    if (rows[0]?.locked) return true
  }
  return false
}

async function importLocked(
  db: Db,
  extract: Extract,
  speeds: GivenSpeeds | undefined,
  options: ImportOptions,
): Promise<ImportRow> {
  const { dataFolder, store, path, name, makers = ourMakers } = options
  await removeLeaving(db, options, makers)
  const about = { name, source: basename(path), source_bytes: extract.bytes, map_date: extract.date ?? null }
  const { id } = await insertImport(db, about)
  const target = folderOf(dataFolder, id)
  const folder = `${target}.making`
  try {
    await mkdir(join(folder, 'scratch'), { recursive: true, mode: 0o700 })
    const progress = createProgress(options, Object.keys(makers).length)
    const { made, bounds } = await make(id, extract, speeds, folder, makers, options, progress)
    const names = Object.values(makers).flatMap(({ files = [] }: Part<object>) => files)
    const files = await describeFiles(folder, names, store !== undefined)
    await setFiles(db, id, files)
    if (store) {
      const scratch = join(folder, 'scratch')
      const onProgress = (share: number) => progress.show('storing', share)
      await storeFiles(store, id, folder, files, { scratch, signal: options.signal, onProgress })
    }
    await rm(join(folder, 'scratch'), { recursive: true, force: true })
    await syncFolder(folder)
    await rename(folder, target)
    await syncFolder(dirname(target))
    options.signal.throwIfAborted()
    await switchTo(db, id, bounds, made)
  } catch (error) {
    // It may be the disk or the database that failed; then the next import or start does this.
    await removeLeaving(db, options, makers).catch(() => {})
    throw error
  }
  await ringEverybody(db, changedMap)
  // It is done; the old one would be removed with the next, too.
  await removeLeaving(db, options, makers).catch(() => {})
  return (await findCurrent(db)) as ImportRow
}

/** Lets every maker see the extract, and finish. */
async function make(
  importId: number,
  extract: Extract,
  speeds: GivenSpeeds | undefined,
  folder: string,
  parts: Record<string, Part<object>>,
  { databaseUrl, roadsAround, signal }: ImportOptions,
  progress: Followed,
): Promise<{ made: Record<string, object>; bounds: ReadResult['bounds'] }> {
  const open: Maker<object>[] = []
  try {
    for (const { does, open: begin } of Object.values(parts)) {
      const tell = (share: number) => progress.show(does, share)
      open.push(begin({ importId, databaseUrl, folder, speeds, roadsAround, signal, progress: tell }))
    }
    progress.follow(open)
    const scratch = join(folder, 'scratch')
    const onProgress = (share: number) => progress.show('reading', share)
    const { bounds } = await extract.read(open, { folder: scratch, onProgress, signal })
    const made: Record<string, object> = {}
    for (const [index, name] of Object.keys(parts).entries()) {
      signal.throwIfAborted()
      progress.next()
      made[name] = await (open[index] as Maker<object>).finish()
    }
    progress.next()
    return { made, bounds }
  } finally {
    for (const maker of open) await maker.dispose()
  }
}

type Followed = ReturnType<typeof createProgress>

/** Reading is a half of the way, and what follows are equal steps: how long each takes depends on the extract. */
function createProgress({ onProgress = () => {} }: Pick<ImportOptions, 'onProgress'>, finishing: number) {
  let step = 0
  let counted: { found: Readonly<Found> } | undefined
  const steps = finishing + 1
  return {
    follow(makers: readonly object[]) {
      counted = makers.find((maker): maker is { found: Found } => 'found' in maker)
    },
    next() {
      step += 1
    },
    show(does: string, share: number) {
      const part = step === 0 ? share / 2 : 0.5 + (step - 1 + share) / steps / 2
      onProgress({ does, part, found: counted?.found })
    },
  }
}

/** The one moment in which everything changes, for everybody. */
const switchTo = (db: Db, id: number, bounds: ReadResult['bounds'], made: Record<string, object>) =>
  db.transaction(async (db) => {
    await retireCurrent(db)
    // Whoever takes the lock after our connection is lost takes this import for left behind.
    if ((await makeCurrent(db, id, bounds, made)) === 0)
      throw new MapRefusal(
        'The connection to the database was lost during the import, and nothing was changed: try again',
      )
  })

/**
 * Removes what belongs to imports that are not current, in the database, the store and the data folder; their rows last, so
 * that the next one goes on where this is interrupted.
 */
async function removeLeaving(db: Db, { databaseUrl, dataFolder, store }: Place, makers: Record<string, Part<object>>) {
  await endUnfinished(db)
  for (const { id, files } of await listLeaving(db)) {
    for (const { remove } of Object.values(makers)) await remove?.(databaseUrl, id)
    if (store) await removeStored(store, id, files)
    await deleteImport(db, id)
  }
  await removeFolders(dataFolder, () => listIds(db))
}

const isFull = (error: unknown) =>
  isDiskFull(error) || ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String((error as NodeJS.ErrnoException).code))

async function tellFull(dataFolder: string) {
  const free = await statfs(dataFolder).then(
    ({ bavail, bsize }) => ` (${Math.floor((bavail * bsize) / 1e6).toLocaleString('en')} MB are free again)`,
    () => '',
  )
  return (
    `The disk that holds ${dataFolder}, or the database, is full${free}; nothing was changed. ` +
    'Make room, about twenty times the size of the extract, then import again'
  )
}
