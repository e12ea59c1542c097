import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Operation, operations } from '../../contract/operations.ts'
import { type Sql, sql, raw as sqlText } from '../db/sql.ts'
import { aTask } from './factories.ts'
import { anEmail } from './people.ts'
import { amountsOf, tellNumbers } from './proofs.ts'
import { startReceiver } from './receiver.ts'
import { type Reply, request, startServer, type TestServer } from './server.ts'

/* Invalid requests, written by hand: each gets the answer that the conventions promise, and changes nothing. */

const all = Object.entries<Operation>(operations)
const forKeys = all.filter(([, { access }]) => access === undefined)
const writing = forKeys.filter(([, { method }]) => method !== 'GET')
const withBody = writing.filter(([, { body }]) => body)

/** An organisation with one of everything. */
async function startWorld(t: TestContext) {
  const server = await startServer(t, { WAYBILL_WEBHOOK_VERIFY: 'off' })
  const good = async (reply: Promise<Reply>) => {
    const { status, body } = await reply
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const { hub } = await good(server.post('/hubs', { name: 'Depot', lat: 44.4, lng: 26.1 }))
  const { team } = await good(server.post('/teams', { name: 'North', hubId: hub.id }))
  const { user } = await good(server.post('/drivers', { name: 'Ana', phone: '0712345678', teams: [team.id] }))
  const { task } = await good(server.post('/tasks', aTask({ awb: 'A-1', userId: user.id })))
  const { key } = await good(server.post('/keys', { name: 'Spare' }))
  const { person } = await good(server.post('/people', { email: anEmail() }))
  const { form } = await good(server.post('/forms', { fields: [] }))
  const { webHook } = await good(server.post('/webHooks', { url: 'http://127.0.0.1:9/nobody', trigger: 9 }))
  const { reason } = await good(server.post('/reasons', { code: 'RAIN', label: 'Rain' }))
  const { schedule } = await good(
    server.post('/schedules', { name: 'Daily', task: aTask(), repeats: { every: 'day' }, isPaused: true }),
  )
  const { template } = await good(server.post('/taskTemplates', { name: 'Sofa', task: {} }))
  const ids: Record<string, string | number> = {
    taskId: task.id,
    awb: task.awb,
    driverId: user.id,
    teamId: team.id,
    hubId: hub.id,
    keyId: key.id,
    personId: person.id,
    webhookId: webHook.id,
    formId: form.id,
    uuid: task.uuid,
    reasonId: reason.id,
    scheduleId: schedule.id,
    templateId: template.id,
    // A body is refused before the conflict or the device is looked up.
    conflictId: 1,
    deviceId: 1,
    eventId: 1,
  }
  const fill = (path: string) => path.replace(/:(\w+)/g, (_, name: string) => String(ids[name]))
  return { server, ids, fill, driverId: user.id, teamId: team.id, hubId: hub.id, taskId: task.id }
}

type World = Awaited<ReturnType<typeof startWorld>>

let untouched: Promise<World & { contents: string }> | undefined
/** Shared by tests whose requests change nothing: each of them checks that it still has the same contents. */
function untouchedWorld(t: TestContext) {
  untouched ??= startWorld(t).then(async (world) => ({ ...world, contents: await contentsOf(world.server) }))
  return untouched
}

let unused: World | undefined
/** For one request that may change something: if it was refused, the next test can have the same world. */
async function tryInWorld(t: TestContext, send: (world: World) => Promise<Reply>): Promise<Reply> {
  const world = unused ?? (await startWorld(t))
  unused = undefined
  const reply = await send(world)
  if (reply.status !== 200) unused = world
  return reply
}

/** The statement that reads everything of an organisation; from the catalogue, so that new tables are included. */
let everything: Promise<(organisationId: number) => Sql> | undefined

async function readEverything({ database }: TestServer) {
  const tables = await database.everyone.many<{ name: string }>(sql`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organisation_id'
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    order by 1`)
  return (organisationId: number) =>
    tables.reduce(
      (all, { name }) => sql`${all}
        union all
        select ${sqlText(`'${name}'`)}, to_jsonb(row) - 'last_used_at' from ${sqlText(name)} row
        where organisation_id = ${organisationId}`,
      sql`select 'organisations' as name, to_jsonb(o) as row from organisations o where id = ${organisationId}`,
    )
}

/** Everything an organisation has, to compare. */
async function contentsOf(server: TestServer): Promise<string> {
  everything ??= readEverything(server)
  const statement = (await everything)(server.organisationId)
  const rows = await server.database.everyone.many(sql`select * from (${statement}) found order by name, row::text`)
  return JSON.stringify(rows)
}

/** Sends a request that must be refused, and checks that it changed nothing. */
async function refused(
  server: TestServer,
  send: () => Promise<Reply>,
  wanted: [status: number, code: string],
  name: string,
) {
  const before = await contentsOf(server)
  const { status, body } = await send()
  assert.deepEqual([status, body.error?.code], wanted, `${name}: ${JSON.stringify(body).slice(0, 500)}`)
  assert.equal(await contentsOf(server), before, `${name} left a trace`)
  return body.error
}

const sendRaw = (
  { server, fill }: World,
  { method, path }: Operation,
  raw: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) => request(server.url, method, fill(path), { key: server.key, raw, headers })

/** Sends each of these to the operation; all must be refused in the same way and change nothing. */
async function refusesAll(
  world: Awaited<ReturnType<typeof untouchedWorld>>,
  operation: Operation,
  sent: { raw: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> }[],
  wanted: [status: number, code: string],
) {
  for (const { raw, headers } of sent) {
    const { status, body } = await sendRaw(world, operation, raw, headers)
    const name = `${operation.path} with ${raw.slice(0, 40)} ${JSON.stringify(headers ?? {})}`
    assert.deepEqual([status, body.error?.code], wanted, `${name}: ${JSON.stringify(body).slice(0, 500)}`)
  }
  assert.equal(await contentsOf(world.server), world.contents, `${operation.path} left a trace`)
}

const large = `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`
/** Ten times what any recursion survives; deeper ones only take longer to parse. */
const deep = '['.repeat(100_000) + ']'.repeat(100_000)

for (const [name, operation] of withBody) {
  test(`${name} refuses malformed JSON`, async (t) => {
    const raws = ['{', '{"a":1,}', "{'a':1}", 'undefined', '\0', '{}{}', new Uint8Array([0x7b, 0xff, 0x7d])]
    const sent = raws.map((raw) => ({ raw }))
    await refusesAll(await untouchedWorld(t), operation, sent, [400, 'INVALID_JSON'])
  })

  test(`${name} treats an empty body as an empty object`, async (t) => {
    const send = (world: World) => sendRaw(world, operation, '', { 'content-type': 'application/json' })
    const { status, body } = await tryInWorld(t, send)
    const code = body.error?.code
    // It was read, and the task is not in the state for it.
    if (code === 'TASK_NOT_FAILED') return
    assert.ok(status === 200 || code === 'VALIDATION_FAILED', JSON.stringify(body))
    if (code) assert.match(JSON.stringify(body.error), /is required/)
  })

  test(`${name} refuses a body that is not an object, even a hundred thousand levels deep`, async (t) => {
    const sent = ['[]', '"text"', '5', 'true', '[{"name":"x"}]', deep].map((raw) => ({ raw }))
    await refusesAll(await untouchedWorld(t), operation, sent, [400, 'VALIDATION_FAILED'])
  })

  test(`${name} refuses a body of more than 2 MB`, async (t) => {
    await refusesAll(await untouchedWorld(t), operation, [{ raw: large }], [413, 'PAYLOAD_TOO_LARGE'])
  })
}

for (const [name, operation] of writing)
  test(`${name} refuses a body that is not JSON`, async (t) => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'application/jsonp', 'json']
    const sent = types.map((type) => ({ raw: '{"name":"x"}', headers: { 'content-type': type } }))
    await refusesAll(await untouchedWorld(t), operation, sent, [415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

test('a wrong method is refused with the methods that are allowed', async (t) => {
  const { server, fill, contents } = await untouchedWorld(t)
  const taken = Map.groupBy(all, ([, { path }]) => path)
  for (const [path, group] of taken) {
    const allowed = group.map(([, { method }]) => method as string)
    // By hand, since the path of one operation may look like another's parameter.
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !allowed.includes(one))) {
      const response = await fetch(server.url + fill(path), { method, headers: { authorization: server.key } })
      const body = (await response.json()) as { error: { code: string } }
      assert.deepEqual([response.status, body.error.code], [405, 'METHOD_NOT_ALLOWED'], `${method} ${path}`)
      for (const one of allowed) assert.match(response.headers.get('allow') ?? '', new RegExp(`\\b${one}\\b`))
    }
    for (const method of ['OPTIONS']) {
      const response = await fetch(server.url + fill(path), { method, headers: { authorization: server.key } })
      assert.equal(response.status, 405, `${method} ${path}`)
    }
  }
  assert.equal(await contentsOf(server), contents)
})

/** A field of a body, and invalid values for it. `at` is the field that the refusal names. */
interface Wrong {
  method: 'post' | 'put'
  path: string
  body: (world: World) => Record<string, unknown>
  at: string
  values: unknown[]
  code?: string
}

const task = (field: string, values: unknown[], code?: string): Wrong[] =>
  (['post', 'put'] as const).map((method) => ({
    method,
    path: method === 'post' ? '/tasks' : '/tasks/awb/A-1',
    body: () => aTask(),
    at: field,
    values,
    ...(code && { code }),
  }))
const driver = (field: string, values: unknown[], code?: string): Wrong[] =>
  (['post', 'put'] as const).map((method) => ({
    method,
    path: method === 'post' ? '/drivers' : '/drivers/:driverId',
    body: ({ teamId }) => ({ name: 'Ion', phone: '0723456789', teams: [teamId] }),
    at: field,
    values,
    ...(code && { code }),
  }))
const team = (field: string, values: unknown[], code?: string): Wrong[] =>
  (['post', 'put'] as const).map((method) => ({
    method,
    path: method === 'post' ? '/teams' : '/teams/:teamId',
    body: () => ({ name: 'South' }),
    at: field,
    values,
    ...(code && { code }),
  }))
const hub = (field: string, values: unknown[]): Wrong[] =>
  (['post', 'put'] as const).map((method) => ({
    method,
    path: method === 'post' ? '/hubs' : '/hubs/:hubId',
    body: () => ({ name: 'Depot 2', lat: 45, lng: 25 }),
    at: field,
    values,
  }))
const form = (field: string, values: unknown[]): Wrong[] =>
  (['post', 'put'] as const).map((method) => ({
    method,
    path: method === 'post' ? '/forms' : '/forms/:formId',
    body: () => ({ fields: [{ field_key: 'door', label: 'Door', type: 'text', labels: { ro: 'Ușa' } }] }),
    at: field,
    values,
  }))
const other = (
  method: Wrong['method'],
  path: string,
  body: object,
  at: string,
  values: unknown[],
  code?: string,
): Wrong => ({
  method,
  path,
  body: () => ({ ...body }),
  at,
  values,
  ...(code && { code }),
})

const notText = [5, true, [], {}, ['x']]
const badText = ['a\0b', '\uD800', 'x\uDFFF', '\0']
const notWhole = ['abc', '', ' ', 1.5, '1.5', -1, 2 ** 31, '2147483648', true, [], {}, 'NaN', 'Infinity', '0x10', 1e21]
const notBoolean = ['yes', 1, 0, '', 'on', [], {}]
const notList = ['x', 5, {}, true, '']
const notObject = ['x', 5, [], true, '']
const notId = ['abc', '', 0, -1, 1.5, '1.5', 2 ** 53, '9007199254740993', '99999999999999999999', true, [], {}]
const long = (most: number) => ['x'.repeat(most + 1), '😀'.repeat(most + 1), `e${'\u0301'.repeat(most)}`]

const wrongs: Wrong[] = [
  ...task('awb', [
    '',
    ' ',
    '\u00A0\u2003',
    ' /',
    'a/b',
    '.',
    '..',
    'x'.repeat(65),
    'a\nb',
    '\u2028',
    '\u200B',
    true,
    [],
    {},
    ...badText,
  ]),
  ...task('details', [...notText, ...badText, ...long(10_000)]),
  ...task('customerNotes', [...notText, ...badText, ...long(10_000)]),
  ...task('customer', notObject),
  ...task('customer.name', [...notText, ...badText, ...long(120)]),
  ...task('customer.phone', [...badText, ...long(50)]),
  ...task('customer.email', [...notText, ...badText, ...long(254)]),
  ...task('address', notObject),
  ...task('address.address', [...notText, ...badText, ...long(500)]),
  ...task('address.city', [...notText, ...badText, ...long(120)]),
  ...task('address.country', ['ROU', 'R', '1', ...badText]),
  ...task('address.lat', ['abc', '', 91, -90.1, '91', true, [], {}, 1e308]),
  ...task('address.lng', ['abc', '', 181, -180.1, true, [], {}]),
  ...task('pickupTask', notBoolean),
  ...task('collectPayment', notBoolean),
  ...task('sendNotifications', notBoolean),
  ...task('totalPrice', notWhole),
  ...task('deliveryPrice', notWhole),
  ...task('quantity', notWhole),
  ...task('priority', notWhole),
  ...task('serviceTime', notWhole),
  ...task('paymentTypeId', [...notWhole, 0, 3, '3']),
  ...task('completeAfter', [...notText, ...badText, ...long(50)]),
  ...task(
    'completeBefore',
    ['tomorrow', '2026-02-30 10:00', '2026-01-01 25:00', '10:00', '2026-01-01', ' '],
    'INVALID_TIME',
  ),
  ...task(
    'completeAfter',
    ['', '10000-01-01 00:00', '+2026-01-01T00:00:00Z', '0000-01-01 00:00:00', '1767225600'],
    'INVALID_TIME',
  ),
  ...task('customFields', notList),
  ...task('customFields.0.key', ['', ' ', 5, ...badText, ...long(120)]),
  ...task('dependencies', notList),
  ...task('dependencies.0', ['', 'a/b', true, {}, ...badText]),
  ...task('dependencies', [['nobody']], 'TASK_NOT_FOUND'),
  ...task('teamId', notId),
  ...task('teamId', [999_999_999, '999999999', 2 ** 53 - 1], 'TEAM_NOT_FOUND'),
  ...task('formId', notId),
  ...task('formId', [999_999_999, 2 ** 53 - 1], 'FORM_NOT_FOUND'),
  ...task('userId', notId).slice(0, 1),
  ...task('userId', [999_999_999, 2 ** 53 - 1], 'DRIVER_NOT_FOUND').slice(0, 1),
  ...driver('name', ['', ' ', '\t\n', ...notText, ...badText, ...long(120)]),
  ...driver('phone', [...notText.filter((one) => one !== 5), ...badText, ...long(50)]),
  ...driver('phone', ['12', 'abc', ' ', '+', '07123456789012345678'], 'INVALID_PHONE'),
  ...driver('teams', [...notList, []]),
  ...driver('teams.0', notId),
  ...driver('teams', [[999_999_999], [2 ** 53 - 1]], 'TEAM_NOT_FOUND'),
  ...driver('email', [...notText, ...badText, ...long(254)]),
  ...driver('startShiftTime', [...notText, ...badText]),
  ...driver('startShiftTime', ['25:00', '8', '8:60', 'noon', '08:00:60', '-1:00'], 'INVALID_TIME'),
  ...driver('lunchBreakDuration', [...notWhole, 481]),
  ...driver('driverTransportationId', [...notWhole, 0, 7]),
  ...team('name', ['', ' ', '\t\n', ...notText, ...badText, ...long(120)]),
  ...team('hubId', notId),
  ...team('hubId', [999_999_999, 2 ** 53 - 1], 'HUB_NOT_FOUND'),
  ...team('drivers', notList),
  ...team('drivers.0', notId),
  ...team('drivers', [[999_999_999], [2 ** 53 - 1]], 'DRIVER_NOT_FOUND'),
  ...form('name', ['', ' ', ...notText, ...badText, ...long(120)]),
  ...form('fields', notList),
  ...form('fields.0', ['x', 5, [], true, '']),
  ...form('fields.0.field_key', ['', 'a b', 'a/b', 'x'.repeat(65), ...notText, ...badText]),
  ...form('fields.0.label', ['', ' ', ...notText, ...badText, ...long(120)]),
  ...form('fields.0.labels', notObject),
  ...form('fields.0.labels.ro', ['', ' ', ...notText, ...badText, ...long(120)]),
  ...form('fields.0.type', ['', 'Text', 'date', ...notText]),
  ...form('fields.0.required', notBoolean),
  ...form('fields.0.at', ['', 'start', ...notText]),
  ...form('fields.0.choices', notList),
  ...form('isDefault', notBoolean),
  ...hub('name', ['', ' ', '\t\n', ...notText, ...badText, ...long(120)]),
  ...hub('lat', ['abc', '', 91, true, [], {}]),
  ...hub('city', [...notText, ...badText, ...long(120)]),
  other('post', '/tasks/awb/A-1/notes', {}, 'note', ['', ' ', '\n\t', ...notText, ...badText, ...long(10_000)]),
  other('put', '/tasks/awb/A-1/forceComplete', {}, 'success', notBoolean),
  other('put', '/tasks/awb/A-1/forceComplete', { success: false }, 'failureReason', [
    ...notText,
    ...badText,
    ...long(10_000),
  ]),
  other('post', '/tasks/bulkUnassign', {}, 'tasks', notList),
  other('post', '/tasks/bulkCreate', {}, 'tasks', notList),
  other('put', '/containers/drivers/:driverId', {}, 'tasks', notList),
  other('post', '/drivers/:driverId/tasks/bulkAssign', {}, 'tasks', notList),
  other('post', '/drivers/:driverId/tasks/bulkCreate', {}, 'tasks', notList),
  other('post', '/drivers/:driverId/tasks/optimizeTodayTasks', {}, 'traffic', [...notText, ...badText]),
  other('post', '/planning/assign', {}, 'tasks', notList),
  other('post', '/planning/assign', {}, 'awbs', notList),
  other('post', '/planning/assign', {}, 'dryRun', notBoolean),
  other('post', '/planning/assign', {}, 'maxTasksPerDriver', [...notWhole, 0]),
  other('post', '/planning/assign', {}, 'traffic', [...notText, ...badText]),
  other('post', '/planning/estimate', { address: { lat: 44, lng: 26 } }, 'address', notObject),
  other('post', '/planning/estimate', { address: { lat: 44, lng: 26 } }, 'address.lat', [91, 'north', true, []]),
  other(
    'post',
    '/planning/estimate',
    { address: { lat: 44, lng: 26 } },
    'completeBefore',
    ['soon', ''],
    'INVALID_TIME',
  ),
  other('post', '/webHooks', { trigger: 4 }, 'url', [
    '',
    ' ',
    'nowhere',
    '/hook',
    'ftp://127.0.0.1/',
    'http://',
    ...notText,
    ...badText,
  ]),
  other('post', '/webHooks', { url: 'http://127.0.0.1:9/' }, 'trigger', [...notWhole, 0, 10, '10']),
  other('put', '/company', {}, 'name', ['', ' ', ...notText, ...badText, ...long(120)]),
  other('put', '/company', {}, 'timezone', ['', 'Mars/Olympus', '+02:00', ...notText, ...badText]),
  other('put', '/company', {}, 'currency', ['', 'XX', 'LEUL', ...notText, ...badText]),
  other('put', '/company', {}, 'country', ['', 'XX', 'ROU', 5, true, [], {}, { id: 5 }, ...badText]),
  other('put', '/company', {}, 'settings', notObject),
  other('put', '/company', {}, 'settings.enableAWB', notBoolean),
  other('put', '/company', {}, 'settings.accentColor', ['red', '#12', 5, ...badText]),
  other('put', '/company', {}, 'settings.locationTrackingTime', notWhole),
  other('post', '/keys', {}, 'name', ['', ' ', ...notText, ...badText, ...long(120)]),
  other('post', '/keys', { name: 'x' }, 'scopes', [...notList, []]),
  other('post', '/keys', { name: 'x' }, 'expiresAt', ['tomorrow', ''], 'INVALID_TIME'),
  other('post', '/keys/:keyId/rotate', {}, 'overlapHours', [...notWhole, 721]),
]

function setAt(body: Record<string, unknown>, at: string, value: unknown): Record<string, unknown> {
  const [head = '', ...rest] = at.split('.')
  if (rest.length === 0) return { ...body, [head]: value }
  if (rest[0] === '0') {
    const inner = rest.length === 1 ? value : setAt({}, rest.slice(1).join('.'), value)
    return { ...body, [head]: [inner] }
  }
  return { ...body, [head]: setAt((body[head] ?? {}) as Record<string, unknown>, rest.join('.'), value) }
}

for (const { method, path, body, at, values, code = 'VALIDATION_FAILED' } of wrongs)
  test(`${method} ${path} names ${at} when it is invalid (${code}, ${values.length} values)`, async (t) => {
    const world = await untouchedWorld(t)
    const { server, fill, contents } = world
    const mistakes: string[] = []
    for (const value of values) {
      const sent = setAt(body(world), at, value)
      const shown = (JSON.stringify(value) ?? 'nothing').slice(0, 60)
      try {
        const { status, body } = await server[method](fill(path), sent)
        const named = [body.error?.field, ...(body.error?.details ?? []).map(({ field }: { field: string }) => field)]
        const isNamed = named.some((field) => field && (field === at || at.startsWith(field)))
        if (status !== 400 || body.error.code !== code || !isNamed)
          mistakes.push(`${shown}: ${status} ${body.error?.code} ${named} ${body.error?.message ?? ''}`)
      } catch (error) {
        mistakes.push(`${shown}: ${(error as Error).message}`)
      }
    }
    assert.deepEqual(mistakes, [])
    assert.equal(await contentsOf(server), contents, 'something was left behind')
  })

test('the longest allowed text is stored completely', async (t) => {
  const { server } = await startWorld(t)
  for (const unit of ['x', 'é', '日', '😀']) {
    const awb = unit.repeat(64)
    const { status, body } = await server.post(
      '/tasks',
      aTask({ awb, details: unit.repeat(10_000), customer: { name: unit.repeat(120), phone: unit.repeat(50) } }),
    )
    assert.equal(status, 200, `${unit}: ${JSON.stringify(body).slice(0, 300)}`)
    const read = await server.get(`/tasks/awb/${encodeURIComponent(awb)}`)
    assert.equal(read.body.task?.details, unit.repeat(10_000), unit)
    assert.equal(read.body.task.customer.name, unit.repeat(120), unit)
    assert.equal(read.body.task.customer.phone, unit.repeat(50), unit)
  }
})

test('a long webhook url in any script is accepted or refused, never an internal error', async (t) => {
  const { server } = await startWorld(t)
  const receiver = await startReceiver(t)
  let state = 7
  const letter = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return String.fromCodePoint(0x4e00 + (state % 20_000))
  }
  const tail = Array.from({ length: 1_200 }, letter).join('')
  const { status, body } = await server.post('/webHooks', { url: `${receiver.url}/${tail}`, trigger: 4 })
  assert.ok([200, 400].includes(status), JSON.stringify(body).slice(0, 300))
})

test('an id of another organisation in a body looks like one that does not exist', async (t) => {
  const { server } = await startWorld(t)
  const stranger = await server.another()
  const hubId = (await stranger.post('/hubs', { name: 'Theirs', lat: 1, lng: 1 })).body.hub.id
  const teamId = (await stranger.post('/teams', { name: 'Theirs' })).body.team.id
  const driverId = (await stranger.post('/drivers', { name: 'Theirs', phone: '0712345678', teams: [teamId] })).body.user
    .id
  const taskId = (await stranger.post('/tasks', aTask({ awb: 'THEIRS' }))).body.task.id
  const formId = (await stranger.post('/forms', { fields: [] })).body.form.id
  const ownTeam = (await server.get('/teams')).body.teams[0].id
  const ownDriver = (await server.get('/drivers')).body.users[0].id
  const driverOf = { name: 'Ion', phone: '0723456789' }
  const cases: ['post' | 'put', string, (id: unknown) => object, foreign: unknown, unknown: unknown, string][] = [
    ['post', '/tasks', (userId) => aTask({ userId }), driverId, 999_999_999, 'DRIVER_NOT_FOUND'],
    ['post', '/tasks', (teamId) => aTask({ teamId }), teamId, 999_999_999, 'TEAM_NOT_FOUND'],
    ['put', '/tasks/awb/A-1', (teamId) => ({ teamId }), teamId, 999_999_999, 'TEAM_NOT_FOUND'],
    ['post', '/tasks', (formId) => aTask({ formId }), formId, 999_999_999, 'FORM_NOT_FOUND'],
    ['put', '/tasks/awb/A-1', (formId) => ({ formId }), formId, 999_999_999, 'FORM_NOT_FOUND'],
    ['post', '/tasks', (awb) => aTask({ dependencies: [awb] }), 'THEIRS', 'NOBODY', 'TASK_NOT_FOUND'],
    ['put', '/tasks/awb/A-1', (awb) => ({ dependencies: [awb] }), 'THEIRS', 'NOBODY', 'TASK_NOT_FOUND'],
    ['post', '/drivers', (id) => ({ ...driverOf, teams: [ownTeam, id] }), teamId, 999_999_999, 'TEAM_NOT_FOUND'],
    ['put', `/drivers/${ownDriver}`, (id) => ({ teams: [id] }), teamId, 999_999_999, 'TEAM_NOT_FOUND'],
    ['post', '/teams', (hubId) => ({ name: 'T', hubId }), hubId, 999_999_999, 'HUB_NOT_FOUND'],
    ['post', '/teams', (id) => ({ name: 'T', drivers: [ownDriver, id] }), driverId, 999_999_999, 'DRIVER_NOT_FOUND'],
    [
      'put',
      `/teams/${ownTeam}`,
      (id) => ({ name: 'Renamed', drivers: [id] }),
      driverId,
      999_999_999,
      'DRIVER_NOT_FOUND',
    ],
    ['put', `/teams/${ownTeam}`, (hubId) => ({ name: 'Renamed', hubId }), hubId, 999_999_999, 'HUB_NOT_FOUND'],
  ]
  for (const [method, path, body, foreign, unknown, code] of cases) {
    const name = `${method} ${path} ${code}`
    const one = await refused(server, () => server[method](path, body(foreign)), [400, code], name)
    const another = await refused(server, () => server[method](path, body(unknown)), [400, code], name)
    const shown = ({ message, field }: { message: string; field: string }, id: unknown) => [
      field,
      message.replaceAll(String(id), 'ID'),
    ]
    assert.deepEqual(shown(one, foreign), shown(another, unknown), name)
  }

  const byId = await server.post(`/drivers/${ownDriver}/tasks/bulkAssign`, { tasks: [taskId, 999_999_999] })
  assert.deepEqual(
    byId.body.results.map(({ error }: { error: { code: string } }) => error.code),
    ['TASK_NOT_FOUND', 'TASK_NOT_FOUND'],
  )
  const byAwb = await server.put(`/containers/drivers/${ownDriver}`, { tasks: ['THEIRS', 'NOBODY'] })
  assert.deepEqual(
    byAwb.body.results.map(({ error }: { error: { code: string } }) => error.code),
    ['TASK_NOT_FOUND', 'TASK_NOT_FOUND'],
  )
  const unassigned = await server.post('/tasks/bulkUnassign', { tasks: ['THEIRS', 'NOBODY'] })
  assert.deepEqual(unassigned.body.tasks, [])
  assert.equal((await stranger.get('/tasks/awb/THEIRS')).body.task.statusId, 1)
})

test('an impossible id in a path is not found', async (t) => {
  const { server, contents } = await untouchedWorld(t)
  const ids = ['0', '-1', 'abc', '1.5', '9007199254740993', '9'.repeat(25), '%20', '%00', "1'--", '1e3e', '%D9%A3']
  for (const [name, { method, path, missing, body }] of forKeys) {
    const parameter = /:(\w+)/.exec(path)?.[1]
    if (!parameter || parameter === 'awb' || !missing) continue
    for (const id of ids) {
      const url = path.replace(`:${parameter}`, id)
      const reply = await request(server.url, method, url, { key: server.key, ...(body && { body: {} }) })
      assert.deepEqual([reply.status, reply.body.error.code], [404, missing], `${name} ${id}`)
    }
  }
  assert.equal(await contentsOf(server), contents)
})

const mixed: [given: unknown, code: string | undefined][] = [
  [aTask({ awb: 'GOOD-1' }), undefined],
  ['text', 'VALIDATION_FAILED'],
  [null, 'VALIDATION_FAILED'],
  [[], 'VALIDATION_FAILED'],
  [5, 'VALIDATION_FAILED'],
  [{}, 'VALIDATION_FAILED'],
  [{ address: {} }, 'VALIDATION_FAILED'],
  [{ address: { address: '   ' } }, 'VALIDATION_FAILED'],
  [aTask({ awb: 'GOOD-1' }), 'AWB_TAKEN'],
  [aTask({ awb: 'A-1' }), 'AWB_TAKEN'],
  [aTask({ awb: 'a/b' }), 'VALIDATION_FAILED'],
  [aTask({ details: 'a\0b' }), 'VALIDATION_FAILED'],
  [aTask({ details: '\uD800' }), 'VALIDATION_FAILED'],
  [aTask({ details: 'x'.repeat(10_001) }), 'VALIDATION_FAILED'],
  [aTask({ customer: { name: 'x'.repeat(121) } }), 'VALIDATION_FAILED'],
  [aTask({ totalPrice: 2 ** 31 }), 'VALIDATION_FAILED'],
  [aTask({ completeAfter: 'soon' }), 'INVALID_TIME'],
  [aTask({ completeAfter: '2026-01-02 00:00', completeBefore: '2026-01-01 00:00' }), 'INVALID_TIME_WINDOW'],
  [aTask({ teamId: 999_999_999 }), 'TEAM_NOT_FOUND'],
  [aTask({ dependencies: ['NOBODY'] }), 'TASK_NOT_FOUND'],
  [aTask({ awb: 'SELF', dependencies: ['SELF'] }), 'TASK_NOT_FOUND'],
  [{ toString: 1, valueOf: 1 }, 'VALIDATION_FAILED'],
  [JSON.parse('{"__proto__": {"address": {"address": "x"}}}'), 'VALIDATION_FAILED'],
  [aTask({ awb: 'GOOD-2', dependencies: ['GOOD-1'], unknown: { deep: true } }), undefined],
]

for (const path of ['/tasks/bulkCreate', '/drivers/:driverId/tasks/bulkCreate'])
  test(`${path}: an invalid item is refused and does not affect the others`, async (t) => {
    const { server, fill } = await startWorld(t)
    const { status, body } = await server.post(fill(path), { tasks: mixed.map(([given]) => given) })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      body.results.map(({ item, success, error, data }: Record<string, never>) => [
        item,
        success,
        (error as { code?: string } | undefined)?.code,
        data !== undefined,
      ]),
      mixed.map(([, code], index) => [index + 1, code === undefined, code, code === undefined]),
    )
    for (const awb of ['GOOD-1', 'GOOD-2']) assert.equal((await server.get(`/tasks/awb/${awb}`)).status, 200)
    const { count } = await server.database.everyone.get<{ count: number }>(
      sql`select count(*)::integer as count from tasks where organisation_id = ${server.organisationId}`,
    )
    assert.equal(count, 3)
  })

/** What a client may send by mistake instead of an awb or an id. */
const strangeItems: unknown[] = [
  null,
  true,
  {},
  [],
  '',
  'a/b',
  '..',
  '\0',
  '\uD800',
  'x'.repeat(65),
  1.5,
  -1,
  0,
  2 ** 53,
  1e300,
  { toString: 1 },
  { toString: 1, valueOf: 1 },
  { length: 1 },
  ['A-1'],
]

for (const [method, path] of [
  ['post', '/tasks/bulkUnassign'],
  ['put', '/containers/drivers/:driverId'],
  ['post', '/drivers/:driverId/tasks/bulkAssign'],
] as const)
  test(`${path}: a strange item is refused and does not affect the others`, async (t) => {
    const { server, fill, taskId } = await startWorld(t)
    const reference = path.endsWith('bulkAssign') ? taskId : 'A-1'
    const mistakes: string[] = []
    for (const strange of strangeItems) {
      const { status, body } = await server[method](fill(path), { tasks: [strange, reference] })
      const [first, second] = body.results ?? []
      const isRefused = ['VALIDATION_FAILED', 'TASK_NOT_FOUND'].includes(first?.error?.code)
      if (status !== 200 || body.results.length !== 2 || !isRefused || !second.success)
        mistakes.push(`${JSON.stringify(strange)}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
    }
    assert.deepEqual(mistakes, [])
  })

for (const [method, path] of [
  ['POST', '/tasks/bulkUnassign'],
  ['PUT', '/containers/drivers/:driverId'],
  ['POST', '/drivers/:driverId/tasks/bulkAssign'],
  ['POST', '/tasks/bulkCreate'],
  ['POST', '/drivers/:driverId/tasks/bulkCreate'],
] as const) {
  test(`${path}: an item with a number too large to be read is refused alone`, async (t) => {
    const { server, fill } = await startWorld(t)
    for (const item of ['1e999', '-1e999', '123456789012345678901234567890', deep, '{"__proto__":1}']) {
      const raw = `{"tasks":[${item}]}`
      const { status, body } = await request(server.url, method, `/api/v1${fill(path)}`, { key: server.key, raw })
      assert.equal(status, 200, `${item.slice(0, 30)}: ${JSON.stringify(body)}`)
      assert.equal(body.results[0].success, false)
    }
  })

  test(`${path}: more than 1,000 items are refused, and none is processed`, async (t) => {
    const { server, fill } = await startWorld(t)
    const tasks = Array.from({ length: 1_001 }, () => (path.endsWith('Create') ? aTask() : '1'))
    const send = () => request(server.url, method, `/api/v1${fill(path)}`, { key: server.key, body: { tasks } })
    await refused(server, send, [400, 'TOO_MANY_ITEMS'], path)
  })
}

const strangeAwbs = [
  'with space',
  ' leading',
  'trailing ',
  '100%',
  '%',
  '%25',
  '%2F',
  '%00',
  '%zz',
  'a%20b',
  'a?b=c',
  'a#b',
  'a&b',
  'a+b',
  'a=b;c=d',
  'a:b',
  'a*b',
  '"quoted"',
  "it's",
  "'; drop table tasks; --",
  'back\\slash',
  '<script>',
  '{curly}',
  '$1 $x',
  '...',
  '.hidden',
  '~tilde',
  'ȘȚăî',
  'e\u0301',
  '日本語',
  'عربي',
  '📦',
  '👍🏽',
  '__proto__',
  'constructor',
  'bulkCreate',
  'null',
  'undefined',
  '0',
  '007',
  '-1',
  '1e5',
  '|^`[]@!,',
]

let worldOfAwbs: Promise<World> | undefined

for (const [index, awb] of strangeAwbs.entries())
  test(`a task called ${awb} is created, read, changed, moved and deleted like any other`, async (t) => {
    worldOfAwbs ??= startWorld(t)
    const { server, driverId } = await worldOfAwbs
    const [plainAwb, otherAwb] = [`PLAIN-${index}`, `OTHER-${index}`]
    const path = `/tasks/awb/${encodeURIComponent(awb)}`
    const created = await server.post('/tasks', aTask({ awb }))
    assert.equal(created.status, 200, JSON.stringify(created.body))
    assert.equal(created.body.task.awb, awb)
    assert.equal((await server.post('/tasks', aTask({ awb }))).body.error.code, 'AWB_TAKEN')

    const read = await server.get(path)
    assert.deepEqual([read.status, read.body.task?.awb], [200, awb])
    const listed = await server.get(`/tasks?awb=${encodeURIComponent(awb)}`)
    assert.deepEqual(
      listed.body.tasks.map(({ awb }: { awb: string }) => awb),
      [awb],
    )
    assert.equal((await server.put(path, { details: 'Changed' })).body.task?.details, 'Changed')
    assert.equal((await server.post(`${path}/notes`, { note: 'Rang' })).body.task?.notes.length, 1)
    assert.deepEqual((await server.put(`/containers/drivers/${driverId}`, { tasks: [awb] })).body.results, [
      { awb, success: true },
    ])
    assert.equal((await server.post('/tasks/bulkUnassign', { tasks: [awb] })).body.tasks[0]?.statusId, 1)
    const dependant = await server.post('/tasks', aTask({ dependencies: [awb] }))
    assert.equal(dependant.body.task?.dependencies[0].awb, awb)
    const renamed = await server.put(path, { awb: plainAwb })
    assert.equal(renamed.body.task?.awb, plainAwb)
    assert.equal((await server.put(`/tasks/awb/${plainAwb}`, { awb })).status, 200)
    await server.put(`/containers/drivers/${driverId}`, { tasks: [awb] })
    const other = await server.post('/tasks', aTask({ awb: otherAwb }))
    assert.equal((await server.put(`${path}/forceComplete`, {})).body.task?.statusId, 9)
    assert.equal((await server.get(`/tasks/${other.body.task.id}`)).body.task.statusId, 1)
    const again = await server.post('/tasks', aTask({ awb: `${awb.slice(0, 60)}-2` }))
    const gone = await server.delete(`/tasks/awb/${encodeURIComponent(again.body.task.awb)}`)
    assert.equal(gone.status, 200, JSON.stringify(gone.body))
  })

test('an awb can be sent as a number', async (t) => {
  const { server, driverId } = await startWorld(t)
  for (const [given, awb] of [
    [12_345, '12345'],
    [0, '0'],
    [2 ** 53 - 1, '9007199254740991'],
  ] as const) {
    assert.equal((await server.post('/tasks', aTask({ awb: given }))).body.task.awb, awb)
    assert.equal((await server.get(`/tasks/awb/${given}`)).status, 200)
    assert.deepEqual((await server.put(`/containers/drivers/${driverId}`, { tasks: [given] })).body.results, [
      { awb, success: true },
    ])
    assert.equal((await server.post('/tasks/bulkUnassign', { tasks: [given] })).body.tasks[0].statusId, 1)
    assert.equal((await server.put('/tasks/awb/A-1', { dependencies: [given] })).body.task.dependencies[0].awb, awb)
    assert.equal((await server.put(`/tasks/awb/${awb}`, { awb: given })).status, 200)
  }
})

test('a number too long to be read exactly never becomes the awb of another task', async (t) => {
  const { server } = await startWorld(t)
  for (const digits of ['9007199254740993', '12345678901234567890']) {
    const raw = `{"awb":${digits},"address":{"address":"Strada Lipscani 12"}}`
    const { status, body } = await request(server.url, 'POST', '/api/v1/tasks', { key: server.key, raw })
    if (status === 200) assert.equal(body.task.awb, digits)
    else assert.deepEqual([status, body.error.code, body.error.field], [400, 'VALIDATION_FAILED', 'awb'])
  }
})

test('keys with a meaning in JavaScript, such as __proto__, are plain keys', async (t) => {
  const { server } = await startWorld(t)
  const raw = `{
    "__proto__": {"details": "inherited", "polluted": true},
    "constructor": {"prototype": {"polluted": true}},
    "toString": null, "hasOwnProperty": 1,
    "address": {"address": "Strada Lipscani 12", "__proto__": {"city": "inherited"}},
    "inventory": {"__proto__": {"a": 1}, "constructor": 2, "toString": 3},
    "customFields": [{"key": "__proto__", "value": {"__proto__": null}}]}`
  const { status, body } = await request(server.url, 'POST', '/api/v1/tasks', { key: server.key, raw })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.task.details, '')
  assert.equal(body.task.address.city, null)
  assert.equal(JSON.stringify(body.task.inventory).length, JSON.stringify(JSON.parse(raw).inventory).length)
  const read = (await server.get(`/tasks/${body.task.id}`)).body.task
  assert.deepEqual(Object.keys(read.inventory).sort(), ['__proto__', 'constructor', 'toString'])
  assert.deepEqual(Object.keys(read.customFields[0].value), ['__proto__'])
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)

  const only = '{"__proto__": {"address": {"address": "x"}, "name": "x"}}'
  for (const path of ['/api/v1/tasks', '/api/v1/teams', '/api/v1/keys', '/api/v1/hubs', '/api/v1/drivers'])
    assert.equal((await request(server.url, 'POST', path, { key: server.key, raw: only })).status, 400, path)
})

test('any JSON is stored unchanged, unless it is nested too deeply', async (t) => {
  const { server } = await startWorld(t)
  const nested = (depth: number): unknown => (depth === 0 ? 'end' : [nested(depth - 1)])
  for (const inventory of [
    'text',
    '',
    0,
    -5,
    false,
    [],
    {},
    [null],
    { '': '' },
    { a: [1, { b: null }] },
    '\u2028',
    nested(30),
  ]) {
    const { status, body } = await server.post('/tasks', aTask({ inventory }))
    assert.equal(status, 200, JSON.stringify(inventory))
    assert.deepEqual((await server.get(`/tasks/${body.task.id}`)).body.task.inventory, inventory)
  }
  for (const inventory of [nested(60), { 'a\0': 1 }, { a: '\uD800' }, ['\0'], { '\uDC00': 1 }])
    await refused(server, () => server.post('/tasks', aTask({ inventory })), [400, 'VALIDATION_FAILED'], 'inventory')
  const raw = `{"address":{"address":"x"},"inventory":${'['.repeat(900_000)}${']'.repeat(900_000)}}`
  const deep = await request(server.url, 'POST', '/api/v1/tasks', { key: server.key, raw })
  assert.deepEqual([deep.status, deep.body.error.code], [400, 'INVALID_JSON'])
})

test('a time skipped by daylight saving time moves forward, a repeated one is the first', async (t) => {
  const { server } = await startWorld(t)
  const times: [string, string][] = [
    ['2026-03-29 02:59:59', '2026-03-29T00:59:59.000Z'],
    ['2026-03-29 03:00:00', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29 03:30:00', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29 04:00:00', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25 02:59:59', '2026-10-24T23:59:59.000Z'],
    ['2026-10-25 03:30:00', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25 03:30', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T03:30:00+02:00', '2026-10-25T01:30:00.000Z'],
    ['2026-10-25 04:00:00', '2026-10-25T02:00:00.000Z'],
    ['2028-02-29 12:00', '2028-02-29T10:00:00.000Z'],
    ['9999-12-31 23:59:59', '9999-12-31T21:59:59.000Z'],
    ['1850-01-01 00:00:00', '1849-12-31T22:15:36.000Z'],
    ['0050-06-01T00:00:00Z', '0050-06-01T00:00:00.000Z'],
  ]
  for (const [given, wanted] of times) {
    const created = await server.post('/tasks', aTask({ completeAfter: given, completeBefore: given }))
    assert.equal(created.body.task?.completeAfter, wanted, `${given} ${JSON.stringify(created.body.error)}`)
    const updated = await server.put('/tasks/awb/A-1', { completeAfter: null, completeBefore: given })
    assert.equal(updated.body.task?.completeBefore, wanted, given)
    const read = await server.get(`/tasks/${created.body.task.id}`)
    assert.equal(read.body.task.completeBefore, wanted, given)
  }
  // On that morning 03:30 does not exist and is read as 04:30, which is after 04:00.
  const skipped = aTask({ completeAfter: '2026-03-29 03:30:00', completeBefore: '2026-03-29 04:00:00' })
  await refused(server, () => server.post('/tasks', skipped), [400, 'INVALID_TIME_WINDOW'], 'a window in the gap')
})

test('null counts as not given or clears a field, but never becomes a value', async (t) => {
  const { server } = await startWorld(t)
  const nothing = Object.fromEntries(
    Object.keys(operations.createTask.body.properties)
      .filter((field) => field !== 'address')
      .map((field) => [field, null]),
  )
  const { status, body } = await server.post('/tasks', aTask(nothing))
  assert.equal(status, 200, JSON.stringify(body))
  const { task } = body
  assert.deepEqual(
    [task.details, task.priority, task.paymentTypeId, task.sendNotifications, task.pickupTask, task.collectPayment],
    ['', 0, 1, true, false, false],
  )
  assert.deepEqual([task.totalPrice, task.quantity, task.inventory, task.customFields], [null, null, null, []])
  const unchanged = await server.put(`/tasks/awb/${task.awb}`, {
    awb: null,
    details: null,
    address: null,
    priority: null,
  })
  assert.equal(unchanged.status, 200)
  assert.deepEqual(await server.triggers(task.awb), ['TASK_CREATED'])
})

test('an invalid query parameter is refused with its name', async (t) => {
  const { server, driverId } = await startWorld(t)
  const cursor = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url')
  const cases: [query: string, field: string, code?: string][] = [
    ['statusId=abc', 'statusId'],
    ['statusId=', 'statusId'],
    ['statusId=1,,6', 'statusId'],
    ['statusId=99999999999', 'statusId'],
    ['statusId=1&statusId=6', 'statusId'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['from=yesterday', 'from', 'INVALID_TIME'],
    ['to=2026-02-30', 'to', 'INVALID_TIME'],
    ['from=%00', 'from'],
    ['cursor=nonsense', 'cursor'],
    ['cursor=', 'cursor'],
    [`cursor=${cursor(-1)}`, 'cursor'],
    [`cursor=${cursor(1e300)}`, 'cursor'],
    [`cursor=${cursor({ id: 1 })}`, 'cursor'],
    [`cursor=${cursor([false, 1.5, 'x'])}`, 'cursor'],
    [`cursor=${'x'.repeat(300)}`, 'cursor'],
  ]
  const mistakes: string[] = []
  for (const path of ['/tasks', `/drivers/${driverId}/tasks`])
    for (const [query, field, code = 'VALIDATION_FAILED'] of cases) {
      const { status, body } = await server.get(`${path}?${query}`)
      if (status !== 400 || body.error.code !== code || body.error.field !== field)
        mistakes.push(`${path}?${query.slice(0, 60)}: ${status} ${JSON.stringify(body.error)}`)
    }
  for (const query of ['userId=abc', 'teamId=0', 'q=%00', 'updatedAfter=soon', `q=${'x'.repeat(121)}`]) {
    const { status, body } = await server.get(`/tasks?${query}`)
    if (status !== 400) mistakes.push(`/tasks?${query}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
  }
  for (const query of ['teamId=abc', 'inShift=maybe', 'q=%00', 'limit=0', 'cursor=x'])
    if ((await server.get(`/drivers?${query}`)).status !== 400) mistakes.push(`/drivers?${query}`)
  assert.deepEqual(mistakes, [])
  await refused(server, () => server.delete(`/drivers/${driverId}?force=maybe`), [400, 'VALIDATION_FAILED'], 'force')
})

test('a cursor beyond the end of a list finds nothing and is not an error', async (t) => {
  const { server, driverId } = await startWorld(t)
  const most = Number.MAX_SAFE_INTEGER
  const cursor = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url')
  for (const path of [
    `/tasks?cursor=${cursor(most)}`,
    `/drivers?cursor=${cursor(most)}`,
    `/drivers/${driverId}/tasks?cursor=${cursor([true, most, most])}`,
    `/drivers/${driverId}/tasks?cursor=${cursor([false, 2 ** 31, 1])}`,
  ])
    assert.ok([200, 400].includes((await server.get(path)).status), path)
})

test('an unknown name of traffic counts as the best guess, even one such as constructor', async (t) => {
  const { server, driverId } = await startWorld(t)
  await server.post('/tasks', aTask({ userId: driverId }))
  for (const traffic of ['constructor', '__proto__', 'hasOwnProperty', 'whatever', '', ' ', '👍']) {
    const { status, body } = await server.post(`/drivers/${driverId}/tasks/optimizeTodayTasks`, { traffic })
    assert.deepEqual([status, body.route?.traffic], [200, 'best_guess'], `${traffic}: ${JSON.stringify(body)}`)
  }
})

test('routes with the longest service times and the farthest places can be optimised', async (t) => {
  const { server, driverId } = await startWorld(t)
  const far = [
    { lat: 90, lng: 180 },
    { lat: -90, lng: -180 },
    { lat: 0, lng: 0 },
  ]
  for (const place of far)
    assert.equal(
      (await server.post('/tasks', aTask({ userId: driverId, serviceTime: 10_080, address: place }))).status,
      200,
    )
  const { status, body } = await server.post(`/drivers/${driverId}/tasks/optimizeTodayTasks`, {})
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal((await server.get(`/drivers/${driverId}/tasks`)).status, 200)
})

test('an impossible awb in a path is not found', async (t) => {
  const { server } = await startWorld(t)
  for (const awb of ['%00', 'x'.repeat(65), 'x'.repeat(2_000), '%ED%A0%80', 'a%0Ab', '%E2%80%8B', '%ff']) {
    const { status, body } = await server.get(`/tasks/awb/${awb}`)
    assert.equal(status, 404, `${awb.slice(0, 20)} ${JSON.stringify(body)}`)
  }
})

test('a record deleted while a request refers to it is found or missing, never an internal error', async (t) => {
  const { server, teamId, driverId } = await startWorld(t)
  const receiver = await startReceiver(t)
  const answers = new Set<string>()
  const { rounds } = amountsOf('deletions')
  const atOnce = async (calls: Record<string, Promise<Reply>>) => {
    for (const [name, call] of Object.entries(calls)) {
      const { status, body } = await call
      if (status !== 200) answers.add(`${name}: ${status} ${body.error.code}`)
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    const team = (await server.post('/teams', { name: 'Short-lived' })).body.team.id
    const driver = (await server.post('/drivers', { name: 'Ion', phone: '0723456789', teams: [teamId] })).body.user.id
    const hub = (await server.post('/hubs', { name: 'Short-lived', lat: 1, lng: 1 })).body.hub.id
    await server.post('/tasks/bulkCreate', {
      tasks: [aTask({ awb: `GOES-${round}` }), aTask({ awb: `STAYS-${round}` })],
    })
    await atOnce({
      'create driver': server.post('/drivers', { name: 'Ana', phone: '0712345678', teams: [team] }),
      'update driver': server.put(`/drivers/${driverId}`, { teams: [team, teamId] }),
      'delete team': server.delete(`/teams/${team}`),
      'create task for team': server.post('/tasks', aTask({ teamId: team })),
      'update task for team': server.put(`/tasks/awb/STAYS-${round}`, { teamId: team }),
    })
    await atOnce({
      'create dependant': server.post('/tasks', aTask({ dependencies: [`GOES-${round}`] })),
      'delete task': server.delete(`/tasks/awb/GOES-${round}`),
      'update dependant': server.put(`/tasks/awb/STAYS-${round}`, { dependencies: [`GOES-${round}`] }),
    })
    const webhook = (await server.post('/webHooks', { url: receiver.url, trigger: 4 })).body.webHook.id
    await atOnce({
      'create task for webhook': server.post('/tasks', aTask()),
      'delete webhook': server.delete(`/webHooks/${webhook}`),
      'create another task for webhook': server.post('/tasks', aTask()),
    })
    await atOnce({
      'create team': server.post('/teams', { name: 'New', hubId: hub, drivers: [driver] }),
      'delete hub': server.delete(`/hubs/${hub}`),
      'delete driver': server.delete(`/drivers/${driver}`),
      'create task for driver': server.post('/tasks', aTask({ userId: driver })),
      'assign to driver': server.put(`/containers/drivers/${driver}`, { tasks: [`STAYS-${round}`] }),
    })
  }
  assert.deepEqual(
    [...answers].filter((answer) => answer.includes(' 5')),
    [],
  )
  tellNumbers(t, 'deletions', { rounds, 'kinds of answers': answers.size })
})
