import type { Installation } from '../../contract/installation.ts'
import { version } from '../config.ts'
import type { Service } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** The only question about all organisations at once that a person can ask: its answer is numbers. */
const countEverything = (db: Db) =>
  db.get<Pick<Installation, 'organisations' | 'people' | 'drivers' | 'tasks'> & { version: string; bytes: number }>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
      (select count(*)::int from organisations) as organisations,
      count(*) filter (where is_admin or is_dispatcher)::int as people,
      count(*) filter (where is_driver and active)::int as drivers,
      (select greatest(0, sum(reltuples))::float8 from pg_class where oid = 'tasks'::regclass) as tasks
    from users
    where deleted_at is null`)

export async function describeInstallation({ database, config }: Service): Promise<Installation> {
  const { version: postgres, bytes, ...counts } = await countEverything(database.everyone)
  return {
    version,
    node: process.versions.node,
    startedAt: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    database: { version: postgres, embedded: !config.databaseUrl, bytes },
    ...counts,
    tasks: Math.round(counts.tasks),
  }
}
