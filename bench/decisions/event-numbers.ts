import pg from 'pg'
import type { Context } from '../../server/context.ts'
import type { Database, Db } from '../../server/db/db.ts'
import type { EmbeddedDatabase } from '../../server/db/embedded.ts'
import { migrate } from '../../server/db/migrate.ts'
import { Sql, sql } from '../../server/db/sql.ts'
import { insertOrganisation, type Organisation } from '../../server/organisations/queries.ts'
import { createTasks } from '../../server/tasks/create/create.ts'
import { aTask } from '../../server/test/factories.ts'
import { alternate, onDatabase, open, perSecond, printHeader, printRatios, withClient, withServer } from '../measure.ts'

/*
 * Ways to number events (docs/decisions/0001). All of them use the program's own `createTasks`; they differ in the
 * schema and in the part of its last statement that gets the number.
 */

const rounds = 5
const milliseconds = 600
const setSize = 16

type Way = keyof typeof ways
const ways = {
  sequence: { schema: 'create sequence event_numbers start 5001', number: fromSequence },
  counter: { schema: '', number: asItIs },
  'sequence + transaction id': {
    schema: `create sequence event_numbers start 5001;
      alter table events add transaction_id xid8 not null default pg_current_xact_id();
      create index on events (organisation_id, transaction_id, id)`,
    number: fromSequence,
  },
  [`counter, sets of ${setSize}`]: { schema: '', number: asItIs },
  'counter, commit sent along': { schema: '', number: asItIs },
}
const names = Object.keys(ways) as Way[]

function asItIs(query: Sql): Sql {
  return query
}

const counterUpdate =
  /update event_counters set last_event_id = last_event_id \+ (\$\d+)\s+where organisation_id = (\$\d+)\s+returning last_event_id - (\$\d+) as before/

/** Supports only one event per change, which is what creating a task records. */
function fromSequence({ text, values }: Sql): Sql {
  const changed = text.replace(
    counterUpdate,
    "select nextval('event_numbers') - $1 as before where $2::bigint > 0 and $3::int > 0",
  )
  if (text.includes('event_counters') && changed === text) throw new Error('recordEvents no longer looks as it did')
  return new Sql(changed, values)
}

class Undone extends Error {}

/** The handle an action gets. `undone` is the share of transactions rolled back at the very end. */
const handleOf = (db: Db, number: (query: Sql) => Sql, undone = 0): Db => ({
  ...db,
  transaction: (work) =>
    db.transaction(async (db) => {
      const result = await work({ ...db, get: (query) => db.get(number(query)) })
      if (Math.random() < undone) throw new Undone()
      return result
    }),
})

/** Sends the statement that takes the number together with the commit, which saves one round trip under the lock. */
function committingAlong(pool: pg.Pool): Db {
  const ask = async (client: pg.PoolClient, { text, values }: Sql) =>
    (await client.query({ name: nameOf(text), text, values: [...values] })).rows
  const transaction = async <Result>(work: (db: Db) => Promise<Result>) => {
    const client = await pool.connect()
    const get = async (query: Sql) => {
      const [rows] = await Promise.all([ask(client, query), client.query({ name: 'commit', text: 'commit' })])
      return rows[0]
    }
    try {
      await client.query({ name: 'begin', text: 'begin' })
      const run = async (query: Sql) => (await ask(client, query)).length
      return await work({ many: (query: Sql) => ask(client, query), run, get } as unknown as Db)
    } finally {
      client.release()
    }
  }
  return { transaction } as Db
}

const statementNames = new Map<string, string>()
function nameOf(text: string) {
  if (!statementNames.has(text)) statementNames.set(text, `b${statementNames.size}`)
  return statementNames.get(text)!
}

interface Place {
  way: Way
  url: string
  organisation: Organisation
}

const databaseName = (way: Way) => `numbers_${names.indexOf(way)}`

/**
 * A database with some tasks in it, of which every variant gets a copy. Statements planned for empty tables would use
 * sequential scans, and keep using them while the tables grow.
 */
async function prepare({ url, adminUrl }: EmbeddedDatabase): Promise<Map<string, Place>> {
  await migrate(url, () => {})
  const database = open(url, 1)
  const given = { name: 'Bench', country: 'RO', timezone: 'Europe/Bucharest', currency: 'RON' }
  const organisation = (await insertOrganisation(database.everyone, given)) as unknown as Organisation
  const db = database.of(organisation.id)
  for (let n = 0; n < 50; n += 1) await create(db, organisation, Array.from({ length: 100 }, anInput))
  await database.close()
  await withClient(url, (client) => client.query('vacuum analyze'))

  const places = new Map<string, Place>()
  for (const way of names) {
    const copy = `create database ${databaseName(way)} template waybill owner waybill`
    await withClient(adminUrl, (client) => client.query(copy))
    const place = onDatabase(url, databaseName(way))
    await withClient(place, (client) => client.query(ways[way].schema))
    places.set(way, { way, url: place, organisation })
  }
  return places
}

let made = 0
const anInput = () => {
  made += 1
  return aTask({ awb: `AWB-${made}`, details: 'Two boxes', customer: { name: 'Ana', phone: `07${made}` } })
}

const contextOf = (db: Db): Context =>
  ({ db, actor: { type: 'api', id: 1, name: 'bench' }, wakeSender: () => {} }) as unknown as Context

async function create(db: Db, organisation: Organisation, inputs: ReturnType<typeof anInput>[]) {
  for (const result of await createTasks(contextOf(db), organisation, inputs)) if (result instanceof Error) throw result
}

/** Waiting inputs are written together, up to a full set; each writer is told when its input is committed. */
function coalescing(lanes: number, db: Db, organisation: Organisation) {
  const waiting: { input: ReturnType<typeof anInput>; done: PromiseWithResolvers<void> }[] = []
  let busy = 0
  const drain = async () => {
    busy += 1
    while (waiting.length > 0) {
      const set = waiting.splice(0, setSize)
      await create(
        db,
        organisation,
        set.map(({ input }) => input),
      )
      for (const { done } of set) done.resolve()
    }
    busy -= 1
  }
  return () => {
    const done = Promise.withResolvers<void>()
    waiting.push({ input: anInput(), done })
    // A moment later, so that writers that are ready at the same time join.
    if (busy < lanes) setImmediate(() => busy < lanes && waiting.length > 0 && drain())
    return done.promise
  }
}

interface Bench {
  /** Creates one task. */
  work: () => Promise<void>
  close: () => Promise<void>
}

function openBench({ way, url, organisation }: Place, writers: number): Bench {
  if (way === 'counter, commit sent along') {
    const options = `-c waybill.organisation=${organisation.id}`
    const pool = new pg.Pool({ connectionString: url, max: writers, options, idleTimeoutMillis: 0, pipeline: true })
    pool.on('error', () => {})
    const db = committingAlong(pool)
    return { work: () => create(db, organisation, [anInput()]), close: () => pool.end() }
  }
  const database = open(url, writers)
  const db = handleOf(database.of(organisation.id), ways[way].number)
  const one = () => create(db, organisation, [anInput()])
  const work = way.includes('sets') ? coalescing(Math.ceil(writers / setSize), db, organisation) : one
  return { work, close: database.close }
}

async function compare(title: string, places: Map<string, Place>, writers: number) {
  const benches = new Map([...places].map(([name, place]) => [name, openBench(place, writers)]))
  const measure = (name: string) => perSecond(writers, milliseconds, benches.get(name)!.work)
  printRatios(title, 'tasks/s', 'sequence', await alternate(names, rounds, measure))
  for (const { close } of benches.values()) await close()
}

const cursors = {
  number: {
    page: (cursor: string) => sql`select id, id::text as cursor from events where id > ${cursor} order by id limit 500`,
    start: '0',
  },
  'transaction id': {
    page: (cursor: string) => sql`
      select id, transaction_id || ',' || id as cursor from events
      where (transaction_id, id) > (split_part(${cursor}, ',', 1)::xid8, split_part(${cursor}, ',', 2)::bigint)
        and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
      order by transaction_id, id limit 500`,
    start: '0,0',
  },
}

/** Reads page after page behind the writers, as a feed is read, and compares with what is there in the end. */
async function follow({ way, url, organisation }: Place, cursorKind: keyof typeof cursors) {
  const database = open(url, 17)
  const plain = database.of(organisation.id)
  const db = handleOf(plain, ways[way].number, 0.05)
  const { page, start } = cursors[cursorKind]
  let cursor = start
  const seen = new Set<number>()
  const read = async () => {
    const rows = await plain.many<{ id: number; cursor: string }>(page(cursor))
    for (const row of rows) seen.add(row.id)
    cursor = rows.at(-1)?.cursor ?? cursor
    return rows.length
  }
  while ((await read()) > 0);
  const before = seen.size

  let writing = true
  const reading = (async () => {
    while (writing) await read()
    while ((await read()) > 0);
  })()
  const attempt = () =>
    create(db, organisation, [anInput()]).catch((error) => {
      if (!(error instanceof Undone)) throw error
    })
  await perSecond(16, 3_000, attempt)
  writing = false
  await reading

  const all = await plain.many<{ id: number }>(sql`select id from events`)
  const skipped = all.filter(({ id }) => !seen.has(id)).length
  const highest = Math.max(...all.map(({ id }) => id))
  await database.close()
  console.log(`| ${way}, cursor is the ${cursorKind} | ${all.length - before} | ${skipped} | ${highest - all.length} |`)
}

/** How long a committed event stays unread while a transaction is open in another database. */
async function delayBehindStranger(place: Place, adminUrl: string, cursorKind: keyof typeof cursors) {
  const database: Database = open(place.url, 2)
  const db = database.of(place.organisation.id)
  const { page } = cursors[cursorKind]
  const { cursor } = await db.get<{ cursor: string }>(
    cursorKind === 'number'
      ? sql`select max(id)::text as cursor from events`
      : sql`select max(transaction_id) || ',' || max(id) as cursor from events`,
  )
  await withClient(adminUrl, async (stranger) => {
    await stranger.query('begin')
    await stranger.query('select pg_current_xact_id()')
    setTimeout(() => stranger.query('commit'), 1_000)
    await create(handleOf(db, ways[place.way].number), place.organisation, [anInput()])
    const start = performance.now()
    while ((await db.many(page(cursor))).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    console.log(`| ${place.way}, cursor is the ${cursorKind} | ${(performance.now() - start).toFixed(0)} ms |`)
    await stranger.query('select 1')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  })
  await database.close()
}

await withServer(async (server) => {
  printHeader('Event numbers', rounds)
  const places = await prepare(server)
  await compare('One writer', places, 1)
  for (const writers of [8, 32, 64]) await compare(`${writers} writers of one organisation`, places, writers)

  const setDelay = (name: string, microseconds: number) =>
    withClient(server.adminUrl, async (client) => {
      await client.query(`alter database ${name} set commit_delay = ${microseconds}`)
      await client.query(`alter database ${name} set commit_siblings = 0`)
    })
  for (const way of names) await setDelay(databaseName(way), 2_000)
  await compare('32 writers on a disk that takes 2 ms more to sync', places, 32)
  for (const way of names) await setDelay(databaseName(way), 0)

  console.log('\n### A reader behind 16 writers, of whom one in twenty rolls back')
  console.log('\n| | events meanwhile | skipped by the reader | numbers never used |\n|---|---:|---:|---:|')
  await follow(places.get('sequence')!, 'number')
  await follow(places.get('counter')!, 'number')
  await follow(places.get('sequence + transaction id')!, 'transaction id')

  console.log('\n### A new event, while a transaction in another database stays open for 1 s')
  console.log('\n| | read after |\n|---|---:|')
  await delayBehindStranger(places.get('counter')!, server.adminUrl, 'number')
  await delayBehindStranger(places.get('sequence + transaction id')!, server.adminUrl, 'transaction id')
})
