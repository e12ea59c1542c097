import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { copyIn, streamOf } from '../db/copy.ts'
import { locks, takeLock } from '../db/locks.ts'
import {
  connectAsOwner,
  createMigrations,
  type Migration,
  migrate,
  readMigrations,
  runMigration,
} from '../db/migrate.ts'
import type { Progress } from './backup.ts'
import { type Leftover, listMaps } from './catalogue.ts'
import { type Contents, type Manifest, textOf } from './contents.ts'
import { type GivenReceipts, writeReceipts } from './receipts.ts'
import { setAside } from './set-aside.ts'

export interface RestoreOptions {
  databaseUrl: string
  dataFolder: string
  contents: Contents
  /** Whether existing data may be overwritten. */
  replace: boolean
  /** What was erased, perhaps after the backup. */
  receipts?: GivenReceipts
  signal: AbortSignal
  onProgress: (progress: Progress) => void
  log: (sentence: string) => void
}

/** The migrations that create the schema of a backup; throws if this version does not have them. */
export async function findMigrations({ head }: Contents): Promise<Migration[]> {
  const ours = new Map((await readMigrations()).map((migration) => [migration.name, migration]))
  return head.migrations.map(({ name, checksum }) => {
    const known = ours.get(name)
    if (!known)
      throw new Error(
        `This backup was made by a newer Waybill (${head.version}, with ${name}): restore it with that version`,
      )
    if (known.checksum !== checksum)
      throw new Error(`This backup was made by a different build of Waybill: its ${name} does not match this version`)
    return known
  })
}

/** The migrations that are newer than a backup. */
async function findLater({ head }: Contents): Promise<Migration[]> {
  const known = new Set(head.migrations.map(({ name }) => name))
  return (await readMigrations()).filter(({ name }) => !known.has(name))
}

/**
 * Restores the database to the state of the backup, then migrates it to this version. The first step is one
 * transaction: if anything goes wrong, the database is unchanged. Answers how many erasures are to be repeated.
 */
export async function restore(options: RestoreOptions): Promise<{ repeated: number }> {
  const { databaseUrl, dataFolder, contents, replace, signal, log } = options
  const { receipts = { list: [], areFiled: false } } = options
  const migrations = await findMigrations(contents)
  const client = await connectAsOwner(databaseUrl, 'waybill restore')
  const hangUp = () => streamOf(client).destroy()
  signal.addEventListener('abort', hangUp)
  if (signal.aborted) hangUp()
  let isRecorded = false
  let repeated = 0
  let maps: Leftover[] = []
  try {
    const onWait = () => log('Waiting for a backup or another process that is preparing the database')
    await takeLock(client, locks.schema, { onWait })
    await refuseWhileServed(client)
    const old = await findTables(client)
    if (!replace) await requireEmpty(client, old, join(dataFolder, 'files'))

    maps = await listMaps(client)
    await client.query('begin')
    if (old.length > 0) await client.query(`drop table ${old.map(pg.escapeIdentifier).join(', ')} cascade`)
    await createMigrations(client)
    for (const migration of migrations) await runMigration(client, migration)
    await load(client, options)
    await dropWaitingMessages(client, log)
    isRecorded = await recordRestore(client, contents)
    // A backup may be from before there were receipts. What is to be erased again must be known when the data is back.
    if (receipts.list.length > 0)
      for (const migration of await findLater(contents)) await runMigration(client, migration)
    repeated = await writeReceipts(client, receipts)
    await using files = await restoreFiles(dataFolder, contents)
    signal.throwIfAborted()
    await files.putInPlace()
    // From here on it cannot be stopped.
    signal.removeEventListener('abort', hangUp)
    await client.query('commit')
    await files.keep()
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', hangUp)
    await client.end().catch(() => {})
  }
  await migrate(databaseUrl, log)
  await complete(databaseUrl, isRecorded ? undefined : contents, maps)
  for (const { name } of maps.filter(({ isCurrent }) => isCurrent))
    log(`The imported map "${name}" is gone with what was replaced: import it again`)
  return { repeated }
}

/**
 * Tells the audit log of every organisation that what came after the backup is gone. Returns whether there is one: a
 * backup may be from before it.
 */
async function recordRestore(client: pg.Client, { head }: Contents): Promise<boolean> {
  const { rowCount } = await client.query(`select from pg_class where relname = 'audit_log' and relkind = 'p'`)
  if (!rowCount) return false
  const changes = [
    { field: 'backupOf', after: head.createdAt },
    { field: 'version', after: head.version },
  ]
  await client.query(
    `insert into audit_log (organisation_id, kind, actor_type, subject_type, subject_id, changes, count)
     select id, 'backup.restored', 'COMMAND_LINE', 'company', id, $1::jsonb, 1 from organisations`,
    [JSON.stringify(changes)],
  )
  return true
}

/**
 * The world went on after the backup was made: what waited then is old news, or was sent since. What was being sent may
 * have arrived.
 */
async function dropWaitingMessages(client: pg.Client, log: RestoreOptions['log']) {
  const { rowCount } = await client.query(`select from pg_class where relname = 'messages' and relkind = 'r'`)
  if (!rowCount) return
  const { rows } = await client.query<{ state: string }>(`
    update messages
    set state = case state when 'waiting' then 'dropped' else 'unknown' end,
      reason = case state when 'waiting' then 'restored' end,
      error = case state when 'sending' then 'It was being sent when the backup was made that was restored' end,
      claim = null, ended_at = now()
    where state in ('waiting', 'sending')
    returning state`)
  if (rows.length === 0) return
  const dropped = rows.filter(({ state }) => state === 'dropped').length
  log(`Messages to customers: ${dropped} that waited dropped, ${rows.length - dropped} may have been sent`)
}

/** Every running server has a listening connection with this name. */
async function refuseWhileServed(client: pg.Client) {
  const { rowCount } = await client.query(`
    select from pg_stat_activity
    where datname = current_database() and application_name ~ '^waybill (listen|work)'`)
  if (rowCount) throw new Error('A server is using this database: stop it first')
}

/** The existing tables; throws if one is not ours, because it would be lost. */
async function findTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname::text as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`)
  const texts = (await readMigrations()).map(({ text }) => text).join('\n')
  const ours = new Set([
    'migrations',
    ...[...texts.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, name]) => name),
  ])
  const isOurs = rows.some(({ name }) => name === 'migrations')
  const strange = rows.find(({ name }) => !isOurs || !ours.has(name))
  if (strange)
    throw new Error(
      `This database has the table "${strange.name}", which does not belong to Waybill: restore into a separate database`,
    )
  return rows.map(({ name }) => name)
}

async function requireEmpty(client: pg.Client, tables: string[], filesFolder: string) {
  for (const table of tables.filter((name) => name !== 'migrations')) {
    const { rowCount } = await client.query(`select from ${pg.escapeIdentifier(table)} limit 1`)
    if (rowCount)
      throw new Error('This database is not empty: restore into an empty one, or use --replace to overwrite it')
  }
  const files = await readdir(filesFolder).catch(() => [])
  if (files.length > 0) throw new Error(`${filesFolder} is not empty: move it away, or use --replace to overwrite it`)
}

async function load(client: pg.Client, { contents, onProgress, signal }: RestoreOptions) {
  const { archive, manifest, parts } = contents
  await makePartitions(client, manifest.partitions)
  const names = manifest.tables.map(({ name }) => pg.escapeIdentifier(name))
  // Migrations may have inserted rows; the backup contains their final state.
  await client.query(`truncate ${names.join(', ')}`)
  const whole = await setAside(client)
  const partitioned = new Set(manifest.partitions.map(({ parent }) => parent))

  const total = manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0)
  let [bytes, rows] = [0, 0]
  for (const table of manifest.tables) {
    const tell = () => onProgress({ doing: table.name, part: bytes / Math.max(1, total), rows })
    const columns = table.columns.map(pg.escapeIdentifier).join(', ')
    async function* texts() {
      for (const part of parts.get(table.name) ?? []) {
        const text = await textOf(archive, part)
        yield text
        bytes += text.length
        tell()
      }
    }
    tell()
    // Frozen rows need no vacuum later, but PostgreSQL does not do it through a partitioned table.
    const how = partitioned.has(table.name) ? '' : 'with (freeze)'
    await copyIn(client, `copy ${pg.escapeIdentifier(table.name)} (${columns}) from stdin ${how}`, texts())
    rows += table.rows
    signal.throwIfAborted()
  }
  await whole.putBack((doing) => onProgress({ doing, part: 1, rows }))
  for (const { name, lastValue, isCalled } of manifest.sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [pg.escapeIdentifier(name), lastValue, isCalled])
}

/** How PostgreSQL prints partition bounds. They come from a file and become part of a statement. */
const value = String.raw`(-?[\d.]+|'[\w:+. -]*'|MINVALUE|MAXVALUE|NULL)`
const list = String.raw`\(${value}(, ${value})*\)`
const boundPattern = new RegExp(
  String.raw`^(DEFAULT|FOR VALUES (FROM ${list} TO ${list}|IN ${list}|WITH \(modulus \d+, remainder \d+\)))$`,
)

async function makePartitions(client: pg.Client, partitions: Manifest['partitions']) {
  for (const { name, parent, bound } of partitions) {
    if (!boundPattern.test(bound)) throw new Error(`The partition ${name} has unknown bounds`)
    const { rowCount } = await client.query('select from pg_class where relname = $1', [name])
    if (rowCount) continue
    await client.query(`create table ${pg.escapeIdentifier(name)} partition of ${pg.escapeIdentifier(parent)} ${bound}`)
  }
}

/**
 * Files are first written next to their final folder and swapped in right before the commit; if that fails, the old
 * ones come back.
 */
async function restoreFiles(dataFolder: string, { archive, manifest, files }: Contents) {
  const place = join(dataFolder, 'files')
  const [coming, going] = [`${place}-unfinished`, `${place}-before`]
  const remove = (folder: string) => rm(folder, { recursive: true, force: true })
  const moveIfThere = (from: string, to: string) =>
    rename(from, to).catch((error) => {
      if (error.code !== 'ENOENT') throw error
    })
  let undo = async () => {}

  await remove(coming)
  for (const { path } of manifest.files) {
    const member = files.get(path)
    const target = join(coming, path)
    if (!member || !target.startsWith(`${coming}/`))
      throw new Error(`The backup contains a file outside its folder: ${path}`)
    await mkdir(dirname(target), { recursive: true })
    const file = await open(target, 'wx', 0o600)
    for await (const piece of archive.pieces(member)) await file.appendFile(piece)
    await file.sync().finally(() => file.close())
  }
  return {
    async putInPlace() {
      await remove(going)
      undo = async () => {
        await remove(place)
        await moveIfThere(going, place)
      }
      await moveIfThere(place, going)
      await moveIfThere(coming, place)
    },
    async keep() {
      undo = async () => {}
      await remove(going)
    },
    async [Symbol.asyncDispose]() {
      await undo()
      await remove(coming)
    },
  }
}

/**
 * Without statistics the planner makes bad plans. `unrecorded` is a backup the audit log does not know of yet; the files of `maps`
 * are to be removed from where they are, by the next start.
 */
async function complete(databaseUrl: string, unrecorded: Contents | undefined, maps: readonly Leftover[]) {
  const client = await connectAsOwner(databaseUrl, 'waybill restore')
  try {
    if (unrecorded) await recordRestore(client, unrecorded)
    await client.query(
      `insert into map_imports (id, state, name, source, source_bytes, files)
       select id, 'leaving', name, '', 0, files from jsonb_to_recordset($1::jsonb) as m (id bigint, name text, files jsonb)`,
      [JSON.stringify(maps)],
    )
    const names = (await findTables(client)).map(pg.escapeIdentifier)
    await client.query(`analyze ${names.join(', ')}`)
  } finally {
    await client.end()
  }
}
