import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, raw as sqlText } from '../db/sql.ts'
import { aTask } from './factories.ts'
import { createGenerator, type Document, type Generated, type Pools } from './generate.ts'
import { toFiles } from './messages.ts'
import { listSplits } from './pairs.ts'
import { amountsOf, nights, seedOr, tellNumbers } from './proofs.ts'
import { startReceiver } from './receiver.ts'
import { type Reply, request, startServer, type TestServer } from './server.ts'

/*
 * Hundreds of requests made from the published document, good and broken, eight at a time. The seed is fixed, so
 * that a failure can be repeated; by night it is another one.
 * What a request refers to depends on what came before it, so a failure that needs a race may not show every time.
 */
const seed = seedOr(20_261_115)
const requestCount = amountsOf('fuzz').requests
const rounds = nights > 0 ? 10 : 3
const atOnce = 8
/** Made, though few of them are sent. */
const mostExtra = 30_000

/** A port without a listener: reserved for a service that no system runs any more. */
const closedUrl = 'http://127.0.0.1:9/nobody'

interface Failure {
  what: string
  example: string
  count: number
}

test('no request, however strange, is answered with a failure of ours or with something undocumented', async (t) => {
  const server = await startServer(t, toFiles)
  const receiver = await startReceiver(t)
  const { body: document } = await request(server.url, 'GET', '/openapi.json')
  const failures = new Map<string, Failure>()
  const answered = new Map<string, Set<number>>()

  const opened: Awaited<ReturnType<typeof openRound>>[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const organisation = await server.another()
    const partners = await Promise.all([server.another(), server.another(), server.another()])
    for (const { organisationId: companyId, post } of partners) {
      await organisation.post('/partners', { companyId })
      await post('/partners', { companyId: organisation.organisationId })
    }
    const partnerIds = partners.map(({ organisationId }) => organisationId)
    opened.push(await openRound(server.url, organisation, partnerIds, document, receiver.url, opened.at(-1)?.pools))
  }
  const names = Object.values((document as Document).paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  const isMet = (name: string) => onlyByLuck.includes(name) || answered.get(name)?.has(200) === true
  const perRound = Math.ceil(requestCount / rounds)
  for (const [round, { make, credentialFor, learn }] of opened.entries()) {
    // The last round is for operations that have not succeeded yet, and for what they need.
    const isLast = round === rounds
    const most = isLast ? mostExtra : perRound
    let next = 0
    const work = async () => {
      while (next < most && !(isLast && names.every(isMet))) {
        const number = round * perRound + next++
        const made = make(seed + number)
        if (isLast && isMet(made.operation) && !/^(create|invite|add)/.test(made.operation)) continue
        const outcome = await ask(server.url, made, credentialFor(made))
        if (typeof outcome === 'string') report(failures, made, number, outcome)
        else {
          answered.set(made.operation, (answered.get(made.operation) ?? new Set()).add(outcome.status))
          learn(made, outcome)
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }

  tellNumbers(t, 'fuzz', { requests: requestCount, operations: names.length })
  const unmet = names.filter((name) => !isMet(name))
  const wrong = [
    ...[...failures.values()].sort((one, other) => other.count - one.count).map(describe),
    ...(await checkInvariants(server)),
    ...unmet.map((name) => `the generator made no request to ${name} that succeeded`),
  ]
  assert.ok(wrong.length === 0, `seed ${seed}, ${requestCount} requests:\n${wrong.join('\n')}`)
})

/** They need an unknown code or password, a session, records that belong together, or a task in just the right state. */
const onlyByLuck = [
  'loginDriver',
  'describeDriverLink',
  'acceptTask',
  'startTask',
  'arriveAtTask',
  'completeTask',
  'failTask',
  'forceCompleteTask',
  'addOwnNote',
  'giveFeedback',
  'signIn',
  'getSession',
  'getInstallation',
  'signOut',
  'signOutEverywhere',
  'describeLink',
  'setPassword',
  'changePassword',
  'revokeDevice',
  'deleteAbsence',
  'getDelivery',
  'undoChanges',
  'delegateTask',
  'undelegateTask',
  'addPayment',
  'retryMessage',
  'getTaskProof',
  'getProofs',
  'getTrackedProof',
  'getLinkedProofs',
  'getTrackingFile',
  'getLinkedPicture',
]

const describe = ({ what, example, count }: Failure) => `${count} times: ${what}\n    e.g. ${example}`

function report(failures: Map<string, Failure>, made: Generated, number: number, what: string) {
  const name = `${made.operation} ${what.replace(/\d+/g, '0').slice(0, 160)}`
  const known = failures.get(name)
  if (known) {
    known.count += 1
    return
  }
  const sent = `${made.method} ${made.path.slice(0, 300)} ${JSON.stringify(made.headers)} ${textOf(made.raw).slice(0, 1_500)}`
  failures.set(name, { what: `${made.operation}: ${what}`, example: `request ${number}: ${sent}`, count: 1 })
}

const textOf = (raw: Generated['raw']) => (typeof raw === 'string' ? raw : Buffer.from(raw ?? []).toString('base64'))

/** The answer, or what is wrong with it. */
async function ask(url: string, made: Generated, key: string): Promise<Reply | string> {
  try {
    const reply = await request(url, made.method, made.path, {
      key,
      headers: made.headers,
      ...(made.raw !== undefined && { raw: made.raw }),
    })
    if (reply.status >= 500) return `answered ${reply.status} ${reply.body.error?.code}`
    return reply
  } catch (error) {
    return error instanceof assert.AssertionError ? error.message : `failed: ${String((error as Error).cause ?? error)}`
  }
}

/**
 * An organisation with one of everything, and a driver who is signed in. All are made before the first request is sent:
 * wrong codes are limited per address, and the generator sends many.
 */
async function openRound(
  url: string,
  organisation: Pick<TestServer, 'key' | 'get' | 'post' | 'put'>,
  partnerIds: number[],
  document: Document,
  receiverUrl: string,
  foreign: Pools | undefined,
) {
  const good = async (call: Promise<Reply>) => {
    const { status, body } = await call
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const { post } = organisation
  const { keys } = await good(organisation.get('/keys'))
  const { hub } = await good(post('/hubs', { name: 'Depot', lat: 44.4, lng: 26.1 }))
  const { team } = await good(post('/teams', { name: 'North', hubId: hub.id }))
  const { user } = await good(post('/drivers', { name: 'Ana', phone: '0712345678', teams: [team.id] }))
  const { user: idle } = await good(post('/drivers', { name: 'Ion', phone: '0712345679', teams: [team.id] }))
  const signIn = async (): Promise<{ token: string; osmandUrl: string }> => {
    const { code } = await good(post(`/drivers/${user.id}/invite`))
    const device = await good(request(url, 'POST', '/api/v1/driver/login', { body: { phone: '0712345678', code } }))
    // A credential that worked once is still accepted after the many wrong ones of the generator.
    await good(request(url, 'GET', '/api/v1/driver/tasks', { key: device.token }))
    await good(request(url, 'GET', new URL(device.osmandUrl).pathname))
    return device
  }
  // The second is for signing out.
  const [{ token, osmandUrl }, { token: spare }] = [await signIn(), await signIn()]
  await signIn()
  const { devices } = await good(organisation.get(`/drivers/${user.id}/devices`))
  const { task: lost } = await good(post('/tasks', aTask({ userId: user.id })))
  await good(post('/tasks/bulkUnassign', { tasks: [lost.awb] }))
  await request(url, 'POST', `/api/v1/driver/tasks/${lost.id}/complete`, { key: token, body: {} })
  const { conflicts } = await good(organisation.get('/conflicts'))
  // With a price, so that there is something to pay.
  const { task } = await good(post('/tasks', aTask({ userId: user.id, totalPrice: 100 })))
  const { proofLink } = await good(post('/proofLinks', { awbs: [task.awb] }))
  // One that waits, to be given away, and one that was.
  const { task: waiting } = await good(post('/tasks', aTask()))
  const { task: given } = await good(post('/tasks', aTask({ totalPrice: 100 })))
  await good(organisation.put(`/tasks/${given.id}/delegate`, { companyId: partnerIds[0] }))
  // Days of cash that are closed, to be corrected.
  const today = Temporal.Now.plainDateISO('Europe/Bucharest')
  const [yesterday, tomorrow] = [-1, 1].map((days) => today.add({ days }).toString()) as [string, string]
  for (const { id } of [user, idle]) await good(post('/cash/closeOuts', { userId: id, day: yesterday, counted: 0 }))
  // Tasks that failed: each operation has its own, so that none is used up by another before one request fits.
  await good(organisation.put('/company', { settings: { recipientReattemptDays: 3 } }))
  const failed: Record<string, string> = {}
  for (const operation of ['reattemptTask', 'returnTask', 'correctTask', 'chooseAgain']) {
    const { task } = await good(post('/tasks', aTask({ userId: user.id })))
    await good(organisation.put(`/tasks/awb/${task.awb}/forceComplete`, { success: false }))
    await good(request(url, 'GET', `/t/${task.uuid}`))
    failed[operation] = operation === 'chooseAgain' ? task.uuid : task.awb
  }
  const secret = proofLink.link.split('/p/')[1] as string
  // Links that worked once are still accepted, too.
  for (const path of [`/t/${task.uuid}`, `/p/${secret}`]) await good(request(url, 'GET', path))

  const pools: Pools = {
    task: [task.id, waiting.id, given.id, ...(foreign?.task.slice(0, 1) ?? [])],
    awb: [task.awb, given.awb],
    driver: [user.id, idle.id, ...(foreign?.driver.slice(0, 1) ?? [])],
    team: [team.id, ...(foreign?.team.slice(0, 1) ?? [])],
    hub: [hub.id, ...(foreign?.hub.slice(0, 1) ?? [])],
    webhook: foreign?.webhook.slice(0, 1) ?? [],
    key: [],
    person: foreign?.person.slice(0, 1) ?? [],
    device: [devices.at(-1).id, ...(foreign?.device.slice(0, 1) ?? [])],
    deviceKey: [osmandUrl.split('/').at(-1) as string],
    conflict: [conflicts[0].id, ...(foreign?.conflict.slice(0, 1) ?? [])],
    form: foreign?.form.slice(0, 1) ?? [],
    reason: foreign?.reason.slice(0, 1) ?? [],
    schedule: foreign?.schedule.slice(0, 1) ?? [],
    template: foreign?.template.slice(0, 1) ?? [],
    holiday: foreign?.holiday.slice(0, 1) ?? [],
    file: foreign?.file.slice(0, 1) ?? [],
    message: foreign?.message.slice(0, 1) ?? [],
    proofLink: foreign?.proofLink.slice(0, 1) ?? [],
    partner: [...partnerIds, ...(foreign?.partner.slice(0, 1) ?? [])],
    uuid: [task.uuid],
    secret: [secret],
    day: [yesterday, tomorrow],
    cursor: [],
  }
  const ownKeyId: number = keys[0].id
  const ownDeviceId: number = devices[0].id
  const generator = createGenerator({ document, pools, urls: [receiverUrl, `${receiverUrl}?a=b#c`, closedUrl] })

  const remember = (name: keyof Pools, value: unknown) => {
    if (typeof value !== 'number' && typeof value !== 'string') return
    if (pools[name].includes(value)) return
    pools[name].push(value)
    // The first stays: it belongs to the signed-in driver.
    if (pools[name].length > 12) pools[name].splice(1, 1)
  }

  return {
    pools,
    make(requestSeed: number): Generated {
      const made = generator.make(requestSeed)
      // A caller that revokes its own key or device, or deletes its own driver, would only see refusals from then on.
      const path = made.path
        .replace(new RegExp(`/keys/${ownKeyId}(?=$|[/?])`), '/keys/999999999')
        .replace(new RegExp(`/devices/${ownDeviceId}(?=$|[/?])`), '/devices/999999999')
        .replace(new RegExp(`^(/api/v1/drivers/)${user.id}(?=$|[?])`), made.method === 'DELETE' ? '$1999999999' : '$&')
      const fitting = made.isBroken ? undefined : failed[made.operation]
      return { ...made, path: fitting ? path.replace(/[^/]+(?=\/\w+$)/, fitting) : path }
    },
    credentialFor({ operation, path }: Generated) {
      if (operation === 'signOutDevice') return spare
      return path.startsWith('/api/v1/driver/') ? token : organisation.key
    },
    learn({ method, path }: Generated, { status, body }: Reply) {
      if (status !== 200) return
      remember('task', body.task?.id)
      remember('awb', body.task?.awb)
      for (const result of body.results ?? []) {
        remember('task', result.data?.id)
        remember('awb', result.data?.awb)
      }
      if (path.startsWith('/api/v1/drivers')) remember('driver', body.user?.id)
      remember('team', body.team?.id)
      remember('hub', body.hub?.id)
      remember('webhook', body.webHook?.id)
      if (body.key?.id !== ownKeyId) remember('key', body.key?.id)
      remember('person', body.person?.id)
      for (const conflict of body.conflicts ?? []) remember('conflict', conflict.id)
      remember('form', body.form?.id)
      remember('reason', body.reason?.id)
      remember('schedule', body.schedule?.id)
      remember('template', body.template?.id)
      remember('holiday', body.holiday?.id)
      remember('file', body.file?.id)
      remember('proofLink', body.proofLink?.id)
      for (const message of body.messages ?? []) remember('message', message.id)
      remember('cursor', body.nextCursor)
      if (method !== 'DELETE') return
      const gone = decodeURIComponent(path.split('?')[0]?.split('/').at(-1) ?? '')
      for (const values of Object.values(pools)) {
        const index = values.findIndex((value) => String(value) === gone)
        if (index > 0) values.splice(index, 1)
      }
    },
  }
}

/** Which record refers to which; both must belong to the same organisation. */
const references: [child: string, column: string, parent: string][] = [
  ['addresses', 'task_id', 'tasks'],
  ['tasks', 'user_id', 'users'],
  ['tasks', 'team_id', 'teams'],
  ['tasks', 'customer_id', 'customers'],
  ['teams', 'hub_id', 'hubs'],
  ['team_drivers', 'team_id', 'teams'],
  ['team_drivers', 'user_id', 'users'],
  ['dependencies', 'task_id', 'tasks'],
  ['dependencies', 'depends_on_id', 'tasks'],
  ['notes', 'task_id', 'tasks'],
  ['notes', 'user_id', 'users'],
  ['events', 'task_id', 'tasks'],
  ['events', 'user_id', 'users'],
  ['webhooks', 'receiver_id', 'receivers'],
  ['deliveries', 'webhook_id', 'webhooks'],
  ['deliveries', 'receiver_id', 'receivers'],
  ['deliveries', 'task_id', 'tasks'],
  ['ops', 'user_id', 'users'],
  ['conflicts', 'user_id', 'users'],
  ['conflicts', 'task_id', 'tasks'],
  ['files', 'user_id', 'users'],
  ['files', 'task_id', 'tasks'],
  ['driver_tokens', 'user_id', 'users'],
  ['push_subscriptions', 'device_id', 'driver_tokens'],
  ['driver_positions', 'driver_id', 'users'],
  ['invitations', 'user_id', 'users'],
  ['logins', 'user_id', 'users'],
  ['sign_in_links', 'user_id', 'users'],
]

/** What must always be true of the tables. */
async function checkInvariants({ database: { everyone: db } }: TestServer) {
  const violations: string[] = []
  const none = async (rows: Promise<object[]>, rule: string) => {
    const found = await rows
    if (found.length > 0) violations.push(`not true any more: ${rule}, but ${JSON.stringify(found.slice(0, 3))}`)
  }

  await none(
    db.many(sql`
      select t.id from tasks t
      left join addresses a on a.task_id = t.id and a.organisation_id = t.organisation_id
      group by t.organisation_id, t.id having count(a.id) <> 1`),
    'every task has one address',
  )
  await none(
    db.many(sql`
      select t.id, t.last_sequence, count(e.id) as events, min(e.sequence) as first, max(e.sequence) as last
      from tasks t
      left join events e on e.organisation_id = t.organisation_id and e.task_id = t.id
      group by t.organisation_id, t.id
      having count(e.id) <> t.last_sequence or min(e.sequence) <> 1 or max(e.sequence) <> t.last_sequence`),
    'the events of a task are numbered without a gap',
  )
  await none(
    db.many(sql`
      select c.organisation_id, c.last_event_id, count(e.id) as events, max(e.id) as last
      from event_counters c
      left join events e on e.organisation_id = c.organisation_id
      group by c.organisation_id
      having count(e.id) <> c.last_event_id or coalesce(max(e.id), 0) <> c.last_event_id`),
    'the events of an organisation are numbered without a gap',
  )
  for (const [child, column, parent] of references)
    await none(
      db.many(sql`
        select c.organisation_id, p.organisation_id as other from ${sqlText(child)} c
        join ${sqlText(parent)} p on p.id = c.${sqlText(column)}
        where p.organisation_id <> c.organisation_id`),
      `${child}.${column} stays within its organisation`,
    )
  await none(
    db.many(sql`select id, status_id from tasks where status_id not in (1, 6, 7, 9, 10)`),
    'there are five states',
  )
  await none(
    db.many(sql`
      select id, status_id, user_id from tasks
      where deleted_at is null and status_id < 9 and fulfiller_id is null and (status_id = 1) <> (user_id is null)`),
    'an open task has a driver unless it is unassigned',
  )
  await none(
    db.many(sql`
      select id, status_id from tasks
      where deleted_at is null and status_id in (6, 7) and route_position is null and fulfiller_id is null`),
    'an open task of a driver has a place in the route',
  )
  await none(
    db.many(sql`
      select t.id from tasks t
      join users u on u.organisation_id = t.organisation_id and u.id = t.user_id
      where t.deleted_at is null and t.status_id < 9 and u.deleted_at is not null`),
    'a driver who is gone has no open tasks',
  )
  await none(
    db.many(sql`
      with recursive reach as (
        select organisation_id, task_id, depends_on_id from dependencies
        union
        select r.organisation_id, r.task_id, d.depends_on_id from reach r
        join dependencies d on d.organisation_id = r.organisation_id and d.task_id = r.depends_on_id)
      select task_id from reach where task_id = depends_on_id`),
    'no task waits for itself',
  )
  await none(listSplits(db), 'what partners share is the same on both sides, and with one of them')
  return violations
}
