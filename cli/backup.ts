import { dirname, resolve } from 'node:path'
import { openArchive } from '../server/backup/archive.ts'
import { backUp } from '../server/backup/backup.ts'
import { type Contents, checkContents, type Head, type Manifest } from '../server/backup/contents.ts'
import { version } from '../server/config.ts'
import { visitEmbedded } from '../server/db/embedded.ts'
import type { Verb } from './command.ts'
import { withUrl } from './database.ts'
import { count, openBar, size, untilInterrupted } from './progress.ts'

export const backup: Verb = {
  does: 'Writes a consistent copy of everything to one file, while the server keeps running.',
  takes: ['FILE'],
  options: { verify: { means: 'Only check that FILE is a complete backup; needs no database' } },
  more:
    'The file contains all data, including webhook signing secrets: keep it private.\n' +
    'Receipts of erasures are copied to FILE.receipts.jsonl; "waybill restore" needs the newest ones.\n' +
    'It can be restored into PostgreSQL 15 or newer, by this or a later version of Waybill.',
  run: ({ arguments: [file = ''], flags }) => (flags.has('verify') ? verify(resolve(file)) : write(resolve(file))),
}

const write = (path: string) =>
  untilInterrupted((signal) =>
    withUrl(visitEmbedded, async (databaseUrl, { dataFolder, s3, receipts }) => {
      const bar = openBar('Backing up')
      const bucket = s3 && `s3://${s3.bucket}/${s3.prefix}`
      const place = { databaseUrl, dataFolder, bucket, receipts, path }
      const options = { ...place, version, signal, onProgress: bar.show, log: bar.print }
      try {
        const written = await explained(path, () => backUp(options))
        const told = `Wrote ${path} (${size(written.bytes)}) in ${bar.seconds()} s: ${describe(written)}.`
        return written.receipts ? `${told} Receipts of erasures are beside it: ${written.receipts}.` : told
      } finally {
        bar.clear()
      }
    }),
  )

const verify = (path: string) =>
  withContents(path, async (contents, seconds) => `${path} is complete (${seconds} s): ${describe(contents)}.`)

/** Opens a backup and reads all of it, so that the caller can rely on it. */
export async function withContents<Result>(
  path: string,
  work: (contents: Contents, seconds: string) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const archive = await explained(path, () => openArchive(path))
  const bar = openBar('Checking')
  try {
    const contents = await explained(path, () =>
      checkContents(archive, path, (bytes, rows) => {
        signal?.throwIfAborted()
        bar.show({ doing: '', part: bytes / archive.size, rows })
      }),
    )
    bar.clear()
    return await work(contents, bar.seconds())
  } finally {
    bar.clear()
    await archive.close()
  }
}

export function describe({ head, manifest }: { head: Head; manifest: Manifest }): string {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const made = `${head.createdAt.slice(0, 16).replace('T', ' ')}Z`
  const files = manifest.files.length === 1 ? '1 file' : `${count(manifest.files.length)} files`
  const map =
    head.map === undefined ? '' : `. The imported map "${head.map}" is not in it: "waybill map import" brings it back`
  const elsewhere = head.bucket ? `. The pictures are not in it: they stay in ${head.bucket}` : ''
  return (
    `${count(rows)} rows of ${manifest.tables.length} tables and ${files}, ` +
    `made ${made} by Waybill ${head.version} on PostgreSQL ${head.postgres.split(' ')[0]}${elsewhere}${map}`
  )
}

/** File system errors in plain words. */
const reasons: Record<string, (path: string) => string> = {
  ENOENT: (path) => `No such file or folder: ${path}`,
  ENOTDIR: (path) => `${dirname(path)} is not a folder`,
  EISDIR: (path) => `${path} is a folder, not a file`,
  EACCES: (path) => `Permission denied: ${path}`,
  EPERM: (path) => `Permission denied: ${path}`,
  EROFS: (path) => `${dirname(path)} is read-only`,
  ENOSPC: (path) => `The disk of ${dirname(path)} is full; nothing was written`,
  EDQUOT: (path) => `The disk of ${dirname(path)} is full; nothing was written`,
  EFBIG: (path) => `${dirname(path)} does not allow files this large; nothing was written`,
}

export async function explained<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { code = '', syscall, path: refused = path } = error as NodeJS.ErrnoException
    const reason = syscall && Object.hasOwn(reasons, code) ? reasons[code] : undefined
    // A database that cannot be reached has the same codes, but no file.
    if (!reason || syscall === 'connect') throw error
    throw new Error(reason(refused), { cause: error })
  }
}
