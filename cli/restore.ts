import { resolve } from 'node:path'
import { restore as bringBack, findMigrations } from '../server/backup/restore.ts'
import { startEmbedded } from '../server/db/embedded.ts'
import { describe, withContents } from './backup.ts'
import type { Verb } from './command.ts'
import { withUrl } from './database.ts'
import { openBar, untilInterrupted } from './progress.ts'

export const restore: Verb = {
  does: 'Brings back what a backup holds, into an empty database, and prepares it for this version.',
  takes: ['FILE'],
  options: { replace: { means: 'Restore although the database holds something, which is then lost' } },
  more:
    'All of FILE is checked before anything is written, and then either all of it is restored or nothing.\n' +
    'Stop the servers of the database first. Keys and secrets work as they did when the backup was made.',
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
