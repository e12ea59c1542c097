import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../log.ts'

/*
 * What slow work has made, kept in a folder of this machine for those who ask for the same. It can always be made again,
 * so there is a bound for each organisation and for all, and nothing gets old. Processes on one machine share it: what
 * is in the folder is all there is to know.
 */

/** A file that stays readable until it is closed, even if it is deleted meanwhile. */
export interface OpenFile {
  file: FileHandle
  bytes: number
}

export interface Kept {
  /** Undefined if it is not kept. The name must say everything that the contents depend on. */
  find(organisationId: number, name: string): Promise<OpenFile | undefined>
  /** Has `write` write it to a path. What was interrupted, or failed, is never found. */
  keep(organisationId: number, name: string, write: (path: string) => Promise<unknown>): Promise<void>
  /** Deletes everything of an organisation: some of it shows what is to be forgotten. */
  forget(organisationId: number): Promise<void>
  /** Deletes what is old or too much. */
  sweep(): Promise<void>
  close(): void
}

interface Options {
  log: Log
  folder: string
  mostBytes?: number
  mostBytesOfOne?: number
  mostMs?: number
}

const megabytes = 1024 * 1024
/** The proof of a task that was deleted must not stay for long. */
const usualMostMs = 60 * 60_000
const sweepEveryMs = 10 * 60_000
/** And after this many new bytes: so much can be there beyond the bound. */
const sweepEveryBytes = 16 * megabytes
/** What a file takes at least, however little is in it. */
const blockBytes = 4_096

export function openKept({ log, folder, ...options }: Options): Kept {
  const { mostBytes = 256 * megabytes, mostBytesOfOne = 64 * megabytes, mostMs = usualMostMs } = options
  const placeOf = (organisationId: number, name: string) => join(folder, String(organisationId), name)
  let keptBytes = 0
  let sweeping: Promise<void> | undefined

  const sweepOnce = () => {
    sweeping ??= sweepFolder().finally(() => {
      sweeping = undefined
    })
    return sweeping
  }
  const sweepLater = () => void sweepOnce().catch((err) => log.error({ err }, 'Deleting old documents failed'))
  const timer = setInterval(sweepLater, sweepEveryMs).unref()
  sweepLater()

  async function sweepFolder() {
    keptBytes = 0
    const left: Found[] = []
    for (const organisation of await list(folder)) {
      const found = await Promise.all((await list(join(folder, organisation))).map((name) => look(organisation, name)))
      left.push(...(await dropOldest(found.flat(), mostBytesOfOne)))
    }
    await dropOldest(left, mostBytes)
  }

  async function look(organisation: string, name: string): Promise<Found[]> {
    const path = join(folder, organisation, name)
    const found = await stat(path).catch(() => undefined)
    return found ? [{ path, bytes: Math.max(found.size, blockBytes), madeMs: found.mtimeMs }] : []
  }

  /** Answers what is left. */
  async function dropOldest(found: Found[], most: number): Promise<Found[]> {
    const newestFirst = found.sort((one, other) => other.madeMs - one.madeMs)
    const left: Found[] = []
    let bytes = 0
    for (const one of newestFirst) {
      bytes += one.bytes
      if (bytes <= most && !isOld(one.madeMs)) left.push(one)
      else await rm(one.path, { force: true })
    }
    return left
  }

  const isOld = (madeMs: number) => Date.now() - madeMs > mostMs

  return {
    async find(organisationId, name) {
      const file = await open(placeOf(organisationId, name)).catch(missing)
      if (!file) return undefined
      const { size: bytes, mtimeMs } = await file.stat()
      if (!isOld(mtimeMs)) return { file, bytes }
      await file.close()
      return undefined
    },

    async keep(organisationId, name, write) {
      const place = placeOf(organisationId, name)
      const path = `${place}.${randomUUID()}`
      await mkdir(join(folder, String(organisationId)), { recursive: true, mode: 0o700 })
      try {
        await write(path)
        keptBytes += (await stat(path)).size
        await rename(path, place)
      } finally {
        await rm(path, { force: true })
      }
      if (keptBytes > sweepEveryBytes) sweepLater()
    },

    forget: (organisationId) => rm(join(folder, String(organisationId)), { recursive: true, force: true }),

    async sweep() {
      await sweeping
      await sweepOnce()
    },

    close: () => clearInterval(timer),
  }
}

interface Found {
  path: string
  bytes: number
  madeMs: number
}

const list = async (folder: string): Promise<string[]> => (await readdir(folder).catch(missing)) ?? []

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
