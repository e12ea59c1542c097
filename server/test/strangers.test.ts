import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { type Operation, operations, takesIdempotencyKey } from '../../contract/operations.ts'
import { Each, Id, Nullable, reply as replySchema } from '../../contract/schema.ts'
import { scopes } from '../../contract/scopes.ts'
import { Type } from '../../contract/type.ts'
import type { Db } from '../db/db.ts'
import { raw, sql } from '../db/sql.ts'
import {
  addTwins,
  ask,
  credentialsFor,
  describePlace,
  environment,
  findPlaces,
  findsDeleted,
  fromAnywhere,
  furnish,
  keyWithout,
  kinds,
  nameOf,
  type Own,
  type Place,
  reusing,
  type Value,
  type World,
} from './places.ts'
import { startReceiver } from './receiver.ts'
import { type Reply, request, startServer, type TestServer } from './server.ts'
import { until } from './until.ts'

/*
 * The tenancy matrix: every operation × every place where an id can occur × whose id it is × who asks, made from the table
 * of operations (see places.ts). What belongs to others must look exactly like what does not exist.
 */

const all = Object.entries<Operation>(operations)
const places = findPlaces(operations)
const references = places.filter(({ kind, isOwnName }) => !isOwnName && kind !== 'cursor')

const mark = 'KANARIENVOGEL'
/** What a partner has for itself, and what a former partner has since. */
const marksOfPartners = { partner: 'ZAUNKOENIG', former: 'NACHTIGALL' }

interface Houses {
  server: TestServer
  own: World
  theirs: World
  /** Shares tasks with `own`, and nothing else. */
  partner: World
  /** Shared tasks with `own`, until it took them back and ended it. */
  former: World
  /** What `own` had of a task of theirs. */
  lost: { id: number; awb: string }
}

const cleanUp = new AsyncDisposableStack()
after(() => cleanUp.disposeAsync())

let settled: Promise<Houses> | undefined
/**
 * Organisations with one of everything; `theirs` also has a task for every awb of `own`. A partner's own things are as
 * unknown as a stranger's, and so is everything of somebody who was a partner.
 */
const settle = (t: TestContext) => (settled ??= build(t))

async function build(t: TestContext): Promise<Houses> {
  const server = await startServer(t, environment)
  const { url } = server
  const receivers = [await startReceiver(), await startReceiver()] as const
  for (const { close } of receivers) cleanUp.defer(close)
  const own = await furnish(url, server, receivers[0].url, { mark: 'Own', phone: '+40733111222', hasTwin: true })
  const theirs = await furnish(url, await server.another(), receivers[1].url, { mark, phone: '+40744987123' })
  await addTwins(theirs, mark)
  const furnishPartner = async (mark: string, phone: string) => {
    const world = await furnish(url, await server.another(), receivers[1].url, { mark, phone })
    for (const [one, other] of [
      [own, world],
      [world, own],
    ] as const)
      assert.equal((await one.post('/partners', { companyId: other.organisationId })).status, 200)
    return world
  }
  const partner = await furnishPartner('Partner', '+40755111333')
  const former = await furnishPartner('Former', '+40755111444')
  await shareTask(own, partner)
  await shareTask(partner, own)
  const [, awb] = await shareTask(own, former)
  const [taskId, lostAwb] = await shareTask(former, own)
  const { id } = (await own.get(`/tasks/awb/${lostAwb}`)).body.task
  assert.equal((await former.put(`/tasks/${taskId}/undelegate`)).status, 200)
  const { task: given } = (await former.get(`/tasks/awb/${awb}`)).body
  assert.equal((await former.put(`/tasks/${given.id}/undelegate`)).status, 200)
  assert.equal((await former.delete(`/partners/${own.organisationId}`)).status, 200)
  await until('what was taken back to be erased', async () => {
    await server.makeRound('erasure')
    const left = await server.database.everyone.many(sql`
      select from tasks where owner_id is not null and deleted_at is not null and erased_at is null`)
    return left.length === 0
  })
  return { server, own, theirs, partner, former, lost: { id, awb: lostAwb } }
}

let shared = 0
/** One gives the other a task, which has a driver there. */
async function shareTask(owner: World, fulfiller: World): Promise<[id: number, awb: string]> {
  shared += 1
  const { task } = (await owner.post('/tasks', { awb: `SHARED-${shared}`, address: { address: 'Between us' } })).body
  const given = await owner.put(`/tasks/${task.id}/delegate`, { companyId: fulfiller.organisationId })
  assert.equal(given.status, 200, given.text)
  const { task: copy } = (await fulfiller.get(`/tasks/awb/${task.awb}`)).body
  await fulfiller.post(`/drivers/${fulfiller.driverId}/tasks/bulkAssign`, { tasks: [copy.id] })
  return [task.id, task.awb]
}

type Whose = 'foreign' | 'deleted' | 'missing' | 'partner' | 'former' | 'lost'

/** What a partner shares, or could be thought to. */
const kindsOfPartners: readonly string[] = ['task', 'awb', 'code', 'driver', 'file', 'partner']

/** One id of every kind that is not the caller's, for each reason why it is not. */
async function collectIds({ own, theirs, lost, ...others }: Houses): Promise<Map<string, Map<Whose, Value>>> {
  const collected = new Map<string, Map<Whose, Value>>()
  for (const kind of new Set(places.map((place) => place.kind))) {
    const { make, remove, missing } = kinds[kind]
    const ids = new Map<Whose, Value>([['foreign', await make(theirs, mark)]])
    if (remove) {
      const gone = await make(own, 'Vanished')
      await remove(own, gone)
      ids.set('deleted', gone)
    }
    if (kindsOfPartners.includes(kind))
      for (const whose of ['partner', 'former'] as const)
        ids.set(whose, await make(others[whose], marksOfPartners[whose]))
    if (kind === 'partner') ids.set('former', others.former.organisationId)
    if (kind === 'task') ids.set('lost', lost.id)
    if (kind === 'awb' || kind === 'code') ids.set('lost', lost.awb)
    collected.set(kind, ids.set('missing', missing))
  }
  return collected
}

/** Everything an organisation has, as text, without the last use of keys and the filing of receipts, which are written at any time. */
async function snapshotOf(db: Db, organisationId: number): Promise<Record<string, string>> {
  const tables = await db.many<{ name: string; column: string }>(sql`
    select c.relname as name, a.attname as column from pg_class c
    join pg_attribute a on a.attrelid = c.oid
      and a.attname = case c.relname when 'organisations' then 'id' else 'organisation_id' end
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    order by 1`)
  const rows = await Promise.all(
    tables.map(({ name, column }) =>
      db.get<{ text: string }>(sql`
        select coalesce(string_agg(line, e'\n' order by line), '') as text
        from ${raw(name)} t, lateral (select (to_jsonb(t) - 'last_used_at' - 'filed_at')::text as line) l
        where ${raw(column)} = ${organisationId}`),
    ),
  )
  return Object.fromEntries(tables.map(({ name }, index) => [name, rows[index]?.text as string]))
}

/** Deliveries are made a moment after the request that caused them. */
const waitForQuiet = (db: Db, organisationId: number) =>
  until('the deliveries', async () => {
    const { busy } = await db.get<{ busy: boolean }>(sql`
      select exists (select from deliveries where organisation_id = ${organisationId}) as busy`)
    return !busy
  })

/** Collects what is wrong, so that one run shows everything. */
function startWalk({ own, theirs }: Houses, ownIds?: Own) {
  const problems = new Set<string>()
  let requests = 0
  return {
    problems,
    count: () => requests,
    check(condition: boolean, problem: string) {
      if (!condition) problems.add(problem)
    },
    async send(name: string, place: Place | undefined, value: unknown, key?: string | null) {
      const { method, path, headers, ...sent } = await ask(own, name, place, value, ownIds)
      const credentials = key === undefined ? await credentialsFor(own, name) : key === null ? {} : { key }
      requests += 1
      const reply = await request(own.url, method, path, {
        ...sent,
        ...credentials,
        headers: { ...headers, ...credentials.headers, ...fromAnywhere() },
      })
      const answer = reply.text + JSON.stringify([...reply.headers])
      for (const secret of [...theirs.secrets, ...Object.values(marksOfPartners)])
        if (answer.includes(secret)) problems.add(`${name} answered ${secret} of others to ${method} ${path}`)
      return reply
    },
  }
}
type Walk = ReturnType<typeof startWalk>

/** `from` and `to` are the values of a field that changed: what the caller sent. */
const fleeting =
  /^(id|uuid|awb|secret|name|phone|url|link|code|token|cursor|requestId|from|to|since|(?!status).*Id|.*(At|Time|ETA))$/

/**
 * An answer without what differs every time, and without the requested id: in lists of ids, and in texts where it stands
 * by itself. A price may happen to be the same number, and the name of a file to contain its digits.
 */
function comparable(body: unknown, value: unknown): unknown {
  if (Array.isArray(body)) return body.map((item) => (item === value ? '…' : comparable(item, value)))
  if (typeof body === 'string') return body.replaceAll(standing(value), '…')
  if (typeof body !== 'object' || body === null) return body
  const entries = Object.entries(body).filter(([key]) => !fleeting.test(key) || key === 'code')
  return Object.fromEntries(entries.map(([key, inner]) => [key, comparable(inner, value)]))
}
const standing = (value: unknown) => new RegExp(`(?<![\\w-])${RegExp.escape(String(value))}(?![\\w-])`, 'g')
const tellsOf = ({ status, body }: Reply, value: unknown) => JSON.stringify([status, comparable(body, value)])

/** An answer is a list, or what has one: the stops of a route. */
const listIn = (body: object): unknown[] | undefined =>
  [body, ...Object.values(body)].flatMap((part) => Object.values(part ?? {})).find(Array.isArray)

/** What the contract promises for an id that is not the caller's. */
function promiseOf(place: Place): { holds: (reply: Reply) => boolean; says: string } {
  // A setting, and a task inside of something else, is named with what it stands in.
  const isInside = place.steps[0] === 'settings' || (place.steps[0] === 'task' && place.steps.length > 1)
  const field = isInside ? place.steps.join('.') : nameOf(place)
  const isWholeItem = place.steps.length === 2
  const refusesField = (error?: { code: string; field?: string }) =>
    !!error && /_NOT_FOUND$/.test(error.code) && error.field === (isWholeItem && place.isItem ? undefined : field)
  if (place.part === 'params') {
    const { missing } = operations[place.operation as keyof typeof operations] as Operation
    return {
      holds: ({ status, body }) => status === 404 && body.error.code === missing,
      says: `404 ${missing ?? '(operations.ts must say `missing`)'}`,
    }
  }
  const { download } = operations[place.operation as keyof typeof operations] as Operation
  if (place.part === 'query' && !download)
    return {
      holds: ({ status, body }) => status === 200 && listIn(body)?.length === 0,
      says: 'an empty list',
    }
  if (place.isItem)
    return {
      holds: ({ status, body }) =>
        status === 200 && !body.results.at(-1).success && refusesField(body.results.at(-1).error),
      says: `200 with an item refused as …_NOT_FOUND${isWholeItem ? '' : ` with the field ${field}`}`,
    }
  return {
    holds: ({ status, body }) => status === 400 && refusesField(body.error),
    says: `400 …_NOT_FOUND with the field ${field}`,
  }
}

test('ids of others, deleted ids and unknown ids get the same answer, and nothing of others is seen or changed', async (t) => {
  const houses = await settle(t)
  const { server, own, theirs } = houses
  const db = server.database.everyone
  const ids = await collectIds(houses)
  const colleagueTask = await kinds.task.make(own)
  const others = [theirs, houses.partner, houses.former].map(({ organisationId }) => organisationId)
  for (const id of others) await waitForQuiet(db, id)
  const snapshots = () => Promise.all(others.map((id) => snapshotOf(db, id)))
  const before = await snapshots()
  const makeOwn = reusing(own)
  const walk = startWalk(houses, makeOwn)

  // That each of these requests succeeds with an id of one's own, wall.test.ts asserts.
  for (const place of references) {
    const values = ids.get(place.kind) as Map<Whose, Value>
    await walkPlace(walk, place, values)
    if (place.steps.at(-1) === 0) await walkList(walk, await makeOwn(place.kind), place, values)
  }
  for (const place of references.filter(isDriversTask)) {
    // To another driver of the same organisation the task is also unknown.
    const replies = []
    for (const value of [colleagueTask, kinds.task.missing])
      replies.push(tellsOf(await walk.send(place.operation, place, value, own.colleagueToken), value))
    walk.check(replies[0] === replies[1], `${describePlace(place)}: a colleague's task differs from a missing one`)
    walk.check(replies[0]?.startsWith('[404') === true, `${describePlace(place)}: a colleague's task: ${replies[0]}`)
  }

  assert.deepEqual([...walk.problems], [])
  assert.deepEqual(await snapshots(), before)
  t.diagnostic(`${references.length} places in ${all.length} operations, ${walk.count()} requests`)
})

const isDriversTask = ({ operation, kind, part }: Place) =>
  kind === 'task' &&
  part === 'params' &&
  (operations[operation as keyof typeof operations] as Operation).access === 'driver'

async function walkPlace(walk: Walk, place: Place, values: Map<Whose, Value>) {
  const promise = promiseOf(place)
  const told = new Map<Whose, string>()
  for (const [whose, value] of values) {
    if ((whose === 'deleted' || whose === 'lost') && findsDeleted.includes(place.operation)) continue
    // The phone of a driver who had it lets go of it.
    if (whose === 'lost' && place.operation === 'syncDriver') continue
    const reply = await walk.send(place.operation, place, value)
    told.set(whose, tellsOf(reply, value))
    const says = `${describePlace(place)} with ${whose} ${value} should be ${promise.says}, and is ${reply.status} ${reply.text.slice(0, 300)}`
    walk.check(promise.holds(reply), says)
  }
  const missing = told.get('missing') ?? ''
  for (const [whose, text] of told) {
    const [answers, others] = fromDifference(text, missing)
    walk.check(text === missing, `${describePlace(place)}: ${whose} answers ${answers}, missing answers ${others}`)
  }
}

/** The beginning of both, and some of where they differ: answers can be long. */
function fromDifference(one: string, other: string): [string, string] {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  const tell = (text: string) => `${text.slice(0, 100)} … ${text.slice(Math.max(0, at - 100), at + 200)}`
  return [tell(one), tell(other)]
}

/** A foreign id after one's own. */
async function walkList(walk: Walk, own: Value, place: Place, ids: Map<Whose, Value>) {
  const promise = promiseOf(place)
  const list = { ...place, steps: place.steps.slice(0, -1) }
  for (const [whose, value] of ids) {
    const reply = await walk.send(place.operation, list, [own, value])
    walk.check(
      promise.holds(reply),
      `${describePlace(list)} with an own id and ${whose} ${value} should be ${promise.says}, and is ${reply.status} ${reply.text.slice(0, 300)}`,
    )
  }
}

test('a caller without access learns nothing, whatever id they use', async (t) => {
  const houses = await settle(t)
  const { server, own, theirs } = houses
  const ids = await collectIds(houses)
  const limited = new Map<string, string>()
  for (const scope of scopes) limited.set(scope, await keyWithout(own, scope))
  const outdated = await collectOutdated(houses)
  const db = server.database.everyone
  await waitForQuiet(db, theirs.organisationId)
  const before = await snapshotOf(db, theirs.organisationId)
  const walk = startWalk(houses, reusing(own))

  for (const [name, { access, scope }] of all.filter(([, { access }]) => access !== 'anybody')) {
    const callers: Caller[] = [['nobody', null, '401 UNAUTHORIZED']]
    if (access === 'driver') callers.push(['a key', own.key, '401 UNAUTHORIZED'])
    else if (access !== 'member') callers.push(['a driver', own.token, '401 UNAUTHORIZED'])
    if (access === 'person') callers.push(['a key', own.key, '401 UNAUTHORIZED'])
    if (scope) callers.push([`a key without ${scope}`, limited.get(scope) as string, '403 FORBIDDEN'])
    for (const [who, key, code] of outdated) {
      const { status, body } = await walk.send(name, undefined, undefined, key)
      const expected = !access || access === 'member' ? code : 'UNAUTHORIZED'
      const says = `${name} for ${who} should be 401 ${expected}, and is ${status} ${body.error?.code}`
      walk.check(status === 401 && body.error?.code === expected, says)
    }

    const ownPlaces = places.filter(({ operation, kind }) => operation === name && kind !== 'cursor')
    const spots: [Place | undefined, Value | undefined][] = [
      [undefined, undefined],
      ...ownPlaces.flatMap((place) =>
        [...(ids.get(place.kind) as Map<Whose, Value>).values()].map((value): [Place, Value] => [place, value]),
      ),
    ]
    for (const [who, key, expected] of callers) {
      const told = new Set<string>()
      const askAt = async ([place, value]: (typeof spots)[number]) => {
        const reply = await walk.send(name, place, value, key)
        const code = `${reply.status} ${reply.body.error?.code}`
        const where = place ? describePlace(place) : name
        walk.check(code === expected, `${where} for ${who} should be ${expected}, and is ${code}`)
        told.add(tellsOf(reply, value))
      }
      await Promise.all(spots.map(askAt))
      walk.check(told.size === 1, `${name} gives ${who} different answers: ${[...told].join(' ')}`)
    }
  }

  assert.deepEqual(await snapshotOf(db, theirs.organisationId), before)
  assert.deepEqual([...walk.problems], [])
  t.diagnostic(`${walk.count()} requests`)
})

type Caller = [who: string, key: string | null, expected: string]

/** Credentials that no longer work, or never did. */
async function collectOutdated({ server, own }: Houses): Promise<[who: string, key: string, code: string][]> {
  const { body: revoked } = await own.post('/keys', { name: 'Revoked' })
  await own.delete(`/keys/${revoked.key.id}`)
  const { body: expired } = await own.post('/keys', { name: 'Expired' })
  await server.database.everyone.run(sql`update keys set expires_at = now() where id = ${expired.key.id as number}`)
  const { body: gone } = await own.post('/drivers', { name: 'Gone', phone: '0733 444 555', teams: [own.teamId] })
  const { body: invitation } = await own.post(`/drivers/${gone.user.id}/invite`)
  const signedIn = await request(own.url, 'POST', '/api/v1/driver/login', {
    body: { phone: '0733 444 555', code: invitation.code },
  })
  await own.delete(`/drivers/${gone.user.id}`)
  return [
    ['a revoked key', revoked.key.secret, 'UNAUTHORIZED'],
    ['an expired key', expired.key.secret, 'KEY_EXPIRED'],
    ['a deleted driver', signedIn.body.token, 'UNAUTHORIZED'],
    ['a made-up token', 'wbd_made-up', 'UNAUTHORIZED'],
    ['a damaged key', own.key.slice(0, -1), 'UNAUTHORIZED'],
  ]
}

test('a name that another organisation uses is free here, and shows nothing of theirs', async (t) => {
  const houses = await settle(t)
  const { server, own, theirs } = houses
  const ids = await collectIds(houses)
  const db = server.database.everyone
  await waitForQuiet(db, theirs.organisationId)
  const before = await snapshotOf(db, theirs.organisationId)
  const walk = startWalk(houses)

  for (const place of places.filter(({ isOwnName }) => isOwnName)) {
    const told = new Map<Whose, string>()
    for (const [whose, value] of ids.get(place.kind) as Map<Whose, Value>) {
      const fresh = place.kind === 'url' && whose === 'missing' ? `${own.receiverUrl}?${place.operation}` : value
      // A code that was scanned before says when.
      const isNew = place.kind === 'awb' || place.kind === 'code'
      const taken = isNew ? await renewable(houses, whose) : fresh
      const reply = await walk.send(place.operation, place, taken)
      told.set(whose, tellsOf(reply, taken))
      const [item] = reply.body.results ?? []
      walk.check(
        reply.status === 200 && item?.success !== false,
        `${describePlace(place)} with ${whose} ${JSON.stringify(taken)}: ${reply.text.slice(0, 300)}`,
      )
    }
    walk.check(new Set(told.values()).size === 1, `${describePlace(place)} tells them apart: ${[...told].join('\n')}`)
  }

  assert.deepEqual(await snapshotOf(db, theirs.organisationId), before)
  assert.deepEqual([...walk.problems], [])
})

let renewed = 0
const makeForeign = async (world: World) => (await kinds.awb.make(world, 'Later')) as string

/** An awb that is free here, a different one each time: one that others use, one that was deleted, one that never existed. */
async function renewable({ own, partner, former }: Houses, whose: Whose): Promise<string> {
  renewed += 1
  if (whose === 'foreign') return own.nextAwb()
  if (whose === 'missing') return `NEW-${renewed}`
  if (whose !== 'deleted') return makeForeign(whose === 'partner' ? partner : former)
  const awb = await kinds.awb.make(own)
  await kinds.awb.remove?.(own, awb)
  return awb as string
}

test("an idempotency key of another organisation never returns that organisation's answer", async (t) => {
  const { own, theirs } = await settle(t)
  const problems: string[] = []

  for (const [name] of all.filter(([, operation]) => takesIdempotencyKey(operation))) {
    const headers = { 'idempotency-key': `shared ${name}` }
    const { method, path, ...options } = await ask(theirs, name)
    // The same request, so that only the organisation differs.
    const askAs = async (world: World) =>
      request(world.url, method, path, { ...options, ...(await credentialsFor(world, name)), headers })
    await askAs(theirs)
    const reply = await askAs(own)
    if (reply.headers.has('idempotent-replayed')) problems.push(`${name} replayed an answer of others`)
    for (const secret of theirs.secrets)
      if (reply.text.includes(secret)) problems.push(`${name} answered ${secret} of others`)
  }

  assert.deepEqual(problems, [])
})

test('lists show nothing of others, and a cursor of another organisation shows only own records', async (t) => {
  const houses = await settle(t)
  const { server, own, theirs } = houses
  const walk = startWalk(houses, reusing(own))
  // Tasks that nobody can find wait in lists of their own once the service may assign them.
  const setMode = (enableAutoAssignMode: boolean) => theirs.put('/company', { settings: { enableAutoAssignMode } })
  await setMode(true)
  t.after(() => setMode(false))
  await until('tasks that are left alone', async () => {
    await server.makeRound('auto-assign')
    return (await theirs.get('/planning/left')).body.left.length > 1
  })
  const idsIn = ({ body }: Reply) =>
    (Object.values(body).find(Array.isArray) ?? []).map(({ id, taskId }) => (id ?? taskId) as number)

  for (const [name, { method, path }] of all.filter(([, { method, download }]) => method === 'GET' && !download))
    if (!path.includes(':'))
      walk.check((await walk.send(name, undefined, undefined)).status === 200, `${method} ${path}`)

  for (const place of places.filter(({ kind }) => kind === 'cursor')) {
    const { method, path } = await ask(theirs, place.operation)
    const options = await credentialsFor(theirs, place.operation)
    const full = path
      .replace(/drivers\/\d+\//, `drivers/${theirs.driverId}/`)
      .replace(/webHooks\/\d+\//, `webHooks/${theirs.webhookId}/`)
      .replace(/tasks\/\d+\//, `tasks/${theirs.taskId}/`)
    const { body } = await request(theirs.url, method, `${full}?limit=1`, options)
    assert.ok(
      body.nextCursor,
      `${place.operation} has no second page to ask for: ${JSON.stringify(body).slice(0, 200)}`,
    )
    const everything = idsIn(await walk.send(place.operation, undefined, undefined))
    const found = idsIn(await walk.send(place.operation, place, body.nextCursor))
    walk.check(new Set(everything).isSupersetOf(new Set(found)), `${describePlace(place)} leads to ${found}`)
  }

  assert.deepEqual([...walk.problems], [])
})

test('signing in does not reveal whether a phone number is known', async (t) => {
  const houses = await settle(t)
  const { own, theirs } = houses
  const known = '+40755123123'
  const { body } = await theirs.post('/drivers', { name: mark, phone: known, teams: [theirs.teamId] })
  const { body: invitation } = await theirs.post(`/drivers/${body.user.id}/invite`)
  const wrong = String((Number(invitation.code) + 1) % 1_000_000).padStart(6, '0')
  const signIn = (phone: string) =>
    request(own.url, 'POST', '/api/v1/driver/login', { body: { phone, code: wrong }, headers: fromAnywhere() })

  const told = []
  for (const phone of [known, '+40755123124', 'no number']) told.push(tellsOf(await signIn(phone), phone))

  assert.equal(new Set(told).size, 1, told.join('\n'))
  assert.match(told[0] as string, /^\[401,.*UNAUTHORIZED/)
})

test('a new kind of id fails this test with a sentence that says what to add', () => {
  const added = (operation: Partial<Operation>) =>
    findPlaces({
      addition: { method: 'POST', path: '/', tag: '', summary: '', refuses: [], reply: replySchema({}), ...operation },
    })
  const sentence = /addition takes .*parcel.*Tell server\/test\/places\.ts/

  assert.throws(() => added({ params: Type.Object({ parcel: Type.String() }) }), sentence)
  assert.throws(() => added({ query: Type.Object({ parcelId: Type.Optional(Type.String()) }) }), sentence)
  assert.throws(() => added({ body: Type.Object({ parcel: Type.Optional(Nullable(Id())) }) }), sentence)
  assert.throws(() => added({ body: Type.Object({ parcels: Type.Array(Id()) }) }), sentence)
  assert.throws(
    () => added({ body: Type.Object({ items: Each(Type.Object({ with: Type.Object({ parcel: Id() }) })) }) }),
    sentence,
  )
  assert.equal(added({ body: Type.Object({ teamId: Id() }) }).length, 1)
})
