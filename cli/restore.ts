import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type GivenReceipts, readReceipts } from '../server/backup/receipts.ts'
import { restore as bringBack, findMigrations } from '../server/backup/restore.ts'
import { readConfig } from '../server/config.ts'
import { startEmbedded } from '../server/db/embedded.ts'
import { describe, explained, withContents } from './backup.ts'
import type { Verb } from './command.ts'
import { withUrl } from './database.ts'
import { count, openBar, untilInterrupted } from './progress.ts'

export const restore: Verb = {
  does: 'Restores a backup into an empty database and migrates it to this version.',
  takes: ['FILE'],
  options: {
    replace: { means: 'Overwrite a database that is not empty; its data is lost' },
    receipts: {
      value: 'FILE',
      means: 'Receipts of erasures, of which some may be newer than the backup (default: those of this installation)',
    },
  },
  more:
    'FILE is checked completely before anything is written; either all of it is restored or nothing.\n' +
    'Stop all servers that use the database first. Keys and secrets work as they did at the time of the backup.\n' +
    'What was erased after the backup is erased again when the server starts, before it answers.',
  run: ({ arguments: [file = ''], flags, options }) =>
    untilInterrupted(async (signal) => {
      const receipts = await findReceipts(options['receipts'])
      return withContents(
        resolve(file),
        async (contents) => {
          await findMigrations(contents)
          return withUrl(startEmbedded, async (databaseUrl, { dataFolder }) => {
            const bar = openBar('Restoring')
            const { show: onProgress, print: log } = bar
            const place = { databaseUrl, dataFolder, replace: flags.has('replace') }
            try {
              const { repeated } = await bringBack({ ...place, contents, ...receipts, signal, onProgress, log })
              const told = `Restored in ${bar.seconds()} s: ${describe(contents)}.`
              return `${told}\n${tellErasures(contents.head.createdAt, receipts?.path, repeated)}`
            } finally {
              bar.clear()
            }
          })
        },
        signal,
      )
    }),
}

/** The receipts that were given, or else those of this installation, if it has any. */
async function findReceipts(given: string | undefined): Promise<{ path: string; receipts: GivenReceipts } | undefined> {
  const ours = readConfig(process.env).receipts
  if (given === undefined && !(await stat(ours).catch(() => undefined))) return undefined
  const path = resolve(given ?? ours)
  const list = await explained(path, () => readReceipts(path))
  const areFiled = (await realpath(path)) === (await realpath(ours).catch(() => undefined))
  return { path, receipts: { list, areFiled } }
}

function tellErasures(createdAt: string, path: string | undefined, repeated: number): string {
  const since = `${createdAt.slice(0, 19).replace('T', ' ')}Z`
  if (path === undefined)
    return (
      `No receipts of erasures were found, so erasures since ${since}, the time of the backup, are unknown: what was ` +
      'erased since then is back. If you have the receipts, restore again with --receipts FILE.'
    )
  if (repeated === 0) return `The backup knows all erasures in ${path}.`
  const erasures = repeated === 1 ? '1 erasure' : `${count(repeated)} erasures`
  return `${erasures} in ${path} the backup does not know: repeated when the server starts, before it answers.`
}
