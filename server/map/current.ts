import { join } from 'node:path'
import type { Gauge } from 'prom-client'
import type { Db } from '../db/db.ts'
import type { Notices } from '../db/notices.ts'
import type { Log } from '../log.ts'
import { startLoop } from '../loops.ts'
import type { FileStore } from '../outside/files/store.ts'
import { changedMap } from '../topics.ts'
import { fetchFiles, folderOf, hasFiles, removeFolders } from './files.ts'
import { findCurrent, type ImportRow, listIds } from './queries.ts'

/** The import that is current, as this process sees it. */
export interface CurrentMap {
  id: number
  name: string
  /** West, south, east, north. */
  bounds: readonly [west: number, south: number, east: number, north: number]
  /** When OpenStreetMap looked like this, if the extract said so. */
  date: Date | undefined
  importedAt: Date
  made: Record<string, object>
  /** Where a file of it is on this machine; undefined if the import has none by this name, or this process has no copy. */
  pathOf(file: string): string | undefined
}

export interface Maps {
  /** Undefined if nothing was imported. Read from the database at most once a second. */
  current(): Promise<CurrentMap | undefined>
  /** Looks for a change now, and waits until its files are here, or are known to be missing. */
  look(): Promise<void>
  close(): Promise<void>
}

export interface MapOptions {
  db: Db
  notices: Pick<Notices, 'onRing'>
  dataFolder: string
  store: FileStore | undefined
  log: Log
  /** 1 while this process lacks the files of the current import. */
  missing: Pick<Gauge, 'set'>
}

const freshMs = 1_000
const everyMs = 10_000

/** Follows which import is current, and has its files here before pages are told of them. */
export function followMap({ db, notices, dataFolder, store, log, missing }: MapOptions): Maps {
  let known: { row: ImportRow | undefined; at: number } | undefined
  let asking: Promise<ImportRow | undefined> | undefined
  /** The import whose files are here, and the one of which it was said that they are not. */
  let here: number | undefined
  let told: number | undefined

  async function ask(): Promise<ImportRow | undefined> {
    const at = performance.now()
    const row = await findCurrent(db)
    const isHere = row && (await hasFiles(dataFolder, row.id, row.files))
    // Who asked before can be answered after, of what was before: a map that had come went away for a second.
    if (known && known.at > at) return known.row
    here = isHere ? row.id : undefined
    known = { row, at }
    return row
  }

  async function read(): Promise<ImportRow | undefined> {
    if (known && performance.now() - known.at < freshMs) return known.row
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }

  async function bringFiles({ id, files, name }: ImportRow, signal: AbortSignal) {
    if (here !== id) {
      const problem = await fetchMissing(id, files, signal)
      signal.throwIfAborted()
      if (problem) return tellMissing(id, name, problem)
    }
    here = id
    told = undefined
    missing.set(0)
  }

  async function fetchMissing(id: number, files: ImportRow['files'], signal: AbortSignal): Promise<unknown> {
    if (!store || files.some(({ parts }) => parts === 0))
      return new Error('It is only in the data folder of the process that imported it')
    return fetchFiles(store, dataFolder, id, files, signal).catch((error: unknown) => error)
  }

  function tellMissing(id: number, name: string, err: unknown) {
    missing.set(1)
    if (told === id) return
    told = id
    log.warn(
      { err },
      `The imported map "${name}" is not on this machine, so this process shows none: give all processes one data folder, ` +
        'or a file store (WAYBILL_FILES) and import again',
    )
  }

  const loop = startLoop(
    {
      name: 'map',
      everyMs,
      wokenBy: (wake) => notices.onRing(changedMap, wake),
      trouble: 'Looking for an imported map failed; retrying',
      async round(signal) {
        const row = await ask()
        if (row) await bringFiles(row, signal)
        else missing.set(0)
        await removeFolders(dataFolder, () => listIds(db))
      },
    },
    log,
  )

  return {
    async current() {
      const row = await read()
      return row && present(row, here === row.id ? folderOf(dataFolder, row.id) : undefined)
    },
    look: () => loop.makeRound(),
    close: () => loop.stop(),
  }
}

function present(row: ImportRow, folder: string | undefined): CurrentMap {
  const { id, name, west, south, east, north, map_date, finished_at, made, files } = row
  return {
    id,
    name,
    bounds: [west, south, east, north] as unknown as CurrentMap['bounds'],
    date: map_date ?? undefined,
    importedAt: finished_at as Date,
    made,
    pathOf: (file) => (folder && files.some((one) => one.name === file) ? join(folder, file) : undefined),
  }
}
