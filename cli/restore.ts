import { resolve } from 'node:path'
import { restore as bringBack, findMigrations } from '../server/backup/restore.ts'
import { startEmbedded } from '../server/db/embedded.ts'
import { describe, withContents } from './backup.ts'
import type { Verb } from './command.ts'
import { withUrl } from './database.ts'
import { openBar, untilInterrupted } from './progress.ts'

export const restore: Verb = {
  does: 'Restores a backup into an empty database and migrates it to this version.',
  takes: ['FILE'],
  options: { replace: { means: 'Overwrite a database that is not empty; its data is lost' } },
  more:
    'FILE is checked completely before anything is written; either all of it is restored or nothing.\n' +
    'Stop all servers that use the database first. Keys and secrets work as they did at the time of the backup.',
  run: ({ arguments: [file = ''], flags }) =>
    untilInterrupted((signal) =>
      withContents(
        resolve(file),
        async (contents) => {
          await findMigrations(contents)
          return withUrl(startEmbedded, async (databaseUrl, { dataFolder }) => {
            const bar = openBar('Restoring')
            const { show: onProgress, print: log } = bar
            const replace = flags.has('replace')
            try {
              await bringBack({ databaseUrl, dataFolder, contents, replace, signal, onProgress, log })
              return `Restored in ${bar.seconds()} s: ${describe(contents)}.`
            } finally {
              bar.clear()
            }
          })
        },
        signal,
      ),
    ),
}
