import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { openDatabase } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { cleanUpOf } from './clean-up.ts'
import { startProcess } from './crash.ts'
import { makeDatabase } from './database.ts'
import { aTask, makeDriver, signIn, zoneOfNoon } from './factories.ts'
import { amountsOf, nights, seedOr, tellNumbers } from './proofs.ts'
import { makeOrganisation, request, startServer, type TestServer } from './server.ts'

/*
 * Two drivers with three phones and an office, by generated histories: phones are offline, send parts of what they
 * have, send it twice or twice at once, do not hear the answer, or have forgotten all they knew. A plain model, which
 * knows nothing of phones and networks, says what must come of it. A failure says how to repeat it.
 */

const seed = seedOr(20_261_115)
const amounts = amountsOf('sync')
/** Short ones find most, and many of them fit into a minute; long ones are for the night. */
const mostSteps = amounts['steps in one']
/** Of a server in one history. A start takes longer than the rest of the history. */
const mostDeaths = amounts['deaths in one']
/** The number of the first history to repeat. */
const only = process.env['WAYBILL_ONLY']

const evidence = ['note', 'photo', 'signature', 'scan', 'form'] as const
/** Most depends on a start, so there are many. */
const types = [
  ...([
    'accept',
    'start',
    'start',
    'start',
    'start',
    'arrive',
    'arrive',
    'complete',
    'complete',
    'complete',
    'fail',
  ] as const),
  ...(['payment', 'payment', 'takeBack', 'takeBack', 'takeBack', ...evidence] as const),
] as const
type Type = (typeof types)[number]

const aTaskNumber = fc.nat({ max: 2 })
const aDriver = fc.nat({ max: 1 })
const aDevice = fc.nat({ max: 2 })
const aStep = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('do' as const),
      device: aDevice,
      task: aTaskNumber,
      type: fc.constantFrom(...types),
      amount: fc.constantFrom(40, 100, 200, 400),
      last: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('sync' as const),
      device: aDevice,
      share: fc.constantFrom(1, 1, 0.5),
      how: fc.constantFrom('once', 'once', 'twice', 'at once', 'unheard', 'doubled', 'anew'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('give' as const), task: aTaskNumber, driver: aDriver }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('take' as const), task: aTaskNumber }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('end' as const), task: aTaskNumber, success: fc.boolean() }),
  },
)
type Step = typeof aStep extends fc.Arbitrary<infer Planned> ? Planned : never

// ------------------------------------------------------------------------------------------------------ the model

interface ModelTask {
  status: number
  driver: number | null
  isAccepted: boolean
  isStarted: boolean
  hasArrived: boolean
  endedBy: number | null
  notes: string[]
  /** What stands in its form: of two answers the later one to arrive. */
  answer: string | null
  /** What every driver was paid, in this order. */
  payments: string[]
  /** How many lines the timeline has. */
  lines: number
  /** The ops behind them, and which they took back; null is what the office did. */
  log: { opId: string | null; takesBack: string | null }[]
  /** Who had it, from which step until which. */
  terms: { driver: number; from: number; until: number }[]
  /** Who changed it, in which step; null is the office. */
  changes: { by: number | null; step: number }[]
  endedAt: number | null
}

interface ModelOp {
  opId: string
  type: Type
  task: number
  text: string
  amount: number
  /** Of takeBack: a start or arrival of the same phone. */
  of: string
  /** When it was done: a step of the history, and a time. */
  step: number
  at: number
}

/** What every task costs. Parts may be paid, or nobody could complete one without paying. */
const price = 300
const leftOf = ({ payments }: ModelTask) => price - payments.reduce((sum, text) => sum + Number.parseInt(text, 10), 0)

const nobody = { driver: null, isAccepted: false, isStarted: false, hasArrived: false }

function createModel(owners: number[]) {
  const tasks = owners.map(
    (driver): ModelTask => ({
      ...nobody,
      status: 6,
      driver,
      endedBy: null,
      notes: [],
      answer: null,
      payments: [],
      lines: 2,
      log: [],
      terms: [{ driver, from: 0, until: Number.POSITIVE_INFINITY }],
      changes: [{ by: null, step: 0 }],
      endedAt: null,
    }),
  )
  const conflicts: string[] = []
  const answers = new Map<string, string>()

  const log = (task: ModelTask, by: number | null, step: number, lines: number, op?: ModelOp) => {
    task.changes.push({ by, step })
    task.lines += lines
    task.log.push({ opId: op?.opId ?? null, takesBack: op?.type === 'takeBack' ? op.of : null })
  }
  const lose = (task: ModelTask, step: number) => {
    const term = task.terms.findLast(({ driver }) => driver === task.driver)
    if (term) term.until = Math.min(term.until, step)
    Object.assign(task, nobody)
  }

  function apply(driver: number, told: ModelOp, step: number): string {
    const task = tasks[told.task] as ModelTask
    // Nothing was done before the task was first theirs.
    const from = task.terms.find((term) => term.driver === driver)?.from ?? 0
    const op = { ...told, step: Math.max(told.step, from) }
    const isEvidence = (evidence as readonly string[]).includes(op.type)
    const keep = (code: string) => {
      conflicts.push(`${op.type} ${op.task} by ${driver}: ${op.text}`)
      log(task, driver, step, 1, op)
      return `${code} conflict`
    }
    if (op.type === 'takeBack') return takeBack(task, driver, op, step)
    if (task.driver !== driver) {
      const terms = task.terms.filter((term) => term.driver === driver)
      if (terms.length === 0) return 'TASK_NOT_FOUND'
      if (isEvidence && terms.some(({ until }) => op.step < until)) return bring(task, driver, op, step)
      if (isEvidence || ['complete', 'fail', 'payment'].includes(op.type)) return keep('TASK_NOT_FOUND')
      log(task, driver, step, 1, op)
      return 'TASK_NOT_FOUND'
    }
    const refusal = move(task, driver, op, step)
    if (refusal === 'done' || refusal === 'WRONG_PARCEL') return refusal
    return task.changes.some((change) => change.by !== driver && change.step > op.step) ? keep(refusal) : refusal
  }

  function bring(task: ModelTask, driver: number, op: ModelOp, step: number) {
    if (op.type === 'form') task.answer = op.text
    else task.notes.push(op.text)
    log(task, driver, step, 1, op)
    return op.type === 'scan' ? 'WRONG_PARCEL' : 'done'
  }

  /** As long as nothing else happened to the task; what was itself taken back did not. */
  function takeBack(task: ModelTask, driver: number, op: ModelOp, step: number): string {
    if (answers.get(op.of) !== 'done') return 'done'
    const later = task.log.slice(task.log.findIndex(({ opId }) => opId === op.of) + 1)
    const gone = later.map(({ takesBack }) => takesBack)
    if (task.driver === driver && gone.includes(op.of)) return 'done'
    const isLast = later.every(({ opId, takesBack }) => takesBack !== null || (opId !== null && gone.includes(opId)))
    const hasChanged = task.log.some(({ opId }) => opId === op.of)
    if (task.driver !== driver || !hasChanged || !isLast) return 'TOO_LATE'
    Object.assign(task, task.hasArrived ? { hasArrived: false } : { status: 6, isStarted: false })
    log(task, driver, step, 1, op)
    return 'done'
  }

  function move(task: ModelTask, driver: number, op: ModelOp, step: number): string {
    const isEnded = task.status >= 9
    const changed = (set: Partial<ModelTask>) => {
      Object.assign(task, set)
      log(task, driver, step, 1, op)
      return 'done'
    }
    switch (op.type) {
      case 'accept':
        if (task.isAccepted) return 'done'
        return isEnded ? 'TASK_ALREADY_PROCESSED' : changed({ isAccepted: true })
      case 'start':
        if (task.isStarted) return 'done'
        return isEnded ? 'TASK_ALREADY_PROCESSED' : changed({ status: 7, isStarted: true })
      case 'arrive':
        if (task.hasArrived) return 'done'
        if (isEnded) return 'TASK_ALREADY_PROCESSED'
        return task.status === 7 ? changed({ hasArrived: true }) : 'TASK_NOT_STARTED'
      case 'complete':
        if (task.status === 9 && task.endedBy === driver) return 'done'
        if (isEnded) return 'TASK_ALREADY_PROCESSED'
        return task.status === 7 ? changed({ status: 9, endedBy: driver, endedAt: op.at }) : 'TASK_NOT_STARTED'
      case 'fail':
        if (task.status === 10 && task.endedBy === driver) return 'done'
        return isEnded ? 'TASK_ALREADY_PROCESSED' : changed({ status: 10, endedBy: driver, endedAt: op.at })
      case 'payment':
        if (op.amount > leftOf(task)) return 'PAYMENT_TOO_MUCH'
        return changed({ payments: [...task.payments, `${op.amount} to ${driver}`] })
      default:
        return bring(task, driver, op, step)
    }
  }

  return {
    tasks,
    conflicts,
    /** What the server must answer, however often it is asked. */
    answer(driver: number, op: ModelOp, step: number) {
      return answers.getOrInsertComputed(op.opId, () => apply(driver, op, step))
    },
    give(number: number, driver: number, step: number) {
      const task = tasks[number] as ModelTask
      if (task.status > 6 || task.driver === driver) return
      const lines = task.driver === null ? 2 : 3
      lose(task, step)
      Object.assign(task, { driver, status: 6 })
      task.terms.push({ driver, from: step, until: Number.POSITIVE_INFINITY })
      log(task, null, step, lines)
    },
    take(number: number, step: number) {
      const task = tasks[number] as ModelTask
      if (task.status !== 6 && task.status !== 7) return
      lose(task, step)
      task.status = 1
      log(task, null, step, 2)
    },
    end(number: number, success: boolean, step: number) {
      const task = tasks[number] as ModelTask
      if (task.status !== 6 && task.status !== 7) return
      Object.assign(task, { status: success ? 9 : 10, endedBy: null, endedAt: null })
      log(task, null, step, 1)
    },
  }
}

// ------------------------------------------------------------------------------------------------------ the phones

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

interface Device {
  driver: number
  token: string
  /** How wrong its clock is. */
  offsetMs: number
  cursor: string | null
  /** What it has not heard the end of. */
  queue: ModelOp[]
  /** What was started and arrived at with it, of each task. */
  begun: Map<number, string[]>
  /** What it shows. */
  tasks: Map<number, Wire>
}

const writtenAs = (answer: string | null) => answer && JSON.stringify([{ field_key: 'door', answer }])

const hours = 3_600_000
/** The first is right. The second is two hours fast; the third a little, which nobody minds. */
const offsets = [0, 2 * hours, 20_000]
const drivers = [0, 0, 1]
const owners = [0, 1, 0]

let sent = 0
/** Compressing costs more than the network of this machine. */
const plain = { 'accept-encoding': 'identity' }

interface Server {
  url: string
  another(): ReturnType<TestServer['another']>
  /** Kills it and starts it again; without, phones only hear nothing. */
  die?(): Promise<void>
}

/** Histories one after the other with the same phones, each with tasks of its own: what a phone has not sent goes with the next. */
async function live(server: Server, histories: Step[][]) {
  const place = await server.another()
  await place.put('/company', { timezone: zoneOfNoon(), settings: { allowPartialPayments: true } })
  await place.post('/forms', { isDefault: true, fields: [{ field_key: 'door', label: 'Door', type: 'text' }] })
  const people = [await makeDriver(place), await makeDriver(place)]
  const devices: Device[] = []
  for (const [at, driver] of drivers.entries()) {
    const token = await signIn(place, people[driver] as { id: number; phone: string })
    devices.push({
      driver,
      token,
      offsetMs: offsets[at] as number,
      cursor: null,
      queue: [],
      begun: new Map(),
      tasks: new Map(),
    })
  }
  const steps = histories.flatMap((steps, number) =>
    steps.map((step) => ('task' in step ? { ...step, task: step.task + number * owners.length } : step)),
  )
  const allOwners = histories.flatMap(() => owners)
  const awbs = allOwners.map((_, at) => `T-${at}`)
  const beginning = Date.now()
  const given = allOwners.map((owner, at) => aTask({ awb: awbs[at], userId: people[owner]?.id, totalPrice: price }))
  const created = await place.post('/tasks/bulkCreate', { tasks: given })
  const made: Wire[] = created.body.results.map(({ data }: Wire) => data)
  const model = createModel(allOwners)

  const wire = (op: ModelOp, { offsetMs }: Device) => ({
    opId: op.opId,
    type: op.type,
    taskId: made[op.task].id,
    // Twenty seconds count as nothing, so there the time is taken as it is.
    occurredAt: new Date(op.at + (offsetMs >= 30_000 ? offsetMs : 0)).toISOString(),
    ...(op.type === 'takeBack' && { of: op.of }),
    ...(op.type === 'note' && { note: op.text }),
    ...(op.type === 'scan' && { code: op.text }),
    ...(op.type === 'form' && { answers: [{ field_key: 'door', answer: op.text }] }),
    ...(op.type === 'fail' && { reason: op.text }),
    ...(op.type === 'payment' && { amount: op.amount, method: 'cash' }),
    ...(op.type === 'photo' && { fileId: op.opId, note: op.text }),
    ...(op.type === 'signature' && { fileId: op.opId, name: op.text }),
  })

  async function send(device: Device, ops: ModelOp[]): Promise<Wire> {
    const deviceTime = new Date(Date.now() + device.offsetMs).toISOString()
    const body = { deviceTime, cursor: device.cursor, ops: ops.map((op) => wire(op, device)) }
    const reply = await request(server.url, 'POST', '/api/v1/driver/sync', {
      key: device.token,
      body,
      headers: plain,
    })
    assert.equal(reply.status, 200, reply.text)
    sent += ops.length
    return reply.body
  }

  /** A time after all that has happened and before all that will, by the server's clock: this machine's is not exactly it. */
  async function readClock(device: Device) {
    const { serverTime } = await send(device, [])
    await sleep(2)
    return Date.parse(serverTime)
  }

  function hear(device: Device, { cursor, changes }: Wire) {
    device.cursor = cursor
    if (changes.full) device.tasks.clear()
    for (const task of changes.tasks) device.tasks.set(task.id, task)
    for (const id of changes.removed) device.tasks.delete(id)
  }

  let deaths = 0
  async function sync(device: Device, share: number, how: string, step: number) {
    if (how === 'anew') device.cursor = null
    const batch = device.queue.slice(0, Math.ceil(device.queue.length * share))
    const ops = how === 'doubled' ? [...batch, ...batch] : batch
    const wanted = ops.map((op) => model.answer(device.driver, op, step))
    // Some of it is applied, or nothing, or all. The phone hears nothing, and sends it again.
    if (server.die && batch.length > 0 && (how === 'unheard' || deaths === 0) && deaths < mostDeaths) {
      deaths += 1
      const lost = send(device, ops).catch(() => {})
      await sleep(Math.random() * 40)
      await server.die()
      await lost
    }
    const replies =
      how === 'at once' ? await Promise.all([send(device, ops), send(device, ops)]) : [await send(device, ops)]
    if (how === 'twice') replies.push(await send(device, ops))
    for (const { results } of replies)
      assert.deepEqual(
        results.map(({ success, error, conflict }: Wire) =>
          success ? 'done' : `${error.code}${conflict ? ' conflict' : ''}`,
        ),
        wanted,
      )
    if (how === 'unheard' && !server.die) return
    hear(device, replies.at(-1))
    device.queue = device.queue.slice(batch.length)
  }

  let lastRead: number | undefined
  for (const [at, planned] of steps.entries()) {
    const step = at + 1
    if (planned.kind !== 'do') lastRead = undefined
    switch (planned.kind) {
      case 'do': {
        const device = devices[planned.device] as Device
        const opId = randomUUID()
        // A clock that is far off is measured only as exactly as the network is fast: its ops are from before all else.
        const isExact = device.offsetMs < 30_000
        if (isExact) lastRead ??= await readClock(device)
        const when = isExact ? { step, at: lastRead as number } : { step: -1, at: beginning - hours / 6 }
        const { type, task, amount } = planned
        const of = device.begun.get(task)?.at(planned.last ? -1 : 0) ?? ''
        if (type === 'takeBack' && of === '') break
        if (type === 'start' || type === 'arrive') device.begun.set(task, [...(device.begun.get(task) ?? []), opId])
        device.queue.push({ opId, type, task, text: opId, amount, of, ...when })
        break
      }
      case 'sync': {
        const device = devices[planned.device] as Device
        if (device.queue.length > 0) await sync(device, planned.share, planned.how, step)
        break
      }
      case 'give':
        await place.put(`/containers/drivers/${people[planned.driver]?.id}`, { tasks: [awbs[planned.task]] })
        model.give(planned.task, planned.driver, step)
        break
      case 'take':
        await place.post('/tasks/bulkUnassign', { tasks: [awbs[planned.task]] })
        model.take(planned.task, step)
        break
      case 'end':
        await place.put(`/tasks/awb/${awbs[planned.task]}/forceComplete`, { success: planned.success })
        model.end(planned.task, planned.success, step)
    }
  }
  for (const device of devices) if (device.queue.length > 0) await sync(device, 1, 'once', steps.length + 1)
  for (const device of devices) hear(device, await send(device, []))

  const { tasks } = (await place.get('/tasks')).body
  const { conflicts } = (await place.get('/conflicts')).body
  assert.deepEqual(
    conflicts.map(({ type, awb, user, op, opId }: Wire) => {
      const text = op.note ?? op.code ?? op.name ?? op.reason ?? op.answers?.[0].answer ?? opId
      return `${type} ${awbs.indexOf(awb)} by ${people.findIndex(({ id }) => id === user.id)}: ${text}`
    }),
    model.conflicts,
    'nothing that could not be applied is lost, and nothing is kept twice',
  )
  for (const [at, expected] of model.tasks.entries()) {
    const task = tasks.find(({ awb }: Wire) => awb === awbs[at])
    const driver = expected.driver === null ? null : people[expected.driver]?.id
    assert.deepEqual(
      [task.statusId, task.userId, task.notes.map(({ note }: Wire) => note), task.timelines.length],
      [expected.status, driver, expected.notes, expected.lines],
      `task ${at}`,
    )
    assert.equal(task.mobileTaskForm, writtenAs(expected.answer), `the form of task ${at}`)
    const hasPayments = expected.payments.length > 0
    const { payments } = hasPayments ? (await place.get(`/tasks/${task.id}/payments`)).body : { payments: [] }
    assert.deepEqual(
      [
        payments.map((one: Wire) => `${one.amount} to ${people.findIndex(({ id }) => id === one.userId)}`),
        task.leftToBePaid,
      ],
      [expected.payments, leftOf(expected)],
      `what was paid for task ${at}`,
    )
    if (expected.endedAt !== null)
      assert.ok(Math.abs(Date.parse(task.completedAt) - expected.endedAt) < 0.5 * hours, 'as of when it was done')
    for (const device of devices) {
      const shown = device.tasks.get(task.id)
      const isOwn = expected.driver === device.driver
      assert.deepEqual(
        shown && [shown.statusId, shown.notes.length, shown.mobileTaskForm],
        isOwn ? [expected.status, expected.notes.length, writtenAs(expected.answer)] : undefined,
        'what a phone shows is what is',
      )
    }
  }
}

const aHistory = fc.noShrink(fc.array(aStep, { minLength: 6, maxLength: mostSteps, size: 'max' }))

/** In shifts that share what it takes to begin and to compare; two at a time, so that the database is never idle. */
async function check(server: Server, numRuns: number, shift: number) {
  const all = fc.sample(aHistory, { seed, numRuns })
  const begins = all.keys().filter((at) => at % shift === 0 && (!only || at === Number(only)))
  const work = async () => {
    for (const at of begins)
      await live(server, all.slice(at, at + shift)).catch((error) => {
        const again = `WAYBILL_NIGHTLY=${nights} WAYBILL_SEED=${seed} WAYBILL_ONLY=${at}`
        throw new Error(`Repeat it with ${again}`, { cause: error })
      })
  }
  await Promise.all(server.die ? [work()] : [work(), work()])
}

test('whatever phones and office do, and whatever the network does, the result is as if there were none', async (t) => {
  await check(await startServer(t, { WAYBILL_ROLE: 'api' }), amounts.histories, 10)
  tellNumbers(t, 'sync', { histories: only ? 10 : amounts.histories, 'ops sent': sent })
})

test('also if the server is killed while phones send', async (t) => {
  const { url: databaseUrl, drop } = await makeDatabase()
  const cleanUp = cleanUpOf(t)
  cleanUp.defer(drop)
  const role = await migrate(databaseUrl, () => {})
  const database = openDatabase({ url: databaseUrl, role, connections: 2, onIdleError: () => {} })
  cleanUp.defer(database.close)
  const environment = { WAYBILL_ROLE: 'api' }
  let running = await startProcess(databaseUrl, environment)
  cleanUp.defer(() => running.kill())
  const { url } = running
  let deaths = 0
  const histories = amounts['histories with a killed server']
  await check(
    {
      url,
      another: () => makeOrganisation({ url, database }),
      async die() {
        deaths += 1
        await running.kill()
        running = await startProcess(databaseUrl, { ...environment, PORT: new URL(url).port })
      },
    },
    histories,
    1,
  )
  if (!only) assert.ok(deaths >= histories, `${deaths} deaths`)
  tellNumbers(t, 'sync', { 'histories with a killed server': histories, deaths })
})
