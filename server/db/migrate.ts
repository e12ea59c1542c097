import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

const folder = new URL('migrations/', import.meta.url)
const lockKey = 7_204_118_201

/** The role the server works as when the given one is a superuser, whom row level security would not bind. */
const serverRole = 'waybill_server'

interface Migration {
  name: string
  text: string
  checksum: string
}

/**
 * Brings the database to the newest schema, one migration a transaction, one process at a time.
 * Returns the role the server is to work as, if it is not the one that connected.
 */
export async function migrate(url: string, log: (sentence: string) => void): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, application_name: 'waybill migrate' })
  await client.connect()
  try {
    await requireVersion(client)
    await requireSession(client, url)
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await client.query(`create table if not exists migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    const applied = await client.query<Migration>('select name, checksum from migrations')
    const known = new Map(applied.rows.map(({ name, checksum }) => [name, checksum]))
    for (const migration of await readMigrations()) {
      const checksum = known.get(migration.name)
      if (checksum === undefined) await apply(client, migration, log)
      else if (checksum !== migration.checksum)
        throw new Error(
          `Migration ${migration.name} was changed after this database applied it; migrations only go forward`,
        )
      known.delete(migration.name)
    }
    if (known.size > 0)
      throw new Error(
        `This database was made by a newer Waybill (it has ${[...known.keys()].join(', ')}); start that version`,
      )
    return await boundRole(client)
  } finally {
    await client.end()
  }
}

async function requireVersion(client: pg.Client) {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  )
  const major = Math.floor((rows[0]?.version ?? 0) / 10_000)
  if (major < 15) throw new Error(`Waybill needs PostgreSQL 15 or newer; DATABASE_URL leads to version ${major}`)
}

/**
 * What a connection is told must stay with it. A pooler that hands connections out per transaction starts well and fails
 * later, so it is found out now: by it, a second connection knows what only the first was told.
 */
async function requireSession(client: pg.Client, url: string) {
  const secret = randomUUID()
  await client.query("select set_config('waybill.session', $1, false)", [secret])
  const second = new pg.Client({ connectionString: url, application_name: 'waybill migrate' })
  await second.connect()
  try {
    const { rows } = await second.query("select current_setting('waybill.session', true) as told")
    if (rows[0]?.told === secret)
      throw new Error(
        'DATABASE_URL leads through a pooler that shares connections between transactions; Waybill needs one that keeps ' +
          'them for a session, or the database itself (docs/scaling.md)',
      )
  } finally {
    await second.end()
  }
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function apply(client: pg.Client, { name, text, checksum }: Migration, log: (sentence: string) => void) {
  log(`Preparing the database: ${name}`)
  await client.query('begin')
  try {
    // A migration that cannot have its lock soon gives up, rather than making every request queue behind it.
    await client.query("set local lock_timeout = '3s'")
    await client.query(text)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}

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
