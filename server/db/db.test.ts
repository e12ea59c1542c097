import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { refusalFrom } from '../http/errors.ts'
import { makeDatabase } from '../test/database.ts'
import { until } from '../test/until.ts'
import { layWire } from '../test/wire.ts'
import { connectTo } from './connect.ts'
import { type Database, type Db, openDatabase } from './db.ts'
import { connectAsOwner, migrate } from './migrate.ts'
import { watchForSilence } from './silence.ts'
import { plannedAnew, sql } from './sql.ts'

let database: Database
let db: Db
let url: string
let role: string | undefined
const cleanUp = new AsyncDisposableStack()
before(async () => {
  const made = await makeDatabase()
  url = made.url
  cleanUp.defer(made.drop)
  role = await migrate(url, () => {})
  database = openDatabase({ url, role, connections: 3, onIdleError: () => {} })
  cleanUp.defer(database.close)
  db = database.everyone
  for (const name of ['first', 'second'])
    await db.run(sql`
      insert into organisations (name, country, timezone, currency) values (${name}, 'RO', 'Europe/Bucharest', 'RON')`)
})
after(() => cleanUp.disposeAsync())

const rename = (db: Db, from: string, to: string) =>
  db.run(sql`update organisations set name = ${to} where name = ${from}`)
const isThere = async (name: string) =>
  (await db.many(sql`select from organisations where name = ${name}`)).length === 1

test('a part of a transaction can fail without the rest', async () => {
  await db.transaction(async (db) => {
    await db.transaction((db) => rename(db, 'first', 'kept'))
    const failing = db.transaction(async (db) => {
      await db.transaction((db) => rename(db, 'second', 'lost'))
      await db.run(sql`select 1 / 0`)
    })
    await assert.rejects(failing, /division by zero/)
    assert.equal((await db.get<{ ok: boolean }>(sql`select true as ok`)).ok, true)
  })
  assert.deepEqual([await isThere('kept'), await isThere('second')], [true, true])
  await rename(db, 'kept', 'first')
})

test('a transaction that hid a failure does not count as committed', async () => {
  const hiding = db.transaction(async (db) => {
    await rename(db, 'first', 'lost')
    await db.run(sql`select 1 / 0`).catch(() => {})
  })
  await assert.rejects(hiding, /nothing was committed/)
  assert.equal(await isThere('first'), true)
})

test('the last statement goes with the commit, before what follows it, and not at all if its part fails', async () => {
  const renaming = (from: string, to: string) => sql`update organisations set name = ${to} where name = ${from}`
  await db.transaction(async (db) => {
    await db.finish(renaming('first', 'one'))
    await db.finish(renaming('one', 'two'))
    assert.equal((await db.many(sql`select from organisations where name = 'two'`)).length, 1)
    await db.finish(renaming('two', 'three'))
    const failing = db.transaction(async (db) => {
      assert.equal((await db.many(sql`select from organisations where name = 'three'`)).length, 1)
      await db.finish(renaming('three', 'lost'))
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    await db.finish(renaming('three', 'kept'))
  })
  assert.equal(await isThere('kept'), true)
  await db.finish(renaming('kept', 'first'))
  assert.equal(await isThere('first'), true)
})

test('a transaction of two organisations shows each its own, and is written in both or in none', async () => {
  const ids = (await db.many<{ id: number }>(sql`select id from organisations order by id limit 2`)).map(({ id }) => id)
  const [one, other] = ids as [number, number]
  const seen = (db: Db) => db.many<{ id: number }>(sql`select id from organisations`)
  const both = [[{ id: one }], [{ id: other }], [{ id: one }]]

  await database.of(one).transaction(async (db) => {
    const partner = db.as(other)
    assert.deepEqual(await Promise.all([seen(db), seen(partner), seen(db)]), both, 'asked at the same time')
    assert.deepEqual([await seen(db), await seen(partner), await seen(db)], both)
    const failing = partner.transaction(async (partner) => {
      await seen(partner.as(one))
      await partner.run(sql`select 1 / 0`)
    })
    await assert.rejects(failing, /division by zero/)
    assert.deepEqual([await seen(db), await seen(partner), await seen(db)], both, 'after a part that failed')
    await partner.finish(sql`update organisations set name = 'second' where id = ${other}`)
  })
  assert.deepEqual(await seen(database.of(one)), [{ id: one }], 'the connection is its own again')

  const failing = database.of(one).transaction(async (db) => {
    await rename(db, 'first', 'lost')
    await rename(db.as(other), 'second', 'lost')
    await db.run(sql`select 1 / 0`)
  })
  await assert.rejects(failing, /division by zero/)
  assert.deepEqual([await isThere('first'), await isThere('second')], [true, true])
  assert.throws(() => database.of(one).as(0), /nobody/)
})

test('a last statement that fails takes the transaction with it, and says why', async () => {
  const failing = db.transaction(async (db) => {
    await rename(db, 'first', 'lost')
    await db.finish(sql`select 1 / 0`)
  })
  await assert.rejects(failing, /division by zero/)
  assert.equal(await isThere('first'), true)
  assert.equal((await db.get<{ ok: boolean }>(sql`select true as ok`)).ok, true)
})

test('a transaction takes a connection with its first query', async () => {
  const waiting = Promise.withResolvers<void>()
  const late = Array.from({ length: 10 }, () =>
    db.transaction(async (db) => {
      await waiting.promise
      return db.get<{ ok: boolean }>(sql`select true as ok`)
    }),
  )
  assert.equal((await db.get<{ ok: boolean }>(sql`select true as ok`)).ok, true)
  waiting.resolve()
  assert.equal((await Promise.all(late)).length, 10)
})

test('after a deadlock both transactions succeed', async () => {
  const bothHaveOne = Promise.withResolvers<void>()
  let started = 0
  const swap = (one: string, other: string) =>
    db.transaction(async (db) => {
      await rename(db, one, one)
      started += 1
      if (started === 2) bothHaveOne.resolve()
      await bothHaveOne.promise
      await rename(db, other, other)
      return 'done'
    })
  assert.deepEqual(await Promise.all([swap('first', 'second'), swap('second', 'first')]), ['done', 'done'])
  // Three runs, or more if the repeated one is so quick that they meet again.
  assert.ok(started >= 3, `${started} were started`)
})

test('a connection that dies between two statements fails its transaction and nothing else', async () => {
  const dying = db.transaction(async (inside) => {
    const { pid } = await inside.get<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await db.run(sql`select pg_terminate_backend(${pid})`)
    await until(
      'the connection to die',
      async () => !(await db.find(sql`select from pg_stat_activity where pid = ${pid}`)),
    )
    await rename(inside, 'first', 'lost')
  })
  await assert.rejects(dying, (error) => refusalFrom(error).code === 'OVERLOADED')
  assert.equal(await isThere('first'), true)
})

/** Noticed by asking the server about the connection: the statement's own timeout takes sixteen seconds. */
const isFoundSilent = (error: unknown) => {
  assert.match(String(error), /Connection terminated/)
  return isToldToComeBack(error)
}

const isToldToComeBack = (error: unknown) => {
  const { code, status, retryAfterSeconds } = refusalFrom(error)
  assert.deepEqual([code, status, retryAfterSeconds], ['OVERLOADED', 503, 2], String(error))
  return true
}

test('a statement that takes too long is refused with a retry', async () => {
  const slow = db.transaction(async (db) => {
    await db.run(sql`set local statement_timeout = '20ms'`)
    await db.run(sql`select pg_sleep(1)`)
  })
  await assert.rejects(slow, isToldToComeBack)
})

test('a statement that waits too long for a lock is refused with a retry', async () => {
  const waiting = db.transaction(async (holder) => {
    await rename(holder, 'first', 'first')
    await db.transaction(async (db) => {
      await db.run(sql`set local lock_timeout = '20ms'`)
      await rename(db, 'first', 'first')
    })
  })
  await assert.rejects(waiting, isToldToComeBack)
})

test('a statement that gets no connection in time is refused with a retry', async () => {
  const enough = Promise.withResolvers<void>()
  const holders = Array.from({ length: 3 }, () =>
    db.transaction(async (db) => {
      await db.run(sql`select 1`)
      await enough.promise
    }),
  )
  await assert.rejects(db.run(sql`select 1`), isToldToComeBack)
  enough.resolve()
  await Promise.all(holders)
})

test('silent connections are all found at once, and slow statements are left alone', async (t) => {
  const wire = await layWire(t, url)
  const options = { url: wire.databaseUrl, role, connections: 6, onIdleError: () => {} }
  const { everyone, close } = openDatabase(options)
  t.after(close)
  const sleep = (seconds: number) => everyone.run(sql`select pg_sleep(${seconds})`)
  await Promise.all(Array.from({ length: 6 }, () => sleep(0.05)))
  await sleep(1.5)

  wire.fallSilent()
  const begun = performance.now()
  await assert.rejects(sleep(0), isFoundSilent)
  t.diagnostic(`found out after ${Math.round(performance.now() - begun)} ms`)
  // A broken connection still in the pool would fail one of these.
  await Promise.all(Array.from({ length: 6 }, () => sleep(0)))
})

test('a database that stops while we disconnect is not reported as an error', async (t) => {
  const wire = await layWire(t, url)
  const reported: Error[] = []
  const { everyone, close } = openDatabase({
    url: wire.databaseUrl,
    role,
    connections: 1,
    onIdleError: (error) => reported.push(error),
  })
  await everyone.run(sql`select 1`)
  wire.stopAtGoodbye()
  await close()
  await wire.closed()
  assert.deepEqual(reported, [])
})

test('the locks of silent connections are freed', async (t) => {
  const wire = await layWire(t, url)
  const { everyone, close } = openDatabase({ url: wire.databaseUrl, role, connections: 2, onIdleError: () => {} })
  t.after(close)
  const others = Promise.withResolvers<void>()
  const holding = Promise.withResolvers<void>()
  const holder = everyone.transaction(async (db) => {
    await rename(db, 'first', 'first')
    holding.resolve()
    await others.promise
    await rename(db, 'first', 'lost')
  })
  await holding.promise
  await everyone.run(sql`select 1`)

  wire.fallSilent()
  const begun = performance.now()
  await assert.rejects(everyone.run(sql`select 1`), isFoundSilent)
  await rename(db, 'first', 'first')
  t.diagnostic(`locks are free after ${Math.round(performance.now() - begun)} ms`)
  others.resolve()
  await assert.rejects(holder, isToldToComeBack)
  assert.equal(await isThere('first'), true)
})

test('a slow server gets more time before a connection counts as silent', async (t) => {
  const wire = await layWire(t, url)
  wire.slowDown(150)
  const { pid } = await db.get<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  // The check needs at least two answers, and each of them is late.
  assert.ok((await silenceOf(t, wire.databaseUrl, 'of nobody', pid)) > 5 * 2 * 150)
})

test('a server process that has not read its statement yet gets more time than one that is gone', async (t) => {
  const idle = await connectTo(url, { application_name: 'idle' })
  t.after(() => idle.end())
  const { rows } = await idle.query('select pg_backend_pid() as pid')
  assert.ok((await silenceOf(t, url, 'idle', rows[0].pid)) > 1_500)
})

test('connections that wait for the lock of a silent one are silent with it, unless they are newer', async (t) => {
  const open = async () => {
    const client = await connectAsOwner(url, 'of one pool')
    t.after(() => client.end())
    client.on('error', () => {})
    return { client, pid: (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number }
  }
  const holder = await open()
  await holder.client.query(`begin; update organisations set name = name where name = 'first'`)
  const waiting = await Promise.all([1, 2, 3].map(open))
  for (const { client } of waiting)
    client.query(`update organisations set name = name where name = 'first'`).catch(() => {})
  const areWaiting = sql`select from pg_stat_activity where application_name = 'of one pool' and wait_event_type = 'Lock'`
  await until('all to wait', async () => (await db.many(areWaiting)).length === 3)

  // So long ago that not even a starved machine needs more time.
  const askedAt = performance.now() - 10_000
  const silent = { pid: holder.pid, askedAt, openedAt: askedAt - 10, heardAt: askedAt - 10 }
  const [second, alive, newer] = waiting.map(({ pid }) => ({ ...silent, pid, askedAt: askedAt + 900 }))
  Object.assign(alive!, { heardAt: askedAt + 800 })
  Object.assign(newer!, { openedAt: askedAt + 10, heardAt: askedAt + 10 })
  const { promise, resolve } = Promise.withResolvers<unknown[]>()
  const watch = watchForSilence({
    url,
    name: 'of one pool',
    connections: new Set([silent, second!, alive!, newer!]),
    giveUp: (found) => {
      resolve(found)
      return []
    },
  })
  t.after(watch.stop)
  assert.deepEqual(await promise, [silent, second])
})

/** For how many milliseconds a connection had waited for its answer when it was given up. */
function silenceOf(t: TestContext, url: string, name: string, pid: number): Promise<number> {
  const askedAt = performance.now() - 700
  const { promise, resolve } = Promise.withResolvers<number>()
  const watch = watchForSilence({
    url,
    name,
    connections: new Set([{ pid, askedAt }]),
    giveUp: () => {
      resolve(performance.now() - askedAt)
      return []
    },
  })
  t.after(watch.stop)
  return promise
}

test('a statement whose plan depends on its values is planned each time', async () => {
  await db.transaction(async (db) => {
    await db.run(sql`select 'kept', ${1}::int`)
    await db.run(plannedAnew(sql`select 'anew', ${1}::int`))
    const { kept, anew } = await db.get<{ kept: number; anew: number }>(sql`
      select count(*) filter (where statement like 'select ''kept''%') as kept,
        count(*) filter (where statement like 'select ''anew''%') as anew
      from pg_prepared_statements`)
    assert.deepEqual([kept, anew], [1, 0])
  })
})
