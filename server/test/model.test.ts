import assert from 'node:assert/strict'
import { test } from 'node:test'
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
  type Verb,
  type Verdict,
  wire,
} from './model.ts'
import { type Reply, request, startServer, type TestServer } from './server.ts'

/*
 * Random operations against a model of the rules. Deterministic by seed: a failure prints it, and
 * WAYBILL_MODEL_SEED=… (with WAYBILL_MODEL_RUNS=… for a long search) repeats it.
 */

const seed = Number(process.env['WAYBILL_MODEL_SEED'] ?? 20_261_115)
const runs = (usual: number) => Number(process.env['WAYBILL_MODEL_RUNS'] ?? usual)

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

let phones = 0

async function makeDrivers(place: Place, teams: number[], count: number): Promise<ModelDriver[]> {
  const drivers: ModelDriver[] = []
  for (let number = 1; number <= count; number++) {
    const phone = `+4072${String(1_000_000 + phones++)}`
    const { user } = (await place.post('/drivers', { name: `Driver ${number}`, phone, teams })).body
    const { code } = (await place.post(`/drivers/${user.id}/invite`)).body
    const { token } = (await request(place.url, 'POST', '/api/v1/driver/login', { body: { phone, code } })).body
    drivers.push({ id: user.id, token, inShift: false, isDeleted: false, route: [] })
  }
  return drivers
}

const makeTeams = async (place: Place, count: number): Promise<number[]> => {
  const teams: number[] = []
  for (let number = 1; number <= count; number++)
    teams.push((await place.post('/teams', { name: `Team ${number}` })).body.team.id)
  return teams
}

// ------------------------------------------------------------------------------------------------ one client

const index = fc.nat({ max: 50 })
const awb = fc.constantFrom('A', 'B', 'C', 'D', '7')
const price = fc.constantFrom(null, 0, 100, 250)
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

/** Tasks, drivers and teams are named by a number, counted round; whatever there is then is meant. */
const draft = fc.record({
  awb: optional(awb),
  totalPrice: optional(price),
  collectPayment: fc.option(fc.boolean(), { nil: undefined, freq: 2 }),
  team: fc.option(index, { nil: undefined, freq: 2 }),
  driver: fc.option(index, { nil: undefined, freq: 2 }),
  dependencies: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
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
  fc.record({ makeSignaturesMandatory: fc.boolean() }),
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
      verb: fc.constantFrom(...verbs),
      reason: optional(fc.constant('Nobody home')),
    }),
  },
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

/** A task by its number, deleted ones included, and now and then one that never was. */
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
    ...(plan.dependencies.length > 0 && { dependencies: plan.dependencies.map((at) => pickTask(model, at).awb) }),
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
        assertAnswer(reply, { refused: ['DRIVER_NOT_FOUND'] }, 'creating for a driver who is gone')
        return assertStatus(reply, ['DRIVER_NOT_FOUND'])
      }
      assert.equal(reply.status, 200, reply.text)
      assert.deepEqual(
        reply.body.results.map(({ item }: { item: number }) => item),
        drafts.map((_, at) => at + 1),
      )
      // Dependencies were read before the request: an item of the same request is not meant by them.
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
        assertAnswer(reply, { refused: ['DRIVER_NOT_FOUND'] }, 'assigning to a driver who is gone')
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
        { notes: { note: 'Left at the door' }, fail: { reason: planned.reason } }[planned.verb as 'notes'] ?? {}
      const path = `/api/v1/driver/tasks/${task.id}/${planned.verb}`
      const reply = await request(place.url, 'POST', path, { key: driver.token, body: given })
      const verdict = model.act(
        driver,
        model.tasks.find(({ id }) => id === task.id),
        planned.verb,
        planned.reason,
      )
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
      const reply = await request(place.url, 'PUT', '/api/v1/driver/duty', { key: driver.token, body: { inShift } })
      if (driver.isDeleted) return assertAnswer(reply, { refused: ['UNAUTHORIZED'] }, 'duty of a driver who is gone')
      driver.inShift = inShift
      return assertAnswer(reply, 'done', 'duty')
    }
    case 'settings': {
      Object.assign(model.settings, planned.setting)
      return assertAnswer(await place.put('/company', { settings: planned.setting }), 'done', 'settings')
    }
  }
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

const byId = (one: { id: number }, other: { id: number }) => one.id - other.id

/** Every task, every route and every driver must look as in the model. */
async function assertState(place: Place, model: Model) {
  const living = model.drivers.filter(({ isDeleted }) => !isDeleted)
  const [list, drivers, ...routes] = await Promise.all([
    place.get('/tasks'),
    place.get('/drivers'),
    ...living.map(({ id }) => place.get(`/drivers/${id}/tasks`)),
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
  for (const [at, driver] of living.entries()) {
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
  assert.deepEqual(
    drivers.body.users.map(({ id, status }: Wire) => [id, status]),
    living.map(({ id, inShift, route }) => [id, inShift ? (route.some((task) => task.statusId === 7) ? 2 : 1) : 0]),
    'the state of the drivers',
  )
  return list.body.tasks as Wire[]
}

/** The log must have grown by what the model says, and each entry tell only what really changed. */
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
    assert.notDeepEqual(previous[key], snapshot[key], `${key} is told as changed and is not`)
  if (change.previous) {
    const { team: _, ...told } = previous ?? {}
    if (told.dependencies) told.dependencies = told.dependencies.map((one: Wire) => one.taskId).sort()
    assert.deepEqual(told, change.previous, 'only what changed')
  }
  if (row.driver !== null) assert.equal(JSON.parse(row.driver).id, row.user_id)
  const entry = tasks.find(({ id }) => id === row.task_id)?.timelines[row.sequence - 1]
  if (!entry) return
  assert.equal(entry.id, row.id)
  assert.deepEqual(entry.data?.previous ?? entry.data ?? null, previous, "the timeline's data")
}

test('whatever a client does, the answers, the tasks, the routes and the log are as the rules say', async (t) => {
  const server = await startServer(t)
  let done = 0
  await fc.assert(
    fc.asyncProperty(fc.noBias(fc.array(operation, { minLength: 1, maxLength: 80, size: 'max' })), async (operations) => {
      const place = { ...server, ...(await server.another()) }
      const teams = await makeTeams(place, 2)
      const model = createModel(teams)
      model.drivers.push(...(await makeDrivers(place, teams, 3)))
      let last = 0
      for (const [at, planned] of operations.entries()) {
        try {
          await perform(place, model, teams, planned)
          const tasks = await assertState(place, model)
          last = await assertEvents(place, tasks, last, model.takeChanges())
          done++
        } catch (error) {
          if (process.env['SURVEY']) {
            process.stderr.write(`SURVEY ${at} ${JSON.stringify(planned)} ${JSON.stringify(model.settings)}\n${(error as Error).message.slice(0, 1500)}\n`)
            return
          }
          ;(error as Error).message =
            `after ${at + 1} operations, ${JSON.stringify(planned)}: ${(error as Error).message}`
          throw error
        }
      }
    }),
    { seed, numRuns: runs(8), endOnFailure: !process.env['WAYBILL_MODEL_SHRINK'], interruptAfterTimeLimit: 60_000 },
  )
  t.diagnostic(`${done} operations, seed ${seed}`)
})
