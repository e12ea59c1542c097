import pg from 'pg'
import type { Db } from '../../server/db/db.ts'
import type { EmbeddedDatabase } from '../../server/db/embedded.ts'
import { migrate } from '../../server/db/migrate.ts'
import { type Sql, sql } from '../../server/db/sql.ts'
import { alternate, onDatabase, open, perSecond, printHeader, printRatios, withClient, withServer } from './measure.ts'

/* What row level security costs a read, and how its policy is best written (docs/decisions/0003). */

const rounds = 5
const milliseconds = 350
const organisations = 20
const tasksEach = 10_000

async function fill(admin: pg.Client) {
  await admin.query(`
    set session_replication_role = replica;
    set synchronous_commit = off;
    insert into organisations (name, country, timezone, currency)
    select 'Bench ' || n, 'RO', 'Europe/Bucharest', 'RON' from generate_series(1, ${organisations}) n;
    insert into tasks (organisation_id, awb, uuid, status_id, details, collect_payment, payment_type_id, priority,
      pickup_task, custom_fields, send_notifications, last_sequence, created_at)
    select o, 'AWB-' || n, o || '-' || n, n % 7, 'Two boxes', false, 1, 0, false, '[]', true, 1,
      timestamptz '2026-01-01' + n * interval '1 minute'
    from generate_series(1, ${tasksEach}) n, generate_series(1, ${organisations}) o;
    insert into addresses (organisation_id, task_id, address, country)
    select organisation_id, id, 'Strada Lipscani 12, București', 'RO' from tasks;
    create index tasks_created on tasks (organisation_id, created_at);
    create extension pg_trgm;
    create index tasks_awb_trigram on tasks using gin (awb gin_trgm_ops);
    reset session_replication_role;`)
  await admin.query('vacuum analyze')
}

// Which policy holds depends on the role, so that all of them stand side by side on the same rows.
const setting = "current_setting('waybill.organisation')"
const policies: Record<string, string> = {
  'no wall': '',
  '(select v)::bigint in (0, id)': `(select ${setting})::bigint in (0, organisation_id)`,
  '(select v::bigint) = 0 or = id': `(select ${setting}::bigint) = 0 or (select ${setting}::bigint) = organisation_id`,
  'v::bigint = 0 or = id': `${setting}::bigint = 0 or ${setting}::bigint = organisation_id`,
  'id = (select v::bigint)': `organisation_id = (select ${setting}::bigint)`,
  'id = v::bigint': `organisation_id = ${setting}::bigint`,
}
const roleOf = (policy: string) => `reader_${Object.keys(policies).indexOf(policy)}`

async function makeRoles(admin: pg.Client) {
  for (const table of ['tasks', 'addresses']) await admin.query(`alter policy own_organisation on ${table} to waybill`)
  for (const [name, condition] of Object.entries(policies)) {
    const role = roleOf(name)
    await admin.query(
      `create role ${role} ${condition ? '' : 'bypassrls'}; grant select on all tables in schema public to ${role}`,
    )
    for (const table of condition ? ['tasks', 'addresses'] : [])
      await admin.query(`create policy ${role} on ${table} to ${role} using (${condition})`)
  }
}

type Ask = (organisationId: number, query: Sql) => Promise<unknown>
interface Way {
  ask: Ask
  close: () => Promise<void>
}

const setTo = (organisationId: number, isLocal: boolean): Sql =>
  sql`select set_config('waybill.organisation', ${String(organisationId)}, ${isLocal})`

const statementNames = new Map<string, string>()
function send(client: pg.PoolClient, { text, values }: Sql) {
  if (!statementNames.has(text)) statementNames.set(text, `b${statementNames.size}`)
  return client.query({ name: statementNames.get(text)!, text, values: [...values] })
}

/** Statements one by one, or all on the way at once. */
function statementsOn(
  url: string,
  connections: number,
  pipeline: boolean,
  statements: (id: number, query: Sql) => Sql[],
): Way {
  const pool = new pg.Pool({ connectionString: url, max: connections, idleTimeoutMillis: 0, pipeline })
  const ask: Ask = async (organisationId, query) => {
    const client = await pool.connect()
    const all = statements(organisationId, query)
    try {
      if (pipeline) await Promise.all(all.map((statement) => send(client, statement)))
      else for (const statement of all) await send(client, statement)
    } finally {
      client.release()
    }
  }
  return { ask, close: () => pool.end() }
}

const inTransaction = (id: number, query: Sql) => [sql`begin`, setTo(id, true), query, sql`commit`]

function openWays({ url, adminUrl }: EmbeddedDatabase, connections: number): Record<string, Way> {
  const free = open(onDatabase(adminUrl, 'waybill'), connections, roleOf('no wall'))
  const walled = open(url, connections)
  const walledToo = open(url, connections)
  return {
    'no wall': { ask: (_, query) => free.of(1).many(query), close: free.close },
    'session, one organisation': { ask: (_, query) => walled.of(1).many(query), close: walled.close },
    'session, ten in turn': { ask: (id, query) => walledToo.of(id).many(query), close: walledToo.close },
    'session, ten in turn, sent along': statementsOn(url, connections, true, (id, query) => [setTo(id, false), query]),
    'per transaction': statementsOn(url, connections, false, inTransaction),
    'per transaction, pipelined': statementsOn(url, connections, true, inTransaction),
  }
}

const reads = {
  'a task by its awb': (id: number, n: number) => sql`
    select * from tasks where organisation_id = ${id} and awb = ${`AWB-${n}`} and deleted_at is null`,
  'a page of 100': (id: number, n: number) => sql`
    select t.*, row_to_json(a) as address from tasks t
    join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
    where t.organisation_id = ${id} and t.created_at < timestamptz '2026-01-02' + ${n} * interval '1 minute'
    order by t.created_at desc limit 100`,
  'counting 10,000 tasks': (id: number) => sql`
    select status_id, count(*) from tasks where organisation_id = ${id} group by status_id`,
}

let turn = 0
function nextRead(read: keyof typeof reads, ask: Ask) {
  turn += 1
  const id = (turn % 10) + 1
  return ask(id, reads[read](id, ((turn * 7919) % tasksEach) + 1))
}

async function compareWays(server: EmbeddedDatabase, read: keyof typeof reads, atOnce: number) {
  const ways = openWays(server, atOnce)
  const measure = (name: string) => perSecond(atOnce, milliseconds, () => nextRead(read, ways[name]!.ask))
  const title = `Setting the organisation: ${read}, ${atOnce} at once`
  printRatios(title, 'reads/s', 'no wall', await alternate(Object.keys(ways), rounds, measure))
  for (const { close } of Object.values(ways)) await close()
}

async function comparePolicies({ adminUrl }: EmbeddedDatabase, read: keyof typeof reads) {
  const opened = Object.keys(policies).map(
    (name) => [name, open(onDatabase(adminUrl, 'waybill'), 1, roleOf(name))] as const,
  )
  const handles = new Map<string, Db>(opened.map(([name, database]) => [name, database.of(1)]))
  const measure = (name: string) =>
    perSecond(1, milliseconds, () => nextRead(read, (_, query) => handles.get(name)!.many(read1(read, query))))
  printRatios(
    `Writing the policy: ${read}`,
    'reads/s',
    'no wall',
    await alternate([...handles.keys()], rounds, measure),
  )
  for (const [, database] of opened) await database.close()
}
