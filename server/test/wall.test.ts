import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { type Operation, operations } from '../../contract/operations.ts'
import type { Db } from '../db/db.ts'
import { raw, Sql, sql } from '../db/sql.ts'
import { aTask, makeDriver, signIn } from './factories.ts'
import { addTwins, askForOwn, environment, findPlaces, furnish, makePartner, type World } from './places.ts'
import { startReceiver } from './receiver.ts'
import { type Reply, request, startServer, type TestServer } from './server.ts'

/*
 * Two walls separate organisations: every query names the tenant, and row-level security protects the rest if one does not.
 * Here each is removed in turn. One organisation calls every operation; every statement this sends to the database is
 * sent again for another organisation, with the same ids: changed so that it names no tenant, with row-level security;
 * and unchanged, without it. Neither may see or change anything.
 */

const mark = 'KANARIENVOGEL'
/** All ids of the watched organisation are larger than this, and none of the other's; each table has its range. */
const idBase = 1_000_000_000
const organisationBase = 1_500_000_000

/** From now on, new ids are in the range of the watched organisation. */
async function raiseSequences({ config }: TestServer) {
  const owner = new pg.Client({ connectionString: config.databaseUrl as string })
  await owner.connect()
  try {
    await owner.query(`
      select setval(pg_get_serial_sequence(table_name, column_name),
        case table_name when 'organisations' then ${organisationBase}
          else ${idBase} + 10000000 * row_number() over (order by table_name) end)
      from information_schema.columns where table_schema = 'public' and is_identity = 'YES'`)
  } finally {
    await owner.end()
  }
}

interface Statement {
  text: string
  values: unknown[]
}

/**
 * Shows what is sent on connections that work for an organisation, before it is sent. Inside a transaction a connection
 * may work for a partner; then it is the partner's.
 */
function watchStatements(t: TestContext, watch: (organisationId: number, statement: Statement) => Promise<void>) {
  const organisations = new WeakMap<object, { session: number; now: number }>()
  const waiting = new WeakMap<object, Promise<unknown>>()
  const original = pg.Client.prototype.query as (this: pg.Client, ...parameters: unknown[]) => Promise<unknown>
  async function show(client: pg.Client, { text, values = [] }: Partial<Statement>) {
    const { session, now } = organisations.get(client) ?? { session: 0, now: 0 }
    const [, isLocal] = text?.match(/set_config\('waybill\.organisation', \$1, (true|false)\)/) ?? []
    const given = Number(values[0])
    if (isLocal) organisations.set(client, { session: isLocal === 'true' ? session : given, now: given })
    else if (text === 'commit' || text === 'rollback') organisations.set(client, { session, now: session })
    else if (text) await watch(now, { text, values })
  }
  async function watched(this: pg.Client, ...parameters: unknown[]) {
    // The attempts take a while, also those of statements before this one; the connection is not silent because of that.
    Object.assign(this, { askedAt: undefined })
    // One after the other, as they were sent: the next one may change who they are for.
    const before = waiting.get(this)
    const shown = Promise.resolve(before).then(() => show(this, parameters[0] as Partial<Statement>))
    const sent = shown.then(() => void 0)
    waiting.set(
      this,
      sent.catch(() => {}),
    )
    await sent
    return original.apply(this, parameters)
  }
  // A mock of the test runner would keep every call and its result.
  Object.assign(pg.Client.prototype, { query: watched })
  t.after(() => void Object.assign(pg.Client.prototype, { query: original }))
}

// ---- Mutation ----

const tenant = String.raw`(?:\w+\.)?(?:organisation_id|id)`

/** `organisation_id = $1` and its like, found by the value: it is the organisation. */
function tenantPredicates({ text, values }: Statement, organisationId: number): string[] {
  const found = [...text.matchAll(new RegExp(`(?<![\\w.])${tenant} = \\$(\\d+)(?!\\d)`, 'g'))]
  return found.filter(([, number]) => values[Number(number) - 1] === organisationId).map(([predicate]) => predicate)
}

/** The parameter is still mentioned, so that the database knows its type. */
const without = (text: string, predicate: string) =>
  text.replace(
    new RegExp(`(?<![\\w.])${predicate.replace(/[.$]/g, '\\$&')}(?!\\d)`, 'g'),
    `$${predicate.split('$')[1]}::bigint is not null`,
  )

const withoutJoins = (text: string) =>
  text.replace(/(?<![\w.])(?:\w+\.)?organisation_id = \w+\.organisation_id\b/g, 'true')

/** Each predicate removed alone, all of them, and all of them with the joins. */
function mutantsOf({ text }: Statement, predicates: string[]): Set<string> {
  const all = predicates.reduce(without, text)
  const mutants = new Set([...predicates.map((predicate) => without(text, predicate)), all, withoutJoins(all)])
  mutants.delete(text)
  return mutants
}

const replaceDeep = (value: unknown, from: unknown, to: unknown): unknown =>
  Array.isArray(value) ? value.map((item) => replaceDeep(item, from, to)) : value === from ? to : value

// ---- Trial ----

class Rollback extends Error {}

/** How a database may refuse such a statement. Any other error means that the changed statement makes no sense. */
const refusals: Record<string, string> = {
  42501: 'row level security',
  23503: 'a foreign key',
  23505: 'a unique index',
  23514: 'a check',
}
const lockTaken = '55P03'

interface Outcome {
  /** What was revealed of the organisation, or changed in it. */
  harm?: string | undefined
  /** What the caller learned, without what differs at every attempt. */
  told: string
}

/** Runs a statement for an organisation, or for the service itself (0), and rolls it back. */
async function attempt(
  db: Db,
  victim: World,
  boundTo: number,
  { text, values }: Statement,
  readKnown: () => Promise<string>,
): Promise<Outcome> {
  let answer: { rows: object[]; isChanged: boolean } | undefined
  try {
    await db.transaction(async (db) => {
      const isWrite = writes.test(text)
      if (isWrite) await db.run(sql`set transaction isolation level repeatable read`)
      const before = isWrite && (await readVersions(db, victim.organisationId))
      await bind(db, boundTo)
      const rows = await db.many(new Sql(text, values))
      if (isWrite) await bind(db, 0)
      answer = { rows, isChanged: isWrite && (await readVersions(db, victim.organisationId)) !== before }
      throw new Rollback()
    })
  } catch (error) {
    const code = (error as pg.DatabaseError).code ?? ''
    if (code === lockTaken) return { harm: 'a row was to be locked', told: code }
    assert.ok(answer || refusals[code], `this statement cannot be run: ${code} ${(error as Error).message}\n${text}`)
    if (!answer) return { told: code }
  }
  const { rows, isChanged } = answer as NonNullable<typeof answer>
  const known = largeId.test(JSON.stringify(rows)) ? await readKnown() : ''
  const harm = isChanged ? 'rows were changed' : leakIn(rows, values, known, victim)
  return { harm, told: withoutNews(rows, known) }
}

const writes = /\b(insert into|delete from|update (?!of\b)\w+)\b/
const largeId = /\b1\d{9}\b/
const largeIds = new RegExp(largeId, 'g')

/** Rows as text, without what a sequence or a clock produced, and without an order that was not requested. */
const withoutNews = (rows: object[], known: string) =>
  rows
    .map((row) => JSON.stringify(row))
    .map((row) =>
      row.replace(largeIds, (id) => (known.includes(id) ? id : '…')).replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, '…'),
    )
    .sort()
    .join('\n')

const bind = (db: Db, organisationId: number) =>
  db.run(sql`
    select set_config('waybill.organisation', ${String(organisationId)}, true),
      set_config('lock_timeout', '20ms', true)`)

function leakIn(
  rows: object[],
  values: unknown[],
  known: string,
  { secrets, organisationId }: World,
): string | undefined {
  if (rows.some((row) => Object.keys(row).length === 0)) return 'a row was found'
  const answer = JSON.stringify(rows)
  const sent = JSON.stringify(values)
  const secret = secrets.find((secret) => answer.includes(secret) && !sent.includes(secret))
  if (secret) return `${secret} was answered`
  // Whom a caller names as a partner, it knows.
  const isNamed = (number: string) =>
    Number(number) > organisationBase && Number(number) !== organisationId && sent.includes(number)
  const id = answer.match(largeIds)?.find((number) => known.includes(number) && !isNamed(number))
  return id && `the id ${id} was answered`
}

let tables: Promise<string[]> | undefined

/** All rows of an organisation, each as this expression says, as one text. */
async function readRows(db: Db, organisationId: number, expression: string): Promise<string> {
  tables ??= listTables(db)
  const parts = (await tables).map((name) => `select organisation_id, ${expression} as line from ${name} t`)
  const organisation = `select id, ${expression} from organisations t`
  const { rows } = await db.get<{ rows: string }>(sql`
    select coalesce(string_agg(line, e'\n' order by line collate "C"), '') as rows
    from (${raw([...parts, organisation].join(' union all '))}) everything where organisation_id = ${organisationId}`)
  return rows
}

const readAll = (db: Db, organisationId: number) => readRows(db, organisationId, 't::text')

/** Where each row is, and which transaction wrote it: different after every change, and much faster to read than the rows. */
const readVersions = (db: Db, organisationId: number) =>
  readRows(db, organisationId, "concat_ws(' ', t.tableoid, t.ctid, t.xmin)")

async function listTables(db: Db): Promise<string[]> {
  const found = await db.many<{ name: string }>(sql`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organisation_id'
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace`)
  return found.map(({ name }) => name)
}

// ---- The walk ----

/** Some statements find nothing at first, because what they look for is just being created. */
const mostSamples = 12

const tableNames = /\b(?:from|join|into|update)\s+(?!unnest|generate_series|given\b)[a-z_]+/

test('if either of the two walls is removed, the other still separates organisations', async (t) => {
  const server = await startServer(t, environment)
  const receiver = await startReceiver(t)
  const stranger = await furnish(server.url, server, receiver.url, { mark: 'Own', phone: '+40733111222' })
  await addTwins(stranger, 'Own')
  await raiseSequences(server)
  const house = await server.another()

  const tried = new Map<string, { samples: number; hasTeeth: boolean; isDone: boolean }>()
  const count = { mutants: 0, plain: 0 }
  const problems = new Set<string>()
  let victim: World | undefined
  const db = server.database.everyone

  watchStatements(t, async (organisationId, statement) => {
    if (!victim || organisationId !== house.organisationId || !tableNames.test(statement.text)) return
    const known = tried.get(statement.text) ?? { samples: 0, hasTeeth: false, isDone: false }
    if (known.isDone || known.samples === mostSamples) return
    known.samples += 1
    tried.set(statement.text, known)
    const { hasMutants, hasTeeth } = await tryStatement(victim, statement, known.samples === 1)
    known.hasTeeth = hasTeeth
    known.isDone = hasTeeth || !hasMutants
  })

  /** Whether it would do harm without any wall: only then it proves something that it does none. */
  async function tryStatement(victim: World, statement: Statement, isFirst: boolean) {
    const { organisationId } = house
    let known: Promise<string> | undefined
    const trial = (boundTo: number, statement: Statement) =>
      attempt(db, victim, boundTo, statement, () => (known ??= readAll(db, organisationId)))
    const asStranger = { ...statement, values: replaceTenant(statement.values) }
    const mutants = [...mutantsOf(statement, tenantPredicates(statement, organisationId))]
    const usual = await trial(stranger.organisationId, asStranger)
    const judge = ({ harm, told }: Outcome) => harm ?? (told === usual.told ? undefined : `${told} was answered`)
    const open = await trial(0, { ...asStranger, text: mutants.at(-1) ?? statement.text })
    const result = { hasMutants: mutants.length > 0, hasTeeth: judge(open) !== undefined }
    if (!result.hasTeeth && !isFirst) return result

    const report = (harm: string | undefined, says: string, { text, values }: Statement) =>
      harm && problems.add(`${says}, ${harm.slice(0, 300)}:\n${text}\n${JSON.stringify(values).slice(0, 300)}`)
    if (!JSON.stringify(statement.values).includes(String(organisationId)))
      report('as far as it says', 'a statement of a caller is for everybody', statement)
    report(usual.harm, 'both walls did not hold', asStranger)
    count.plain += 1
    report(judge(await trial(0, asStranger)), 'the query asks for too much', asStranger)
    for (const text of mutants) {
      count.mutants += 1
      const mutant = { ...asStranger, text }
      const outcome = await trial(stranger.organisationId, mutant)
      report(judge(outcome), 'row level security did not hold', mutant)
    }
    // A wrong tenant is no better than none.
    count.mutants += 1
    const { harm } = await trial(stranger.organisationId, statement)
    report(harm, 'row level security did not hold', statement)
    return result
  }
  const replaceTenant = (values: unknown[]) =>
    values.map((value) => replaceDeep(value, house.organisationId, stranger.organisationId))

  victim = await furnish(server.url, house, receiver.url, { mark, phone: '+40744987123', hasTwin: true })
  // The key of a tracking app is known only to the app; behind it is what a driver's token reaches too.
  for (const [name, { access }] of Object.entries<Operation>(operations))
    if (access !== 'anybody' && access !== 'device') await askForOwn(victim, name)
  for (const place of findPlaces(operations))
    if (place.kind !== 'cursor') await askForOwn(victim, place.operation, place)

  await workTogether(victim)

  assert.deepEqual([...problems], [])
  const withTeeth = [...tried.values()].filter(({ hasTeeth }) => hasTeeth).length
  t.diagnostic(
    `${tried.size} statements; ${count.mutants} attempts without the tenant, ${count.plain} without row level security; ` +
      `${withTeeth} statements would have done harm without both`,
  )
  assert.ok(withTeeth > tried.size / 2, `only ${withTeeth} of ${tried.size} statements had teeth`)
})

/** What partners do to what they share with it is done as this organisation, too. */
async function workTogether(world: World) {
  const done = (reply: Reply) => {
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  const partner = await makePartner(world)
  const { organisationId: companyId } = partner
  const driver = await makeDriver(partner)
  const key = await signIn(partner, driver)
  const shared = { totalPrice: 20, customer: { name: 'Ana', phone: '0722000111' } }
  const given = done(await world.post('/tasks', aTask({ ...shared, awb: world.nextAwb() }))).task
  done(await world.put(`/tasks/${given.id}/delegate`, { companyId }))
  const copy = done(await partner.get(`/tasks/awb/${given.awb}`)).task
  done(await partner.put(`/tasks/awb/${given.awb}`, { details: 'Theirs', address: { address: 'Elsewhere' } }))
  done(await partner.put(`/tasks/awb/${given.awb}`, { customer: { name: 'Ion', phone: '0722000112' } }))
  done(await partner.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [copy.id] }))
  done(await partner.post(`/tasks/awb/${given.awb}/notes`, { note: 'Theirs' }))
  done(await partner.post(`/tasks/${copy.id}/payments`, { amount: 20, method: 'cash' }))
  for (const verb of ['start', 'arrive', 'complete'])
    done(await request(world.url, 'POST', `/api/v1/driver/tasks/${copy.id}/${verb}`, { key, body: {} }))

  const make = async () => {
    const task = done(await partner.post('/tasks', aTask(shared))).task
    done(await partner.post(`/tasks/${task.id}/payments`, { amount: 20, method: 'card' }))
    done(await partner.put(`/tasks/${task.id}/delegate`, { companyId: world.organisationId }))
    return task
  }
  const taken = await make()
  done(
    await partner.put(`/tasks/awb/${taken.awb}`, { details: 'Theirs', customer: { name: 'Eva', phone: '0722000113' } }),
  )
  done(await partner.put(`/tasks/${taken.id}/undelegate`))
  done(await partner.delete(`/tasks/awb/${(await make()).awb}`))
  done(await partner.put('/company', { name: 'Renamed' }))
  done(await partner.delete(`/partners/${world.organisationId}`))
}

test('row-level security covers every table of an organisation, for reads and for writes', async (t) => {
  const server = await startServer(t, environment)
  const stranger = await server.another()
  const { database } = server

  const tables = await database.everyone.many<{ name: string; rules: string[] }>(sql`
    select c.relname as name, array(
      select concat_ws(' ', p.polcmd, pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid))
      from pg_policy p where p.polrelid = c.oid and c.relrowsecurity and c.relforcerowsecurity) as rules
    from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and c.relname <> 'migrations'
    order by name`)
  const sample = tables.find(({ name }) => name === 'tasks')?.rules ?? []
  assert.match(sample.join(), /^\* .*current_setting\('waybill.organisation'.* = organisation_id\)+$/)
  const serviceOnly = [
    String(sample[0])
      .replace(/ OR .*/, '')
      .replace('* (((', '* (('),
  ]
  const expected = (name: string) => {
    const ofNobody = ['map_imports', 'password_tries', 'push_keys', 'rate_buckets', 'server_address']
    if (ofNobody.includes(name) || name.startsWith('register_')) return serviceOnly
    return name === 'organisations' ? sample.map((rule) => rule.replace('= organisation_id', '= id')) : sample
  }
  assert.ok(tables.length >= 20)
  assert.deepEqual(
    tables,
    tables.map(({ name }) => ({ name, rules: expected(name) })),
  )
  const seen = await database.of(stranger.organisationId).many<{ id: number }>(sql`select id from organisations`)
  assert.deepEqual(seen, [{ id: stranger.organisationId }])

  await assert.rejects(
    database
      .of(stranger.organisationId)
      .run(sql`insert into teams (organisation_id, name) values (${server.organisationId}, 'Theirs')`),
    /row-level security/,
  )
})
