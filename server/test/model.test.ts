import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { sql } from '../db/sql.ts'
import { aTask } from './factories.ts'
import {
  type Change,
  createModel,
  type Draft,
  type Edit,
  type Model,
  type ModelDriver,
  type ModelSettings,
  type ModelTask,
  type Move,
  moves,
  type Verb,
  type Verdict,
  wire,
} from './model.ts'
import { amountsOf, seedOr, tellNumbers } from './proofs.ts'
import { type Reply, request, startServer, type TestServer } from './server.ts'

/*
 * Random operations against a model of the rules. Deterministic by seed: a failure prints it, and
 * WAYBILL_SEED=… repeats it.
 */

const seed = seedOr(20_261_115)
const amounts = amountsOf('model')

type Organisation = Awaited<ReturnType<TestServer['another']>>
type Place = Organisation & Pick<TestServer, 'url' | 'database'>

interface EventRow {
  id: number
  task_id: number
  sequence: number
  trigger_id: number
  snapshot_id: number
  user_id: number | null
  driver: string | null
  previous: string | null
  from_status_id: number | null
  to_status_id: number | null
  actor_type: string
  recorded_at: Date
  snapshot: string
}

const eventsAfter = ({ database, organisationId }: Place, id: number) =>
  database.everyone.many<EventRow>(sql`
    select e.id, e.task_id, e.sequence, e.trigger_id, e.snapshot_id, e.user_id, e.driver, e.previous, e.from_status_id,
      e.to_status_id, e.actor_type, e.recorded_at, s.task as snapshot
    from events e join events s on s.organisation_id = e.organisation_id and s.id = e.snapshot_id
    where e.organisation_id = ${organisationId} and e.id > ${id}
    order by e.id`)

const byId = (one: { id: number }, other: { id: number }) => one.id - other.id

let phones = 0

async function makeDrivers(place: Place, teams: number[], count: number): Promise<ModelDriver[]> {
  const make = async (number: number): Promise<ModelDriver> => {
    const phone = `+4072${String(1_000_000 + phones++)}`
    const { user } = (await place.post('/drivers', { name: `Driver ${number}`, phone, teams })).body
    const { code } = (await place.post(`/drivers/${user.id}/invite`)).body
    const { token } = (await request(place.url, 'POST', '/api/v1/driver/login', { body: { phone, code } })).body
    return { id: user.id, token, inShift: false, isDeleted: false, route: [] }
  }
  const made = await Promise.all(Array.from({ length: count }, (_, at) => make(at + 1)))
  return made.sort(byId)
}

/** Every driver has their own address: wrong tokens are limited per address, and must not block the others. */
const callAs = ({ url }: Place, { id, token }: ModelDriver, method: string, path: string, body: unknown) =>
  request(url, method, path, { key: token, body, headers: { 'x-forwarded-for': `10.1.${id >> 8}.${id & 255}` } })

const makeTeams = async (place: Place, count: number): Promise<number[]> => {
  const make = async (number: number) => (await place.post('/teams', { name: `Team ${number}` })).body.team.id
  return Promise.all(Array.from({ length: count }, (_, at) => make(at + 1)))
}

// ------------------------------------------------------------------------------------------------ one client

const index = fc.nat({ max: 50 })
const awb = fc.constantFrom('A', 'B', 'C', 'D', '7')
const price = fc.constantFrom(null, 0, 100, 250)
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

/** A number stands for a task, driver or team: the one at that place in the list, modulo its length. */
const draft = fc.record({
  awb: optional(awb),
  totalPrice: optional(price),
  collectPayment: fc.option(fc.boolean(), { nil: undefined, freq: 2 }),
  team: fc.option(index, { nil: undefined, freq: 2 }),
  driver: fc.option(index, { nil: undefined, freq: 2 }),
  dependencies: fc.oneof(
    { weight: 3, arbitrary: fc.constant<number[]>([]) },
    { weight: 1, arbitrary: fc.array(index, { maxLength: 2 }) },
  ),
})
type DraftPlan = typeof draft extends fc.Arbitrary<infer Plan> ? Plan : never

const edit = fc.record(
  {
    awb,
    details: fc.constantFrom('', 'Ring twice', 'Gate'),
    priority: fc.constantFrom(0, 1),
    totalPrice: price,
    collectPayment: fc.boolean(),
    team: fc.option(index, { nil: null }),
    dependencies: fc.array(index, { maxLength: 2 }),
  },
  { requiredKeys: [] },
)

const setting: fc.Arbitrary<Partial<ModelSettings>> = fc.oneof(
  fc.record({
    forceCompleteAsFailed: fc.boolean(),
    forceCompleteAsFailedCancelReason: fc.constantFrom(null, 'Office'),
  }),
  fc.record({ automaticDriverFlow: fc.boolean() }),
  fc.record({ disableAdminUnassignToOrg: fc.boolean() }),
  fc.record({ enableAWB: fc.boolean() }),
  fc.record({ enableTeamAssignment: fc.boolean() }),
  fc.record({ driverAutoAcceptOrders: fc.boolean(), driverAutoStartsTaskOnAccept: fc.boolean() }),
  fc.record({ allowDriverToCancelTask: fc.boolean(), allowDriverToTakeNotesOnSite: fc.boolean() }),
  fc.record({ allowDriverToTakePaymentsOnSite: fc.boolean(), allowPartialPayments: fc.boolean() }),
)

const verbs: Verb[] = ['accept', 'start', 'start', 'arrive', 'complete', 'complete', 'fail', 'notes']
const kind = <const Kind extends string, Plan>(name: Kind, plan: { [Key in keyof Plan]: fc.Arbitrary<Plan[Key]> }) =>
  fc.record({ kind: fc.constant(name), ...plan }) as unknown as fc.Arbitrary<{ kind: Kind } & Plan>

const operation = fc.oneof(
  { weight: 6, arbitrary: kind('create', { draft }) },
  {
    weight: 3,
    arbitrary: kind('bulkCreate', { drafts: fc.array(draft, { minLength: 1, maxLength: 4 }), driver: optional(index) }),
  },
  { weight: 5, arbitrary: kind('update', { task: index, edit }) },
  {
    weight: 8,
    arbitrary: kind('assign', {
      driver: index,
      tasks: fc.array(index, { maxLength: 4 }),
      by: fc.constantFrom('awb', 'id'),
    }),
  },
  { weight: 3, arbitrary: kind('unassign', { tasks: fc.uniqueArray(index, { maxLength: 3 }) }) },
  {
    weight: 16,
    arbitrary: kind('act', {
      driver: index,
      task: index,
      any: fc.nat({ max: 9 }),
      verb: fc.constantFrom(...verbs, 'payment' as const),
      reason: optional(fc.constant('Nobody home')),
      // No amount means all that is left.
      amount: fc.constantFrom(0, 0, 50, 100, 200),
    }),
  },
  { weight: 3, arbitrary: kind('pay', { task: index, amount: fc.constantFrom(-150, -50, 50, 100, 250) }) },
  {
    weight: 3,
    arbitrary: kind('forceComplete', {
      task: index,
      success: fc.constantFrom(true, false, 'true', 'false', undefined),
      failureReason: optional(fc.constant('Lost')),
    }),
  },
  { weight: 2, arbitrary: kind('note', { task: index }) },
  { weight: 2, arbitrary: kind('remove', { task: index }) },
  {
    weight: 1,
    arbitrary: kind('deleteDriver', { driver: index, force: fc.constantFrom('', '?force=true', '?force=false') }),
  },
  { weight: 1, arbitrary: kind('deleteTeam', { team: index }) },
  { weight: 2, arbitrary: kind('duty', { driver: index, inShift: fc.boolean() }) },
  { weight: 5, arbitrary: kind('settings', { setting }) },
)
type Operation = typeof operation extends fc.Arbitrary<infer Planned> ? Planned : never

const missing = { awb: 'nowhere', id: 999_999_999 }

function pick<Value>(values: Value[], at: number): Value {
  return values[at % values.length] as Value
}

/** A task by its number, deleted ones included, and sometimes one that never existed. */
const pickTask = (model: Model, at: number): Pick<ModelTask, 'awb' | 'id'> =>
  at === 50 || model.tasks.length === 0 ? missing : pick(model.tasks, at)

const pickTeam = (teams: number[], at: number) => (at === 50 ? missing.id : pick(teams, at))

function assertAnswer(reply: Reply, verdict: Verdict, doing: string) {
  if (verdict === 'done') assert.equal(reply.status, 200, `${doing}: ${reply.text}`)
  else assertCode(reply.body.error?.code, verdict, doing)
}

function assertCode(code: string | undefined, verdict: Verdict, doing: string) {
  if (verdict === 'done') assert.equal(code, undefined, `${doing} must succeed`)
  else
    assert.ok(verdict.refused.includes(code as string), `${doing}: ${code} instead of ${verdict.refused.join(' or ')}`)
}

/** An unknown id is 404 in a path, and 400 in a body. */
function assertStatus(reply: Reply, inPath: string[]) {
  const { code } = reply.body.error
  const status = code.endsWith('_NOT_FOUND')
    ? inPath.includes(code)
      ? 404
      : 400
    : ({ FORBIDDEN_BY_SETTING: 403, VALIDATION_FAILED: 400, UNAUTHORIZED: 401 }[code as string] ?? 409)
  assert.equal(reply.status, status, reply.text)
}

/** Sends one operation, lets the model do the same, and compares the answers. */
async function perform(place: Place, model: Model, teams: number[], planned: Operation): Promise<void> {
  const body = (plan: DraftPlan, driver?: ModelDriver): Draft => ({
    ...(plan.awb !== undefined && { awb: plan.awb }),
    ...(plan.totalPrice !== undefined && { totalPrice: plan.totalPrice }),
    ...(plan.collectPayment !== undefined && { collectPayment: plan.collectPayment }),
    ...(plan.team !== undefined && { teamId: pickTeam(teams, plan.team) }),
    ...(driver ? { userId: driver.id } : plan.driver !== undefined && { userId: pick(model.drivers, plan.driver).id }),
    ...(plan.dependencies.length > 0 && {
      dependencies: plan.dependencies.map((at: number) => pickTask(model, at).awb),
    }),
  })
  const born = (draft: Draft, task: { id: number; awb: string }) => {
    const isGiven = draft.awb !== undefined && model.settings.enableAWB
    if (isGiven) assert.equal(task.awb, draft.awb)
    else assert.ok(!model.findTask(task.awb), 'a generated awb is new')
    model.create(draft, task)
  }

  switch (planned.kind) {
    case 'create': {
      const draft = body(planned.draft)
      const reply = await place.post('/tasks', aTask(draft))
      const verdict = model.judgeDraft(draft)
      assertAnswer(reply, verdict, 'creating')
      if (verdict === 'done') born(draft, reply.body.task)
      else assertStatus(reply, [])
      return
    }
    case 'bulkCreate': {
      const driver = planned.driver === undefined ? undefined : pick(model.drivers, planned.driver)
      const drafts = planned.drafts.map((plan) => body(plan, driver))
      const path = driver ? `/drivers/${driver.id}/tasks/bulkCreate` : '/tasks/bulkCreate'
      const tasks = drafts.map(({ userId, ...draft }) =>
        aTask(driver || userId === undefined ? draft : { ...draft, userId }),
      )
      const reply = await place.post(path, { tasks })
      if (driver?.isDeleted) {
        assertAnswer(reply, { refused: ['DRIVER_NOT_FOUND'] }, 'creating for a deleted driver')
        return assertStatus(reply, ['DRIVER_NOT_FOUND'])
      }
      assert.equal(reply.status, 200, reply.text)
      assert.deepEqual(
        reply.body.results.map(({ item }: { item: number }) => item),
        drafts.map((_, at) => at + 1),
      )
      // Dependencies are resolved before the request, so they cannot name an item of the same request.
      for (const [at, draft] of drafts.entries()) {
        const result = reply.body.results[at]
        const verdict = model.judgeDraft(draft)
        assertCode(result.error?.code, verdict, `creating item ${at + 1}`)
        assert.equal(result.success, verdict === 'done')
        assert.equal(result.data !== undefined, verdict === 'done')
        if (verdict === 'done') born(draft, result.data)
      }
      return
    }
    case 'update': {
      const { awb } = pickTask(model, planned.task)
      const { team, dependencies, ...plain } = planned.edit
      const edit: Edit = {
        ...plain,
        ...(team !== undefined && { teamId: team === null ? null : pickTeam(teams, team) }),
        ...(dependencies && { dependencies: dependencies.map((at) => pickTask(model, at).awb) }),
      }
      const isThere = model.findTask(awb) !== undefined
      const reply = await place.put(`/tasks/awb/${awb}`, edit)
      const verdict = model.update(awb, edit)
      assertAnswer(reply, verdict, `updating ${awb}`)
      if (verdict !== 'done') assertStatus(reply, isThere ? [] : ['TASK_NOT_FOUND'])
      return
    }
    case 'assign': {
      const driver = pick(model.drivers, planned.driver)
      const picked = planned.tasks.map((at) => pickTask(model, at))
      const reply =
        planned.by === 'awb'
          ? await place.put(`/containers/drivers/${driver.id}`, { tasks: picked.map(({ awb }) => awb) })
          : await place.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: picked.map(({ id }) => String(id)) })
      if (driver.isDeleted) {
        assertAnswer(reply, { refused: ['DRIVER_NOT_FOUND'] }, 'assigning to a deleted driver')
        return assertStatus(reply, ['DRIVER_NOT_FOUND'])
      }
      assert.equal(reply.status, 200, reply.text)
      assert.equal(reply.body.results.length, picked.length)
      for (const [at, { id, awb }] of picked.entries()) {
        const result = reply.body.results[at]
        if (planned.by === 'awb') assert.equal(result.awb, awb)
        else assert.equal(result.id, id)
        const task = planned.by === 'awb' ? model.findTask(awb) : model.tasks.find((one) => one.id === id)
        const verdict = model.assign(task, driver.id)
        assertCode(result.error?.code, verdict, `assigning ${awb}`)
        assert.equal(result.success, verdict === 'done')
      }
      return
    }
    case 'unassign': {
      const awbs = [...new Set(planned.tasks.map((at) => pickTask(model, at).awb))]
      const reply = await place.post('/tasks/bulkUnassign', { tasks: awbs })
      assert.equal(reply.status, 200, reply.text)
      assert.deepEqual(
        reply.body.results.map((result: { awb: string }) => result.awb),
        awbs,
      )
      for (const [at, awb] of awbs.entries()) {
        const verdict = model.unassign(model.findTask(awb))
        assertCode(reply.body.results[at].error?.code, verdict, `unassigning ${awb}`)
        assert.equal(reply.body.results[at].success, verdict === 'done')
      }
      const found = awbs.flatMap((awb) => model.findTask(awb) ?? []).map(({ id, statusId }) => ({ id, statusId }))
      assert.deepEqual(reply.body.tasks, found, 'every task found, with its resulting state, in the order given')
      return
    }
    case 'act': {
      const driver = pick(model.drivers, planned.driver)
      const own = model.tasks.filter((task) => task.userId === driver.id && !task.isDeleted)
      const isOwn = planned.any > 0 && own.length > 0
      const task = isOwn ? pick(own, planned.task) : pickTask(model, planned.task)
      const given =
        ({ notes: { note: 'Left at the door' }, fail: { reason: planned.reason } } as Partial<Record<Verb, object>>)[
          planned.verb
        ] ?? {}
      const known = model.tasks.find(({ id }) => id === task.id)
      if (planned.verb === 'payment') return takePayment(place, model, driver, task.id, known, planned.amount)
      const path = `/api/v1/driver/tasks/${task.id}/${planned.verb}`
      const reply = await callAs(place, driver, 'POST', path, given)
      const verdict = model.act(driver, known, planned.verb, planned.reason)
      assertAnswer(reply, verdict, `${planned.verb} of ${task.awb}`)
      if (verdict !== 'done') assertStatus(reply, ['TASK_NOT_FOUND'])
      return
    }
    case 'forceComplete': {
      const { awb } = pickTask(model, planned.task)
      const { success, failureReason } = planned
      const reply = await place.put(`/tasks/awb/${awb}/forceComplete`, { success, failureReason })
      const asked = success === undefined ? undefined : String(success) === 'true'
      const verdict = model.forceComplete(awb, asked, failureReason)
      assertAnswer(reply, verdict, `force completing ${awb}`)
      if (verdict !== 'done') assertStatus(reply, ['TASK_NOT_FOUND'])
      return
    }
    case 'pay': {
      const { id, awb } = pickTask(model, planned.task)
      const reply = await place.post(`/tasks/${id}/payments`, { amount: planned.amount, method: 'other' })
      const verdict = model.pay(
        model.tasks.find((task) => task.id === id),
        planned.amount,
      )
      assertAnswer(reply, verdict, `paying ${planned.amount} for ${awb}`)
      if (verdict !== 'done') assertStatus(reply, ['TASK_NOT_FOUND'])
      return
    }
    case 'note': {
      const { awb } = pickTask(model, planned.task)
      const reply = await place.post(`/tasks/awb/${awb}/notes`, { note: 'From the office' })
      return assertAnswer(reply, model.note(model.findTask(awb)), `a note on ${awb}`)
    }
    case 'remove': {
      const { awb } = pickTask(model, planned.task)
      const reply = await place.delete(`/tasks/awb/${awb}`)
      return assertAnswer(reply, model.remove(awb), `deleting ${awb}`)
    }
    case 'deleteDriver': {
      const driver = pick(model.drivers, planned.driver)
      const reply = await place.delete(`/drivers/${driver.id}${planned.force}`)
      return assertAnswer(reply, model.deleteDriver(driver, planned.force === '?force=true'), 'deleting a driver')
    }
    case 'deleteTeam': {
      const team = pickTeam(teams, planned.team)
      return assertAnswer(await place.delete(`/teams/${team}`), model.deleteTeam(team), 'deleting a team')
    }
    case 'duty': {
      const driver = pick(model.drivers, planned.driver)
      const { inShift } = planned
      const reply = await callAs(place, driver, 'PUT', '/api/v1/driver/duty', { inShift })
      if (driver.isDeleted) return assertAnswer(reply, { refused: ['UNAUTHORIZED'] }, 'duty of a deleted driver')
      driver.inShift = inShift
      return assertAnswer(reply, 'done', 'duty')
    }
    case 'settings': {
      Object.assign(model.settings, planned.setting)
      return assertAnswer(await place.put('/company', { settings: planned.setting }), 'done', 'settings')
    }
  }
}

/** Payments have no verb of their own: a phone sends them in a sync. */
async function takePayment(
  place: Place,
  model: Model,
  driver: ModelDriver,
  taskId: number,
  task: ModelTask | undefined,
  given: number,
) {
  const amount = given || (task && wire(task).leftToBePaid) || 100
  const occurredAt = new Date().toISOString()
  const ops = [{ opId: randomUUID(), type: 'payment', taskId, occurredAt, amount, method: 'cash' }]
  const reply = await callAs(place, driver, 'POST', '/api/v1/driver/sync', { deviceTime: occurredAt, ops })
  const verdict = model.act(driver, task, 'payment', undefined, amount)
  if (driver.isDeleted) return assertAnswer(reply, verdict, 'a payment to a driver who is gone')
  assertCode(reply.body.results[0].error?.code, verdict, `taking ${amount} for task ${taskId}`)
}

// biome-ignore lint/suspicious/noExplicitAny: the wire shape is checked by assertConforms
type Wire = any

const fields = (task: Wire) => ({
  awb: task.awb,
  details: task.details,
  priority: task.priority,
  totalPrice: task.totalPrice,
  collectPayment: task.collectPayment,
  leftToBePaid: task.leftToBePaid,
  statusId: task.statusId,
  userId: task.userId,
  teamId: task.teamId,
  cancelReason: task.cancelReason,
  driverArrived: task.driverArrived,
  notes: task.notes.length,
  dependencies: task.dependencies.map((one: Wire) => one.taskId).sort((one: number, other: number) => one - other),
})

/** Every task must look as in the model, and the routes and drivers that these changes may have touched. */
async function assertState(place: Place, model: Model, changes: Change[], isEnd: boolean) {
  const living = model.drivers.filter(({ isDeleted }) => !isDeleted)
  const touched = new Set(changes.flatMap(({ triggers, driver }) => triggers.map(driver)))
  const looked = living.filter(({ id }) => isEnd || touched.has(id))
  const [list, ...routes] = await Promise.all([
    place.get('/tasks'),
    ...looked.map(({ id }) => place.get(`/drivers/${id}/tasks`)),
  ])
  const wanted = model.tasks.filter(({ isDeleted }) => !isDeleted).sort(byId)
  assert.deepEqual(
    list.body.tasks.map((task: Wire) => ({ id: task.id, ...fields(task) })),
    wanted.map((task) => ({ id: task.id, ...wire(task) })),
  )
  for (const { user, userId, team, teamId, status, statusId, dependencies } of list.body.tasks) {
    assert.deepEqual([user?.id ?? null, team?.id ?? null, status.id], [userId, teamId, statusId])
    for (const { taskId, statusId } of dependencies)
      assert.equal(statusId, model.tasks.find(({ id }) => id === taskId)?.statusId)
  }
  for (const [at, driver] of looked.entries()) {
    const tasks: Wire[] = routes[at]!.body.tasks
    const ended = wanted.filter((task) => task.userId === driver.id && !driver.route.includes(task))
    assert.deepEqual(
      tasks.slice(0, driver.route.length).map(({ id }) => id),
      driver.route.map(({ id }) => id),
      'the route, open ones first',
    )
    assert.deepEqual(
      tasks
        .slice(driver.route.length)
        .map(({ id }) => id)
        .sort((one, other) => one - other),
      ended.map(({ id }) => id),
    )
  }
  if (isEnd) {
    const { users } = (await place.get('/drivers')).body
    const statusOf = ({ inShift, route }: ModelDriver) =>
      (route.some((task) => task.statusId === 7) ? 2 : 1) * Number(inShift)
    assert.deepEqual(
      users.map(({ id, status }: Wire) => [id, status]),
      living.map((driver) => [driver.id, statusOf(driver)]),
      'the state of the drivers',
    )
  }
  return list.body.tasks as Wire[]
}

/** The log must have grown by what the model says, and each entry must name only what really changed. */
async function assertEvents(place: Place, tasks: Wire[], after: number, changes: Change[]) {
  const rows = await eventsAfter(place, after)
  const wanted = new Map<number, Change[]>()
  for (const change of changes) wanted.set(change.task.id, [...(wanted.get(change.task.id) ?? []), change])
  const tell = (one: Change) =>
    one.triggers.map((trigger) => ({
      trigger,
      driver: one.driver(trigger),
      from: one.from,
      to: one.to,
      actor: one.actor,
    }))
  const told = (row: EventRow) => ({
    trigger: row.trigger_id,
    driver: row.user_id,
    from: row.from_status_id,
    to: row.to_status_id,
    actor: row.actor_type,
  })
  const byTask = Object.groupBy(rows, (row) => String(row.task_id))
  assert.deepEqual(
    Object.fromEntries(Object.entries(byTask).map(([id, rows]) => [id, rows!.map(told)])),
    Object.fromEntries([...wanted].map(([id, changes]) => [id, changes.flatMap(tell)])),
    'what fired',
  )
  for (const [id, changes] of wanted) {
    const rows = byTask[id] as EventRow[]
    let at = 0
    for (const change of changes) {
      const group = rows.slice(at, at + change.triggers.length)
      at += change.triggers.length
      assert.equal(new Set(group.map((row) => row.snapshot_id)).size, 1, 'the triggers of one change share a snapshot')
      for (const row of group) assertPrevious(row, change, tasks)
    }
  }
  return rows.at(-1)?.id ?? after
}

function assertPrevious(row: EventRow, change: Change, tasks: Wire[]) {
  const previous = row.previous === null ? null : JSON.parse(row.previous)
  const snapshot = JSON.parse(row.snapshot)
  for (const key of Object.keys(previous ?? {}))
    assert.notDeepEqual(previous[key], snapshot[key], `${key} is listed as changed, but is not`)
  if (change.previous) {
    const { team: _, ...told } = previous ?? {}
    if (told.dependencies) told.dependencies = told.dependencies.map((one: Wire) => one.taskId).sort()
    assert.deepEqual(told, change.previous, 'only what changed')
  }
  if (row.driver !== null) assert.equal(JSON.parse(row.driver).id, row.user_id)
  const entry = tasks.find(({ id }) => id === row.task_id)?.timelines[row.sequence - 1]
  if (!entry) return
  assert.equal(entry.id, row.id)
  assert.deepEqual(entry.data?.previous ?? null, previous, "the timeline's data")
}

test('whatever a client does, responses, tasks, routes and the log follow the rules', async (t) => {
  const server = await startServer(t, { WAYBILL_TRUST_PROXY: 'true' })
  const runs = amounts['runs of one client']
  let done = 0
  await fc.assert(
    fc.asyncProperty(
      fc.noBias(fc.array(operation, { minLength: 1, maxLength: 80, size: 'max' })),
      async (operations) => {
        const place = { ...server, ...(await server.another()) }
        const teams = await makeTeams(place, 2)
        const model = createModel(teams)
        model.drivers.push(...(await makeDrivers(place, teams, 3)))
        let last = 0
        for (const [at, planned] of operations.entries()) {
          try {
            await perform(place, model, teams, planned)
            const changes = model.takeChanges()
            const tasks = await assertState(place, model, changes, at % 10 === 9 || at === operations.length - 1)
            last = await assertEvents(place, tasks, last, changes)
            done++
          } catch (error) {
            ;(error as Error).message =
              `after ${at + 1} operations, ${JSON.stringify(planned)}: ${(error as Error).message}`
            throw error
          }
        }
      },
    ),
    // Shortening the sequence after a failure takes a while; this is the limit.
    { seed, numRuns: runs, interruptAfterTimeLimit: runs * 30_000 },
  )
  tellNumbers(t, 'model', { 'runs of one client': runs, operations: done })
})

// ----------------------------------------------------------------------------------------------- many clients

const few = fc.nat({ max: 4 })
const several = fc.uniqueArray(few, { minLength: 1, maxLength: 4 })

const race = fc.oneof(
  { weight: 8, arbitrary: kind('assign', { driver: few, tasks: several, by: fc.constantFrom('awb', 'id') }) },
  { weight: 4, arbitrary: kind('unassign', { tasks: several }) },
  { weight: 12, arbitrary: kind('act', { driver: few, task: few, verb: fc.constantFrom(...verbs) }) },
  { weight: 2, arbitrary: kind('forceComplete', { task: few, success: fc.boolean() }) },
  { weight: 2, arbitrary: kind('note', { task: few }) },
  { weight: 2, arbitrary: kind('edit', { task: few }) },
  { weight: 3, arbitrary: kind('depend', { task: few, on: fc.uniqueArray(few, { maxLength: 2 }) }) },
  { weight: 3, arbitrary: kind('team', { task: few, team: few }) },
  { weight: 3, arbitrary: kind('create', { awb: few, driver: optional(few), team: optional(few) }) },
  { weight: 2, arbitrary: kind('bulkCreate', { driver: few }) },
  { weight: 1, arbitrary: kind('remove', { task: few }) },
  { weight: 1, arbitrary: kind('deleteDriver', { force: fc.boolean() }) },
  { weight: 2, arbitrary: kind('deleteTeam', { team: few }) },
)
type Race = typeof race extends fc.Arbitrary<infer Planned> ? Planned : never

/** What a client was told about one task (or driver, or team), when it asked and when it was answered. */
interface Claim {
  kind: Race['kind'] | Verb
  taskId: number
  driverId: number | null
  teamId: number | null
  detail: string
  code: string | undefined
  startedAt: number
  endedAt: number
}

interface Field {
  place: Place
  drivers: ModelDriver[]
  teams: number[]
  tasks: { id: number; awb: string }[]
  claims: Claim[]
  /** The setting automaticDriverFlow. */
  isFlowing: boolean
}

let marks = 0

/** Sends one operation of one of several clients, and notes what the answer claims. */
async function contend({ place, drivers, teams, tasks, claims }: Field, planned: Race): Promise<void> {
  const driver = 'driver' in planned && planned.driver !== undefined ? pick(drivers, planned.driver) : undefined
  const task = 'task' in planned ? pick(tasks, planned.task) : undefined
  const teamId = 'team' in planned && planned.team !== undefined ? pick(teams, planned.team) : null
  const mark = `Mark ${marks++}`
  const startedAt = Date.now()
  const claim = (taskId: number, code: string | undefined, detail = '', kind: Claim['kind'] = planned.kind) =>
    claims.push({ kind, taskId, driverId: driver?.id ?? null, teamId, detail, code, startedAt, endedAt: Date.now() })
  const fine = (reply: Reply) => {
    assert.ok(reply.status < 500, `${planned.kind} ${JSON.stringify(planned)} answered ${reply.text}`)
    return reply
  }
  const one = (reply: Reply, detail = '', kind: Claim['kind'] = planned.kind) =>
    claim(task?.id ?? 0, fine(reply).body.error?.code, detail, kind)

  switch (planned.kind) {
    case 'assign': {
      const picked = planned.tasks.map((at) => pick(tasks, at))
      const reply = fine(
        planned.by === 'awb'
          ? await place.put(`/containers/drivers/${driver?.id}`, { tasks: picked.map(({ awb }) => awb) })
          : await place.post(`/drivers/${driver?.id}/tasks/bulkAssign`, { tasks: picked.map(({ id }) => id) }),
      )
      for (const [at, { id }] of picked.entries())
        claim(id, reply.status === 200 ? reply.body.results[at].error?.code : reply.body.error.code)
      return
    }
    case 'unassign': {
      const picked = planned.tasks.map((at) => pick(tasks, at))
      const reply = fine(await place.post('/tasks/bulkUnassign', { tasks: picked.map(({ awb }) => awb) }))
      for (const [at, { id }] of picked.entries()) claim(id, reply.body.results[at].error?.code)
      return
    }
    case 'act': {
      const path = `/api/v1/driver/tasks/${task?.id}/${planned.verb}`
      const body = planned.verb === 'notes' ? { note: mark } : {}
      one(await callAs(place, driver!, 'POST', path, body), mark, planned.verb)
      return
    }
    case 'forceComplete':
      one(
        await place.put(`/tasks/awb/${task?.awb}/forceComplete`, { success: planned.success }),
        planned.success ? 'complete' : 'fail',
      )
      return
    case 'note':
      one(await place.post(`/tasks/awb/${task?.awb}/notes`, { note: mark }), mark)
      return
    case 'edit':
      one(await place.put(`/tasks/awb/${task?.awb}`, { details: mark }), mark)
      return
    case 'depend': {
      const on = planned.on.map((at) => pick(tasks, at))
      const dependencies = on.map(({ awb }) => awb)
      one(await place.put(`/tasks/awb/${task?.awb}`, { dependencies }), on.map(({ id }) => id).join())
      return
    }
    case 'team':
      one(await place.put(`/tasks/awb/${task?.awb}`, { teamId }))
      return
    case 'create': {
      const awb = `N-${planned.awb}`
      const reply = fine(await place.post('/tasks', aTask({ awb, teamId, ...(driver && { userId: driver.id }) })))
      claim(reply.body.task?.id ?? 0, reply.body.error?.code, awb)
      return
    }
    case 'bulkCreate': {
      const reply = fine(await place.post(`/drivers/${driver?.id}/tasks/bulkCreate`, { tasks: [aTask(), aTask()] }))
      if (reply.status !== 200) claim(0, reply.body.error.code)
      else for (const result of reply.body.results) claim(result.data?.id ?? 0, result.error?.code)
      return
    }
    case 'remove':
      one(await place.delete(`/tasks/awb/${task?.awb}`))
      return
    case 'deleteDriver': {
      const reply = await place.delete(`/drivers/${drivers.at(-1)?.id}?force=${planned.force}`)
      claim(0, fine(reply).body.error?.code, String(planned.force))
      return
    }
    case 'deleteTeam':
      claim(0, fine(await place.delete(`/teams/${teamId}`)).body.error?.code)
  }
}

/** One change, as the log has it: the events that share a snapshot. */
interface Group {
  rows: EventRow[]
  move: Move | 'edit'
  what: string
  snapshot: Wire
  at: number
}

const moveOf = new Map<string, Move>(Object.entries(moves).map(([name, { fires }]) => [fires.join(), name as Move]))

/** Collects what is wrong instead of stopping at the first: after a race there is nothing to repeat step by step. */
function createJudge() {
  const problems = new Set<string>()
  const ok = (isRight: unknown, message: string) => {
    if (!isRight) problems.add(message)
  }
  return {
    problems,
    ok,
    equal: (is: unknown, wanted: unknown, message = '') =>
      ok(isDeepStrictEqual(is, wanted), `${message}: ${JSON.stringify(is)} instead of ${JSON.stringify(wanted)}`),
    notEqual: (is: unknown, other: unknown, message = '') => ok(!isDeepStrictEqual(is, other), `${message}: ${is}`),
  }
}

let judge = createJudge()

function groupEvents(rows: EventRow[]): Group[] {
  return [...Map.groupBy(rows, (row) => row.snapshot_id).values()].map((rows) => {
    const fired = rows.map((row) => row.trigger_id).join()
    const move = fired === '5' ? 'edit' : moveOf.get(fired)
    assert.ok(move, `nothing fires ${fired}`)
    const previous = rows[0]!.previous === null ? null : JSON.parse(rows[0]!.previous)
    return {
      rows,
      move,
      what: move === 'edit' ? editOf(previous) : move,
      snapshot: JSON.parse(rows[0]!.snapshot),
      at: rows[0]!.recorded_at.getTime(),
    }
  })
}

const tell = ({ what, rows }: Group) =>
  rows.map(({ snapshot: _, driver: __, ...row }) => `${what} ${JSON.stringify(row)}`).join(' and ')

/** Which edit it was. In the race each edit changes one thing, so an entry with two changes contains another's. */
function editOf(previous: Wire): string {
  const keys = Object.keys(previous ?? {}).filter((key) => key !== 'team')
  const told = edits.filter(([field]) => keys.includes(field))
  const isOne = told.length <= 1 && keys.every((key) => (told[0] as readonly string[] | undefined)?.includes(key))
  judge.ok(isOne, `one edit contains what others did: ${JSON.stringify(previous)}`)
  return told[0]?.[1] ?? 'remark'
}

/** The field that identifies an edit, its name, and other fields the edit may change. */
const edits = [
  ['notes', 'note'],
  ['details', 'edit'],
  ['dependencies', 'depend'],
  ['teamId', 'team'],
  ['acceptedAt', 'accept'],
  ['arrivalTime', 'arrive', 'driverArrived'],
] as const satisfies [string, string, ...string[]][]

interface Period {
  statusId: number | null
  userId: number | null
  snapshot: Wire
  /** The task was in this state at the earliest from, and at the latest until. */
  from: number
  until: number
}

/** The history of one task must be a walk through the table of moves. */
function walk(groups: Group[], claimsOf: (group: Group) => Claim[], isFlowing: boolean): Period[] {
  let statusId: number | null = null
  let userId: number | null = null
  let sequence = 0
  const periods: Period[] = []
  for (const group of groups) {
    const { rows, move, snapshot } = group
    const [first] = rows as [EventRow]
    const said: string = `${move} from ${first.from_status_id} to ${first.to_status_id} while in ${statusId}`
    for (const row of rows) judge.equal(row.sequence, ++sequence, 'a sequence without holes')
    judge.equal(first.from_status_id, statusId, said)
    judge.ok(move === 'edit' || (moves[move].from as readonly (number | null)[]).includes(statusId), said)
    judge.equal(first.to_status_id, move === 'edit' ? statusId : moves[move].to, said)
    if (move === 'complete' && statusId === 6 && !isFlowing)
      judge.equal(first.actor_type, 'API', 'only the office completes unstarted')
    for (const row of rows) {
      if (row.trigger_id === 8) judge.equal(row.user_id, userId, 'TASK_UNASSIGNED names who lost it')
      else judge.equal(row.user_id, snapshot.userId, `trigger ${row.trigger_id} names who has it`)
    }
    judge.equal(snapshot.user?.id ?? null, snapshot.userId, 'the driver shown is the driver named')
    if (move === 'reassign') judge.notEqual(snapshot.userId, userId, 'reassigned to the same driver')
    else if (move === 'unassign') judge.equal(snapshot.userId, null, 'unassigned')
    else if (!['assign', 'createForDriver'].includes(move))
      judge.equal(snapshot.userId, userId, `${move} keeps the driver`)
    statusId = first.to_status_id
    userId = snapshot.userId
    if (statusId !== null) judge.equal(snapshot.statusId, statusId, 'the state in the snapshot')
    const previous = periods.at(-1)
    if (previous) previous.until = Math.max(group.at, ...claimsOf(group).map(({ endedAt }) => endedAt))
    periods.push({ statusId, userId, snapshot, from: group.at - clockErrorMs, until: Number.POSITIVE_INFINITY })
  }
  return periods
}

/** On a busy machine a server knows the database's clock less exactly. */
const clockErrorMs = 500

const couldBe = (claim: Claim, { what, snapshot, rows, at }: Group): boolean => {
  if (claim.code !== undefined || at < claim.startedAt - clockErrorMs || at > claim.endedAt + clockErrorMs) return false
  const isDriver = rows[0]!.actor_type === 'DRIVER'
  const isOwn = !isDriver || rows.at(-1)!.user_id === claim.driverId
  switch (claim.kind) {
    case 'assign':
      return (what === 'assign' || what === 'reassign') && snapshot.userId === claim.driverId
    case 'create':
      return what === (claim.driverId === null ? 'create' : 'createForDriver')
    case 'bulkCreate':
      return what === 'createForDriver'
    case 'forceComplete':
      return what === claim.detail && !isDriver
    case 'remove':
      return what === 'delete'
    case 'note':
      return what === 'note' && !isDriver && snapshot.notes.at(-1).note === claim.detail
    case 'notes':
      return what === 'note' && isDriver && isOwn && snapshot.notes.at(-1).note === claim.detail
    case 'edit':
      return what === 'edit' && snapshot.details === claim.detail
    case 'accept':
    case 'start':
    case 'arrive':
    case 'complete':
    case 'fail':
      return what === claim.kind && isDriver && isOwn
    default:
      return what === claim.kind && !isDriver
  }
}

/** A success that changed nothing: at some point during the call the task was already like that. */
const isNothing = (claim: Claim, { statusId, userId, snapshot }: Period): boolean =>
  ({
    assign: statusId === 6 && userId === claim.driverId,
    unassign: statusId === 1,
    accept: userId === claim.driverId && snapshot.acceptedAt !== null,
    start: userId === claim.driverId && snapshot.startedAt !== null,
    arrive: userId === claim.driverId && snapshot.arrivalTime !== null,
    complete: statusId === 9 && userId === claim.driverId,
    fail: statusId === 10 && userId === claim.driverId,
    depend: statusId !== null,
    team: statusId !== null,
  })[claim.kind as string] ?? false

const isDriverVerb = (claim: Claim) => (verbs as string[]).includes(claim.kind)

/** Whether the refusal was right for a task in this state. */
function isExplained(claim: Claim, { statusId, userId, snapshot }: Period): boolean {
  if (isDriverVerb(claim) && claim.code !== 'TASK_NOT_FOUND' && userId !== claim.driverId) return false
  switch (claim.code) {
    case 'TASK_NOT_FOUND':
      return statusId === null || (isDriverVerb(claim) && userId !== claim.driverId)
    case 'TASK_ALREADY_PROCESSED':
      return statusId === 9 || statusId === 10 || (claim.kind === 'assign' && statusId === 7)
    case 'TASK_NOT_ASSIGNED':
      return statusId === 1
    case 'TASK_IN_TRANSIT':
      return statusId === 7
    case 'TASK_NOT_STARTED':
      return statusId === 6
    case 'DEPENDENCY_OPEN':
      return snapshot.dependencies.length > 0
    case 'VALIDATION_FAILED':
      return claim.kind === 'depend'
    default:
      return false
  }
}

/** What a driver does to a task that used to be theirs is refused, and noted in its timeline. */
const isRemarked = (claim: Claim, { rows, at }: Group) =>
  claim.code === 'TASK_NOT_FOUND' &&
  isDriverVerb(claim) &&
  claim.taskId === rows[0]!.task_id &&
  at >= claim.startedAt - clockErrorMs &&
  at <= claim.endedAt + clockErrorMs

const overlaps = (claim: Claim, { from, until }: Period) => claim.startedAt <= until && claim.endedAt >= from

/**
 * Pairs changes and answers one to one; returns the answers without a change, and fails if a change is left over. An
 * answer is free if it needs no change; a change is free if another call may have caused it.
 */
function pair(
  groups: Group[],
  claims: Claim[],
  isFreeClaim: (claim: Claim) => boolean,
  isFree: (group: Group) => boolean,
) {
  const groupOf = new Map<Claim, Group>()
  const claimOf = new Map<Group, Claim>()
  const join = (claim: Claim, group: Group) => {
    claimOf.set(group, claim)
    groupOf.set(claim, group)
    return true
  }
  const place = (claim: Claim, tried: Set<Group>): boolean =>
    groups.some((group) => {
      if (tried.has(group) || !couldBe(claim, group)) return false
      tried.add(group)
      const other = claimOf.get(group)
      return (!other || place(other, tried)) && join(claim, group)
    })
  const cover = (group: Group, tried: Set<Claim>): boolean =>
    claims.some((claim) => {
      if (tried.has(claim) || !couldBe(claim, group)) return false
      tried.add(claim)
      const other = groupOf.get(claim)
      if (other && !isFree(other) && !cover(other, tried)) return false
      if (other && claimOf.get(other) === claim) claimOf.delete(other)
      return join(claim, group)
    })
  for (const claim of claims.filter((claim) => !isFreeClaim(claim)))
    judge.ok(place(claim, new Set()), `a success without a change: ${JSON.stringify(claim)}`)
  for (const group of groups)
    judge.ok(
      isFree(group) || claimOf.has(group) || cover(group, new Set()),
      `a change that no answer mentions: ${tell(group)}`,
    )
  return claims.filter((claim) => !groupOf.has(claim))
}

async function assertExplained(field: Field, setUp: number) {
  const { place, drivers, claims, isFlowing } = field
  const rows = await eventsAfter(place, 0)
  judge.equal(
    rows.map(({ id }) => id),
    rows.map((_, at) => at + 1),
    'numbers of events without holes',
  )
  const wholesale = claims.filter(({ kind, code }) => !code && (kind === 'deleteDriver' || kind === 'deleteTeam'))
  judge.equal(
    new Set(wholesale.map(({ kind, teamId }) => `${kind} ${teamId}`)).size,
    wholesale.length,
    'nothing is deleted twice',
  )
  const lastDriver = drivers.at(-1)!.id
  /** What follows from a call about something else. */
  const follows = (group: Group) =>
    claims.filter((claim) => {
      if (group.what === 'remark') return isRemarked(claim, group)
      if (
        claim.code !== undefined ||
        group.at < claim.startedAt - clockErrorMs ||
        group.at > claim.endedAt + clockErrorMs
      )
        return false
      if (claim.kind === 'deleteDriver') return group.what === 'unassign' && group.rows[0]!.user_id === lastDriver
      if (claim.kind === 'complete')
        return isFlowing && group.what === 'start' && group.rows[0]!.user_id === claim.driverId
      return claim.kind === 'deleteTeam' && group.what === 'team'
    })
  const periodsOf = new Map<number, Period[]>()

  for (const [taskId, taskRows] of Map.groupBy(rows, (row) => row.task_id)) {
    const groups = groupEvents(taskRows)
    const own = claims.filter((claim) => claim.taskId === taskId)
    const candidates = (group: Group) => [...own.filter((claim) => couldBe(claim, group)), ...follows(group)]
    const raced = groups.filter(({ rows }) => rows[0]!.id > setUp)
    for (const group of raced) judge.ok(candidates(group).length > 0, `no call asked for ${tell(group)}`)
    const periods = walk(groups, candidates, isFlowing)
    periodsOf.set(taskId, periods)

    const explained = (claim: Claim, by: (claim: Claim, period: Period) => boolean) =>
      periods.some((period) => overlaps(claim, period) && by(claim, period))
    const successes = own.filter(({ code }) => code === undefined)
    const left = pair(
      raced,
      successes,
      (claim) => explained(claim, isNothing),
      (group) => follows(group).length > 0,
    )
    for (const claim of left)
      judge.ok(explained(claim, isNothing), `a success without a change: ${JSON.stringify(claim)}`)
  }

  for (const claim of claims.filter(({ code }) => code !== undefined)) {
    const isGone = (kind: Claim['kind'], teamId: number | null = null) =>
      wholesale.some((one) => one.kind === kind && one.teamId === teamId && one.startedAt <= claim.endedAt)
    // A missing dependency is refused with the same code as a missing task.
    const named = claim.kind === 'depend' ? [claim.taskId, ...claim.detail.split(',').map(Number)] : [claim.taskId]
    const periods = named.flatMap((taskId) => periodsOf.get(taskId) ?? [])
    const isRight =
      {
        DRIVER_NOT_FOUND: isGone('deleteDriver') && (claim.driverId === lastDriver || claim.kind === 'deleteDriver'),
        UNAUTHORIZED: isGone('deleteDriver') && claim.driverId === lastDriver,
        TEAM_NOT_FOUND: isGone('deleteTeam', claim.teamId),
        AWB_TAKEN: claims.some(
          (one) => one.kind === 'create' && !one.code && one.detail === claim.detail && one.startedAt <= claim.endedAt,
        ),
        DRIVER_BUSY:
          claim.detail === 'false' &&
          [...periodsOf.values()]
            .flat()
            .some((period) => period.statusId === 7 && period.userId === lastDriver && overlaps(claim, period)),
      }[claim.code as string] ?? periods.some((period) => overlaps(claim, period) && isExplained(claim, period))
    const seen = periods.filter((period) => overlaps(claim, period)).map(({ statusId, userId }) => [statusId, userId])
    judge.ok(isRight, `a refusal nothing explains: ${JSON.stringify(claim)} while ${JSON.stringify(seen)}`)
  }
  await assertStored(place, rows, periodsOf)
}

/** What is stored now matches the end of every history, and nothing contradicts itself. */
async function assertStored(place: Place, rows: EventRow[], periodsOf: Map<number, Period[]>) {
  const { database, organisationId } = place
  const stored = await database.everyone.many<
    Record<string, number | null> & { is_gone: boolean; user_gone: boolean }
  >(sql`
    select t.id, t.status_id, t.user_id, t.route_position, t.last_sequence, t.deleted_at is not null as is_gone,
      coalesce(u.deleted_at is not null, false) as user_gone
    from tasks t left join users u on u.organisation_id = t.organisation_id and u.id = t.user_id
    where t.organisation_id = ${organisationId}
    order by t.id`)
  const positions = new Set<string>()
  for (const task of stored) {
    const last = periodsOf.get(task['id'] as number)?.at(-1)
    assert.ok(last, 'no task without a history')
    judge.equal(task.is_gone ? null : task['status_id'], last.statusId, 'the state the history ends in')
    judge.equal(task['user_id'], last.userId, 'the driver the history ends with')
    judge.equal(task['last_sequence'], rows.filter((row) => row.task_id === task['id']).length, 'the last sequence')
    if (task.is_gone || (task['status_id'] !== 6 && task['status_id'] !== 7)) continue
    judge.ok(!task.user_gone && task['user_id'] !== null, `task ${task['id']} belongs to a deleted driver`)
    const position = `${task['user_id']}: ${task['route_position']}`
    judge.ok(task['route_position'] !== null && !positions.has(position), `two tasks at position ${position}`)
    positions.add(position)
  }

  const links = await database.everyone.many<{ task_id: number; depends_on_id: number }>(sql`
    select task_id, depends_on_id from dependencies where organisation_id = ${organisationId}`)
  const reaches = (from: number, to: number, seen = new Set<number>()): boolean =>
    links.some(
      ({ task_id, depends_on_id }) =>
        task_id === from &&
        (depends_on_id === to || (!seen.has(depends_on_id) && reaches(depends_on_id, to, seen.add(depends_on_id)))),
    )
  for (const { task_id } of links) judge.ok(!reaches(task_id, task_id), 'no task waits for itself')

  for (const start of rows.filter((row) => row.trigger_id === 1)) {
    const before = rows.filter((row) => row.task_id === start.task_id && row.id < start.id).at(-1)!
    for (const { taskId } of JSON.parse(before.snapshot).dependencies)
      judge.ok(
        // No task has to wait for a deleted one.
        rows.some((row) => row.task_id === taskId && [2, 6].includes(row.trigger_id) && row.id < start.id),
        `task ${start.task_id} started before ${taskId}, on which it depends, had succeeded or was deleted`,
      )
  }
}

test('whatever many clients do at once, the rules explain every response and every history', async (t) => {
  const server = await startServer(t, { WAYBILL_TRUST_PROXY: 'true' })
  const runs = amounts['runs of many clients']
  let done = 0
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(...Array.from({ length: 6 }, () => fc.noBias(fc.array(race, { minLength: 12, maxLength: 12 })))),
      fc.boolean(),
      async (clients, isFlowing) => {
        const place = { ...server, ...(await server.another()) }
        await place.put('/company', { settings: { automaticDriverFlow: isFlowing } })
        const teams = await makeTeams(place, 5)
        const drivers = await makeDrivers(place, teams, 3)
        const drafts = Array.from({ length: 5 }, (_, at) => aTask({ awb: `T-${at}` }))
        const { results } = (await place.post('/tasks/bulkCreate', { tasks: drafts })).body
        const field: Field = {
          place,
          drivers,
          teams,
          tasks: results.map(({ data }: Wire) => data),
          claims: [],
          isFlowing,
        }
        const outcomes = await Promise.allSettled(
          clients.map(async (operations) => {
            for (const planned of operations) await contend(field, planned)
          }),
        )
        judge = createJudge()
        for (const outcome of outcomes) judge.ok(outcome.status === 'fulfilled', String((outcome as Wire).reason))
        done += field.claims.length
        await assertExplained(field, 5)
        assert.deepEqual([...judge.problems], [])
      },
    ),
    { seed, numRuns: runs, endOnFailure: true },
  )
  tellNumbers(t, 'model', { 'runs of many clients': runs, answers: done })
})
