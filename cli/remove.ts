import { readdir, realpath, rm, rmdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { readConfig } from '../server/config.ts'
import { startEmbedded } from '../server/db/embedded.ts'
import { isOurs, sharedFolder } from '../server/db/embedded-files.ts'
import { findRunning } from '../server/db/embedded-server.ts'
import { bytesOf, findLinked, lastUsed, listStored, removeStored, type Stored } from '../server/db/embedded-stored.ts'
import { columns, type Given, UsageError, type Verb } from './command.ts'
import { size } from './progress.ts'

export const remove: Verb = {
  does: 'Deletes this installation: the data folder (WAYBILL_DATA), its files, and its database wherever that is.',
  options: {
    yes: { means: 'Delete without asking' },
    orphans: { means: 'Instead: delete databases whose data folder is gone' },
    unmarked: {
      means: 'With --orphans: also databases that do not say whose they are, because an older version made them',
    },
  },
  more:
    'It first lists what it deletes, with sizes, and asks. There is no way back except a backup.\n' +
    'A database of your own (DATABASE_URL) and files in a bucket (WAYBILL_FILES) stay. Stop the server first.',
  run: (given) => (given.flags.has('orphans') ? removeOrphans(given) : removeInstallation(given)),
}

async function removeInstallation(given: Given): Promise<string> {
  if (given.flags.has('unmarked')) throw new UsageError('--unmarked goes with --orphans')
  const { dataFolder, databaseUrl, s3, postgresPrograms } = readConfig(process.env)
  const folder = await realpath(dataFolder).catch(() => undefined)
  const names = folder ? (await readdir(folder)).sort() : []
  const ours = names.filter(isOurs)
  if (!folder || ours.length === 0) throw new UsageError(`There is no installation in ${dataFolder}; see WAYBILL_DATA`)
  const linked = await findLinked(folder)
  const cluster = linked ?? join(folder, 'postgres')
  // One that outlived its Waybill is stopped; one that has a Waybill is refused.
  if (await findRunning(cluster))
    await (await startEmbedded({ folder, programs: postgresPrograms, log: () => {} })).stop()

  const paths = [...(linked ? [linked] : []), ...ours.map((name) => join(folder, name))]
  const others = names.filter((name) => !isOurs(name))
  console.log(`This deletes for good:\n\n${await list(paths)}\n`)
  if (others.length > 0) console.log(`Not made by Waybill, and kept: ${others.join(', ')} in ${folder}.\n`)
  if (databaseUrl) console.log('Your own database (DATABASE_URL) is kept: delete it on its server.\n')
  if (s3) console.log(`The files in the bucket ${s3.bucket} are kept.\n`)
  await confirm(given, basename(folder))
  // The link goes after what it leads to: if this is interrupted, the next try still finds it.
  if (linked) await removeStored(linked)
  for (const name of ours) await rm(join(folder, name), { recursive: true, force: true })
  if (others.length === 0) await rmdir(folder)
  return `Deleted ${folder}${linked ? ` and its database in ${linked}` : ''}.`
}

async function removeOrphans(given: Given): Promise<string> {
  const { dataFolder } = readConfig(process.env)
  const stored = await listStored(sharedFolder, dataFolder)
  const [orphans, unmarked] = [stored.filter(isOrphan), stored.filter(({ state }) => state === 'unknown')]
  const chosen = given.flags.has('unmarked') ? [...orphans, ...unmarked] : orphans
  const left = unmarked.filter((one) => !chosen.includes(one))
  if (left.length > 0)
    console.log(
      `These do not say whose they are:\n\n${await list(left.map(({ place }) => place))}\n\n` +
        'Start the Waybill that uses one once, then it is known. --unmarked deletes those that are left.\n',
    )
  if (chosen.length === 0) return 'No database is without its data folder.'
  const rows = await Promise.all(
    chosen.map(async ({ place, folder = 'unknown' }) => [
      place,
      size(await bytesOf(place)),
      `data folder: ${folder}`,
      `last used ${(await lastUsed(place))?.toISOString().slice(0, 10) ?? 'never'}`,
    ]),
  )
  console.log(`This deletes for good:\n\n${columns(rows)}\n`)
  await confirm(given, 'orphans')
  for (const { place } of chosen) await removeStored(place)
  return `Deleted ${chosen.length === 1 ? 'one database' : `${chosen.length} databases`}.`
}

const isOrphan = ({ state }: Stored) => state === 'orphan'

const list = async (paths: string[]) =>
  columns(await Promise.all(paths.map(async (path) => [path, size(await bytesOf(path))])))

/** What cannot be taken back is not done by one key. */
async function confirm({ flags }: Given, word: string): Promise<void> {
  if (flags.has('yes')) return
  if (!process.stdin.isTTY)
    throw new UsageError('Nobody can be asked here; nothing was deleted. Add --yes to delete it')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await terminal.question(`Type "${word}" to delete it: `)
    if (answer.trim() !== word) throw new UsageError('Nothing was deleted')
  } finally {
    terminal.close()
  }
}
