import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectTo } from './connect.ts'
import { locks, takeLock } from './locks.ts'
import { requireSession } from './pooler.ts'

const ourFolder = new URL('migrations/', import.meta.url)

/** The role the server uses if the given one is a superuser, because row-level security does not apply to those. */
const serverRole = 'waybill_server'

/**
 * A migration that does not get its lock soon gives up instead of making every request queue behind it, lets the
 * requests through, and retries. Requests wait five seconds for a lock, so they do not notice. It is half of
 * PostgreSQL's `deadlock_timeout`: a migration that holds one table and waits for another gives up before a request
 * that locks them in the opposite order is made to fail.
 */
const lockTimeoutMs = 500
const pausesMs = [200, 500, 1_000, 2_000, 3_000, ...Array<number>(15).fill(5_000)]

export interface Migration {
  name: string
  text: string
  checksum: string
}

type Log = (sentence: string) => void

/**
 * Migrates the database to the newest schema, one migration per transaction, one process at a time.
 * Returns the role the server should use, if it is not the one that connected.
 */
export async function migrate(url: string, log: Log, folder = ourFolder): Promise<string | undefined> {
  const client = await connectAsOwner(url, 'waybill migrate')
  try {
    await requireSession(client, url)
    const onWait = () => log('Waiting for a backup or another process that is preparing the database')
    await takeLock(client, locks.schema, { onWait })
    await createMigrations(client)
    const applied = await client.query<Migration>('select name, checksum from migrations')
    const migrations = await readMigrations(folder)
    for (const migration of findMissing(applied.rows, migrations)) await applyPatiently(client, migration, log)
    await client.query('begin')
    const role = await boundRole(client)
    await forbidChanges(client, role)
    await client.query('commit')
    return role
  } finally {
    await client.end()
  }
}

/** A connection as the role that owns the tables. It sees every organisation and has no statement timeout. */
export async function connectAsOwner(url: string, name: string): Promise<pg.Client> {
  const client = await connectTo(url, { application_name: name })
  try {
    await requireVersion(client)
    await client.query(`
      set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
      set waybill.organisation = '0'`)
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

async function requireVersion(client: pg.Client) {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  )
  const major = Math.floor((rows[0]?.version ?? 0) / 10_000)
  if (major < 15) throw new Error(`Waybill needs PostgreSQL 15 or newer; DATABASE_URL has version ${major}`)
}

export const createMigrations = (client: pg.Client) =>
  client.query(`create table if not exists migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`)

export async function readMigrations(folder = ourFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** What is still to be applied; throws if the applied migrations differ from ours. */
function findMissing(applied: Pick<Migration, 'name' | 'checksum'>[], migrations: Migration[]): Migration[] {
  const known = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  for (const { name, checksum } of migrations)
    if ((known.get(name) ?? checksum) !== checksum)
      throw new Error(`Migration ${name} was changed after this database applied it; migrations only go forward`)
  const strange = [...known.keys()].filter((name) => !migrations.some((migration) => migration.name === name))
  if (strange.length > 0)
    throw new Error(`This database was created by a newer Waybill (it has ${strange.join(', ')}); start that version`)
  return migrations.filter(({ name }) => !known.has(name))
}

async function applyPatiently(client: pg.Client, migration: Migration, log: Log) {
  log(`Preparing the database: ${migration.name}`)
  for (const pauseMs of pausesMs) {
    try {
      return await apply(client, migration)
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      log(`${migration.name} could not get its lock within ${lockTimeoutMs} ms; trying again in ${pauseMs / 1000} s`)
      await sleep(pauseMs)
    }
  }
  await apply(client, migration)
}

async function apply(client: pg.Client, migration: Migration) {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await runMigration(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
  }
}

/** Inside a transaction that the caller ends. */
export async function runMigration(client: pg.Client, { name, text, checksum }: Migration) {
  await client.query(text)
  await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
}

const isLockTimeout = (error: unknown) =>
  error instanceof Error && error.cause instanceof pg.DatabaseError && error.cause.code === '55P03'

async function boundRole(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query(
    'select 1 from pg_roles where rolname = current_user and (rolsuper or rolbypassrls)',
  )
  if (rows.length === 0) return undefined
  await client.query(`
    do $$ begin
      create role ${serverRole} nologin;
    exception when duplicate_object or unique_violation then null;
    end $$;
    grant usage on schema public to ${serverRole};
    grant select, insert, update, delete on all tables in schema public to ${serverRole};
    grant usage on all sequences in schema public to ${serverRole};`)
  return serverRole
}

/** Tables that are only ever added to. What is old goes with its partition, which only the owner can drop. */
const appendOnly = ['audit_log', 'cash_lines', 'cash_close_outs']

/**
 * Takes away the rights to change what must stay as it was written, also from an owner who works with its own tables.
 * At every start, because a migration would be too early: a restore loads the tables after it.
 */
async function forbidChanges(client: pg.Client, role: string | undefined) {
  const { rows } = await client.query<{ name: string; role: string }>(
    `select relid::regclass::text as name, quote_ident(role) as role
     from coalesce($2, current_user) role, unnest($1::text[]) parent
     cross join lateral (
       select to_regclass(parent) as relid union select relid from pg_partition_tree(to_regclass(parent))
     ) tables
     where has_table_privilege(role, relid, 'update, delete, truncate')`,
    [appendOnly, role],
  )
  for (const { name, role } of rows) await client.query(`revoke update, delete, truncate on ${name} from ${role}`)
}
