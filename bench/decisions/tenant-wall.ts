import pg from 'pg'
import type { Db } from '../../server/db/db.ts'
import type { EmbeddedDatabase } from '../../server/db/embedded.ts'
import { migrate } from '../../server/db/migrate.ts'
import { type Sql, sql } from '../../server/db/sql.ts'
import { alternate, onDatabase, open, perSecond, printHeader, printRatios, withClient, withServer } from '../measure.ts'

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
    -- Else some ways plan every read anew and others do not, and the difference hides what the wall costs.
    alter database waybill set plan_cache_mode = force_generic_plan;
    create extension pg_trgm;
    create index tasks_awb_trigram on tasks using gin (awb gin_trgm_ops);
    reset session_replication_role;`)
  await admin.query('vacuum analyze')
}

// Each policy is for another role, so that all of them can be compared on the same rows.
const setting = "current_setting('waybill.organisation')"
const policies: Record<string, string> = {
  'no wall': '',
  '(select v)::bigint in (0, id)': `(select ${setting})::bigint in (0, organisation_id)`,
  '(select v::bigint) in (0, id)': `(select ${setting}::bigint) in (0, organisation_id)`,
  'v::bigint = 0 or = id': `${setting}::bigint = 0 or ${setting}::bigint = organisation_id`,
  'id = (select v::bigint)': `organisation_id = (select ${setting}::bigint)`,
  'id between v and (v or all)': `organisation_id between (select ${setting}::bigint)
    and (select coalesce(nullif(${setting}::bigint, 0), 9223372036854775807))`,
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

/** Runs statements one by one, or pipelined. */
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

type Read = keyof typeof reads

let turn = 0
/** Reads some task of the next of so many organisations. */
function nextRead(read: Read, inTurn: number, ask: Ask) {
  turn += 1
  const id = (turn % inTurn) + 1
  return ask(id, reads[read](id, ((turn * 7919) % tasksEach) + 1))
}

async function compareWays(server: EmbeddedDatabase, read: Read, atOnce: number) {
  const ways = openWays(server, atOnce)
  const inTurn = (name: string) => (name === 'session, one organisation' ? 1 : 10)
  const measure = (name: string) => perSecond(atOnce, milliseconds, () => nextRead(read, inTurn(name), ways[name]!.ask))
  const title = `Setting the organisation: ${read}, ${atOnce} at once`
  printRatios(title, 'reads/s', 'no wall', await alternate(Object.keys(ways), rounds, measure))
  for (const { close } of Object.values(ways)) await close()
}

async function comparePolicies({ adminUrl }: EmbeddedDatabase, read: Read) {
  const opened = Object.keys(policies).map(
    (name) => [name, open(onDatabase(adminUrl, 'waybill'), 1, roleOf(name))] as const,
  )
  const handles = new Map<string, Db>(opened.map(([name, database]) => [name, database.of(1)]))
  const measure = (name: string) =>
    perSecond(1, milliseconds, () => nextRead(read, 1, (_, query) => handles.get(name)!.many(query)))
  printRatios(
    `Writing the policy: ${read}`,
    'reads/s',
    'no wall',
    await alternate([...handles.keys()], rounds, measure),
  )
  for (const [, database] of opened) await database.close()
}

const conditions: Record<string, string> = {
  'awb = $1': 'organisation_id = 1 and awb = $1 and deleted_at is null',
  'awb = any($1)': 'organisation_id = 1 and awb = any($1) and deleted_at is null',
  'created_at between $1 and $2': 'organisation_id = 1 and created_at between $1 and $2',
  "awb like 'AWB-12%'": "organisation_id = 1 and awb like 'AWB-12%'",
  "awb ilike '%1234%'": "organisation_id = 1 and awb ilike '%1234%'",
  'organisation forgotten: awb = $1': 'awb = $1 and deleted_at is null',
  'organisation forgotten: created_at > $1': 'created_at > $1',
}

interface Plan {
  'Node Type': string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  'One-Time Filter'?: string
  Plans?: Plan[]
}

function flatten(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flatten)]
}

/** Indexes with their conditions, and filters that are checked row by row. */
function describe(plan: Plan): string {
  const nodes = flatten(plan)
  const indexes = nodes
    .filter((node) => node['Index Name'])
    .map((node) => `${node['Index Name']} ${node['Index Cond']}`)
  const once = nodes.flatMap((node) => node['One-Time Filter'] ?? []).map((filter) => `once ${filter}`)
  const filters = nodes.flatMap((node) => node.Filter ?? []).map((filter) => `row by row ${filter}`)
  return [indexes.join(' and ') || 'reads the whole table', ...once, ...filters].join('; ')
}

async function explain({ adminUrl }: EmbeddedDatabase) {
  console.log('\n### Plans\n\n| | policy | plan |\n|---|---|---|')
  await withClient(onDatabase(adminUrl, 'waybill'), async (client) => {
    await client.query("set waybill.organisation = '1'")
    for (const [name, condition] of Object.entries(conditions)) {
      for (const policy of ['no wall', '(select v)::bigint in (0, id)', 'id = v::bigint']) {
        await client.query(`set role ${roleOf(policy)}`)
        const text = `explain (generic_plan, format json) select * from tasks where ${condition}`
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(text)
        console.log(`| \`${name}\` | \`${policy}\` | \`${describe(rows[0]!['QUERY PLAN'][0].Plan)}\` |`)
        await client.query('reset role')
      }
    }
  })
}

const operators = "('=', '<', '<=', '>', '>=', '~~', '~~*', '%', '@@', '@>')"

async function listLeakproof({ adminUrl }: EmbeddedDatabase) {
  const { rows } = await withClient(onDatabase(adminUrl, 'waybill'), (client) =>
    client.query<{ leakproof: boolean; names: string }>(`
      select p.proleakproof as leakproof, string_agg(distinct p.proname, ', ' order by p.proname) as names
      from pg_operator o join pg_proc p on p.oid = o.oprcode
      where o.oprname in ${operators} and o.oprleft = o.oprright
        and o.oprleft::regtype::text in ('text', 'bigint', 'uuid', 'timestamp with time zone', 'jsonb', 'text[]', 'anyarray')
      group by p.proleakproof order by p.proleakproof desc`),
  )
  console.log('\n### Operators that may go before the policy, because they cannot leak what they see\n')
  for (const { leakproof, names } of rows) console.log(`${leakproof ? 'may' : 'may not'}: ${names}\n`)
}

await withServer(async (server) => {
  printHeader('The second wall', rounds)
  await migrate(server.url, () => {})
  await withClient(onDatabase(server.adminUrl, 'waybill'), async (admin) => {
    await fill(admin)
    await makeRoles(admin)
  })
  for (const read of ['a task by its awb', 'a page of 100'] as const)
    for (const atOnce of [1, 8]) await compareWays(server, read, atOnce)
  for (const read of Object.keys(reads) as Read[]) await comparePolicies(server, read)
  await explain(server)
  await listLeakproof(server)
})
