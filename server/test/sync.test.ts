import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { OpInput } from '../../contract/op.ts'
import type { Action } from '../../phone/keep.ts'
import type { Server as Api } from '../../phone/ports.ts'
import { openDatabase } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { cleanUpOf } from './clean-up.ts'
import { startProcess } from './crash.ts'
import { makeDatabase } from './database.ts'
import { aTask, makeDriver, zoneOfNoon } from './factories.ts'
import { amountsOf, nights, seedOr, tellNumbers } from './proofs.ts'
import { makeOrganisation, request, startServer, type TestServer } from './server.ts'
import { type Fault, faults } from './sync-faults.ts'
import * as model from './sync-model.ts'
import { clientOf, type Device, hows, type Network, noNetwork, openDevice, readDevice } from './sync-phones.ts'

/*
 * Two drivers with three phones and an office, by generated histories: phones are offline, send parts of what they
 * have, have it sent twice or twice at once, do not hear the answer, are killed, or have forgotten what they knew. The
 * phones are those of the app. A plain model, which knows nothing of phones and networks, says what must come of it. A
 * failure says how to repeat it.
 */

const seed = seedOr(20_261_115)
const amounts = amountsOf('sync')
/** Short ones find most, and many of them fit into a minute; long ones are for the night. */
const mostSteps = amounts['steps in one']
/** Of a server in one history. A start takes longer than the rest of the history. */
const mostDeaths = amounts['deaths in one']
/** Histories in which a planted fault has to be found. */
const mostSearched = 30
/** The number of the first history to repeat. */
const only = process.env['WAYBILL_ONLY']

/** Most depends on a start, so there are many. */
const types: model.Type[] = [
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
  'payment',
  'payment',
  'takeBack',
  'takeBack',
  'takeBack',
  'note',
  'note',
  'photo',
  'signature',
  'scan',
  'form',
  'duty',
]

const aTaskNumber = fc.nat({ max: 2 })
const aDriver = fc.nat({ max: 1 })
const aDevice = fc.nat({ max: 2 })
const aTab = fc.nat({ max: 1 })
const aStep = fc.oneof(
  {
    weight: 24,
    arbitrary: fc.record({
      kind: fc.constant('do' as const),
      device: aDevice,
      tab: aTab,
      task: aTaskNumber,
      type: fc.constantFrom(...types),
      amount: fc.constantFrom(40.1, 100.2, 200.1, 400),
      last: fc.boolean(),
      /** As the app does with what ends a task. */
      isHeld: fc.boolean(),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('sync' as const),
      device: aDevice,
      tab: aTab,
      how: fc.constantFrom(...hows),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), device: aDevice }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), device: aDevice, tab: aTab }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('undo' as const), tab: aTab }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('give' as const), task: aTaskNumber, driver: aDriver }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('take' as const), task: aTaskNumber }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('end' as const), task: aTaskNumber, success: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), task: aTaskNumber }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('settings' as const), allows: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('settle' as const), which: fc.nat({ max: 9 }), applies: fc.boolean() }),
  },
)
type Step = typeof aStep extends fc.Arbitrary<infer Planned> ? Planned : never

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

const writtenAs = (answer: string | null) => answer && JSON.stringify([{ field_key: 'door', answer }])

const hours = 3_600_000
/** Whose they are, how wrong their clocks are, and how much they send at once. Twenty seconds are nothing nobody minds. */
const phones = [
  { driver: 0, offsetMs: 0, mostAtOnce: 50 },
  { driver: 0, offsetMs: 2 * hours, mostAtOnce: 2 },
  { driver: 1, offsetMs: 20_000, mostAtOnce: 50 },
]
const owners = [0, 1, 0]
const isExact = ({ offsetMs }: Device) => offsetMs < 30_000

let sent = 0

interface Server {
  url: string
  another(): ReturnType<TestServer['another']>
  /** Kills it and starts it again; without, phones only hear nothing. */
  die?(): Promise<void>
}

function actionOf({ type, text, of, amount, inShift }: model.ModelOp, taskId: number): Action {
  switch (type) {
    case 'duty':
      return { type, inShift }
    case 'takeBack':
      return { type, taskId, of }
    case 'note':
      return { type, taskId, note: text }
    case 'scan':
      return { type, taskId, code: text }
    case 'form':
      return { type, taskId, answers: [{ field_key: 'door', answer: text }] }
    case 'fail':
      return { type, taskId, reason: text }
    case 'payment':
      return { type, taskId, amount, method: 'cash' }
    case 'photo':
      return { type, taskId, fileId: text, note: text }
    case 'signature':
      return { type, taskId, fileId: text, name: text }
    default:
      return { type, taskId }
  }
}

/** Histories one after the other with the same phones, each with tasks of its own: what a phone has not sent goes with the next. */
async function live(server: Server, histories: Step[][], fault: Fault = {}) {
  const place = await server.another()
  await place.put('/company', { timezone: zoneOfNoon(), moneyDecimals: 2, settings: { allowPartialPayments: true } })
  await place.post('/forms', { isDefault: true, fields: [{ field_key: 'door', label: 'Door', type: 'text' }] })
  const people = [await makeDriver(place), await makeDriver(place)]
  const devices = phones.map((one) =>
    openDevice({ ...one, url: server.url, carry, ...(fault.phone && { spoil: fault.phone }) }),
  )
  for (const device of devices) {
    const { id, phone } = people[device.driver] as { id: number; phone: string }
    const { code } = (await place.post(`/drivers/${id}/invite`)).body
    await device.phone(0).signIn({ phone, code })
  }
  const steps = histories.flatMap((steps, number) =>
    steps.map((step) => ('task' in step ? { ...step, task: step.task + number * owners.length } : step)),
  )
  const allOwners = histories.flatMap(() => owners)
  const awbs = allOwners.map((_, at) => `T-${at}`)
  const given = allOwners.map((owner, at) =>
    aTask({ awb: awbs[at], userId: people[owner]?.id, totalPrice: model.price }),
  )
  const created = await place.post('/tasks/bulkCreate', { tasks: given })
  const made: Wire[] = created.body.results.map(({ data }: Wire) => data)
  let wanted = model.createModel(allOwners)

  const { session } = await (devices[0] as Device).phone(0).screen.read()
  const clock = clientOf(server.url, session?.token ?? null)
  /** When what had which number was the last step, by the server's clock. */
  const reads: { step: number; ms: number }[] = []
  /** A time after all that has happened and before all that will, by the server's clock: this machine's is not exactly it. */
  async function readClock(step: number) {
    const { serverTime } = await clock.syncDriver({ body: { deviceTime: new Date().toISOString() } })
    await sleep(2)
    reads.push({ step, ms: Date.parse(serverTime) })
    return Date.parse(serverTime)
  }

  // ---------------------------------------------------------------------------------------------------- the network

  function carry(device: Device, real: Api): Api {
    const api = fault.server?.(real, place) ?? real
    return {
      ...api,
      syncDriver: (given) => carryOps(device, api, given),
      async uploadFile(given) {
        const { network } = device
        if (!network || network.isDown) throw noNetwork()
        const answer = await api.uploadFile(given)
        const op = device.kept.values().find(({ text }) => text === given.params.fileId)
        model.receivePicture(wanted, device.driver, op as model.ModelOp, network.step)
        if (network.how !== 'unheard picture') return answer
        network.isDown = true
        throw noNetwork()
      },
    }
  }

  let deaths = 0
  async function carryOps(device: Device, api: Api, { body }: Parameters<Api['syncDriver']>[0]) {
    const { network } = device
    if (!network || network.isDown) throw noNetwork()
    const { how } = network
    const ops = (body.ops ?? []) as OpInput[]
    const names = [...device.kept.keys()]
    const places = ops.map(({ opId }) => names.indexOf(opId))
    assert.ok(!places.includes(-1), 'what was undone is not sent')
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
      'what was done first is sent first',
    )
    sent += ops.length
    /** Between which times of the server a request arrives that the phone sends now. */
    const begin = async () => {
      const sentMs = Date.now()
      const earliestMs = isExact(device) ? 0 : await readClock(network.step - 1)
      return async () => ({ sentMs, earliestMs, latestMs: isExact(device) ? 0 : await readClock(network.step - 1) })
    }
    const send = (given = ops) => api.syncDriver({ body: { ...body, ops: given } })
    // Some of it is applied, or nothing, or all. The phone hears nothing, and sends it again.
    if (server.die && ops.length > 0 && (how === 'unheard' || deaths === 0) && deaths < mostDeaths) {
      deaths += 1
      const tried = await begin()
      const lost = send().catch(() => {})
      await sleep(Math.random() * 40)
      await server.die()
      await lost
      for (const { opId } of ops) device.tries.set(opId, [...(device.tries.get(opId) ?? []), await tried()])
      throw noNetwork()
    }
    const tried = await begin()
    const replies = how === 'at once' ? await Promise.all([send(), send()]) : [await send()]
    if (how === 'twice') replies.push(await send())
    if (how === 'doubled') replies.push(await send([...ops, ...ops]))
    const told = replies.map(({ results }) =>
      results.map(({ success, error, conflict }) =>
        success ? 'done' : `${error?.code}${conflict ? ' conflict' : ''}`,
      ),
    )
    const last = await tried()
    const answers = ops.map(({ opId }, at) => {
      const op = device.kept.get(opId) as model.ModelOp
      if (isExact(device)) return model.answerTo(wanted, device.driver, op, network.step)
      // The server takes the time on the way for time of the phone's clock; a millisecond is rounding. What a killed server
      // had done before was done by the clock of that time.
      const tries = [...(device.tries.get(opId) ?? []), last]
      const leastMs = Math.min(...tries.map(({ earliestMs, sentMs }) => earliestMs - sentMs))
      const mostMs = Math.max(...tries.map(({ latestMs, sentMs }) => latestMs - sentMs))
      const possible = stepsBetween(op.at + leastMs - 1, op.at + mostMs + 1, network.step)
      return answerOneOf(device, op, possible, network.step, told[0]?.[at] as string)
    })
    for (const results of told) assert.deepEqual(results.slice(-answers.length), answers)
    if ((how === 'unheard' && !server.die) || how === 'cut') network.isDown = true
    if (how === 'unheard' && !server.die) throw noNetwork()
    return replies[0] as Wire
  }

  /** A clock that is far off is measured only as exactly as the network is fast: these are the steps it can have been. */
  function stepsBetween(leastMs: number, mostMs: number, now: number): number[] {
    const first = reads.findLast(({ ms }) => ms <= leastMs)?.step ?? 0
    const last = reads.find(({ ms }) => ms >= mostMs)?.step ?? now
    return Array.from({ length: Math.max(1, last - first + 1) }, (_, at) => first + at)
  }

  /** What the server said, if the op may have been done in a step after which it must say that. */
  function answerOneOf(device: Device, op: model.ModelOp, possible: number[], step: number, told: string) {
    const before = wanted
    let answer = ''
    for (const one of possible) {
      wanted = possible.length > 1 ? structuredClone(before) : before
      answer = model.answerTo(wanted, device.driver, { ...op, step: one }, step)
      if (answer === told) break
    }
    return answer
  }

  async function sync(device: Device, tab: number, network: Omit<Network, 'isDown'>) {
    const before = deaths
    device.network = { ...network, isDown: false }
    await device.phone(tab).wake()
    // A phone whose server was killed tries again.
    if (deaths > before) await device.phone(tab).wake()
    device.network = undefined
    device.check()
  }

  // ------------------------------------------------------------------------------------------------------ the steps

  let lastRead: number | undefined
  async function keep(step: number, { device: number, tab, task, type, amount, last, isHeld }: Wire) {
    const device = devices[number] as Device
    const of = device.begun.get(task)?.at(last ? -1 : 0) ?? ''
    if (type === 'takeBack' && of === '') return
    lastRead ??= await readClock(step)
    const op = { type, task, text: randomUUID(), amount, of, inShift: last, step, at: lastRead, opId: '' }
    // Twenty seconds count as nothing, so there the time is taken as it is.
    const atMs = lastRead + (isExact(device) ? 0 : device.offsetMs)
    const ends = type === 'complete' || type === 'fail'
    op.opId = await device.keep(tab, atMs, actionOf(op, made[task].id), ends && isHeld)
    device.kept.set(op.opId, op)
    if (type === 'start' || type === 'arrive') device.begun.set(task, [...(device.begun.get(task) ?? []), op.opId])
  }

  for (const [at, planned] of steps.entries()) {
    const step = at + 1
    if (planned.kind !== 'do') lastRead = undefined
    switch (planned.kind) {
      case 'do':
        await keep(step, planned)
        break
      case 'sync':
        await sync(devices[planned.device] as Device, planned.tab, { how: planned.how, step })
        break
      case 'forget':
        await devices[planned.device]?.ports.store.change(({ facts }) => facts.delete('cursor'))
        break
      case 'kill':
        devices[planned.device]?.kill(planned.tab)
        break
      case 'undo': {
        for (const device of devices) {
          const [last] = [...device.kept.values()].slice(-1)
          if (last && (await device.phone(planned.tab).undoEnd(made[last.task].id))) device.kept.delete(last.opId)
        }
        break
      }
      case 'give':
        await place.put(`/containers/drivers/${people[planned.driver]?.id}`, { tasks: [awbs[planned.task]] })
        model.give(wanted, planned.task, planned.driver, step)
        break
      case 'take':
        await place.post('/tasks/bulkUnassign', { tasks: [awbs[planned.task]] })
        model.take(wanted, planned.task, step)
        break
      case 'end':
        await place.put(`/tasks/awb/${awbs[planned.task]}/forceComplete`, { success: planned.success })
        model.end(wanted, planned.task, planned.success, step)
        break
      case 'remove':
        await place.delete(`/tasks/awb/${awbs[planned.task]}`)
        model.remove(wanted, planned.task, step)
        break
      case 'settings':
        await place.put('/company', { settings: { allowDriverToTakeNotesOnSite: planned.allows } })
        model.allowNotes(wanted, planned.allows, step)
        break
      case 'settle': {
        const open = wanted.conflicts.filter(({ applied }) => applied === undefined)
        const conflict = open[planned.which % open.length]
        if (!conflict) break
        const { conflicts } = (await place.get('/conflicts?settled=false')).body
        const kept = conflicts.find(({ opId }: Wire) => opId === conflict.op.opId)
        assert.ok(kept, 'the office can decide')
        const reply = await place.post(`/conflicts/${kept.id}/settle`, { apply: planned.applies })
        assert.equal(reply.status === 200, model.settle(wanted, conflict, planned.applies, step), reply.text)
      }
    }
  }
  const ending = steps.length + 1
  for (const device of devices) {
    // As if the app was left: an undo holds photos in its tab, so that they can be taken again.
    for (const phone of device.tabs) phone.letPhotosGo()
    await device.phone(0).releaseEnds()
    await sync(device, 0, { how: 'once', step: ending })
  }
  for (const device of devices) await sync(device, 1, { how: 'once', step: ending })

  // ---------------------------------------------------------------------------------------------------- the result

  for (const { kept } of devices)
    for (const { opId, type } of kept.values()) assert.ok(wanted.answers.has(opId), `a ${type} is lost`)
  const { tasks } = (await place.get('/tasks')).body
  const { conflicts } = (await place.get('/conflicts')).body
  // What a killed server had stored, the model learns when the phone sends it again: only the order of each phone is known.
  const inOrder = (told: { opId: string; text: string }[]) => {
    const phoneOf = (opId: string) => (server.die ? devices.findIndex(({ kept }) => kept.has(opId)) : 0)
    return told.toSorted((one, other) => phoneOf(one.opId) - phoneOf(other.opId)).map(({ text }) => text)
  }
  assert.deepEqual(
    inOrder(
      conflicts.map(({ type, awb, user, opId, applied }: Wire) => ({
        opId,
        text: [type, awbs.indexOf(awb), people.findIndex(({ id }) => id === user.id), opId, applied].join(' '),
      })),
    ),
    inOrder(
      wanted.conflicts.map(({ driver, op, applied }) => ({
        opId: op.opId,
        text: [op.type, op.task, driver, op.opId, applied].join(' '),
      })),
    ),
    'nothing that could not be applied is lost, and nothing is kept twice',
  )
  const { users } = (await place.get('/drivers')).body
  for (const [driver, since] of wanted.onDutySince.entries())
    if (since !== undefined)
      assert.equal(users.find(({ id }: Wire) => id === people[driver]?.id).inShift, since !== null, 'who is on duty')
  const shown = await Promise.all(devices.map(readDevice))
  for (const [at, expected] of wanted.tasks.entries()) {
    const task = tasks.find(({ awb }: Wire) => awb === awbs[at])
    if (!task) {
      assert.equal(expected.status, 0, `task ${at} is there`)
      for (const state of shown) assert.ok(!state.tasks.some(({ awb }) => awb === awbs[at]))
      continue
    }
    const driver = expected.driver === null ? null : people[expected.driver]?.id
    assert.deepEqual(
      [task.statusId, task.userId, task.notes.map(({ note }: Wire) => note), task.timelines.length],
      [expected.status, driver, expected.notes, expected.lines],
      `task ${at}`,
    )
    assert.equal(task.mobileTaskForm, writtenAs(expected.answer), `the form of task ${at}`)
    const pictures = task.notes.filter(({ type }: Wire) => type === 2 || type === 3)
    for (const { image } of pictures) {
      assert.ok(image, 'its bytes have arrived')
      assert.equal((await request(server.url, 'GET', image, { key: place.key })).status, 200)
    }
    const hasPayments = expected.payments.length > 0
    const { payments } = hasPayments ? (await place.get(`/tasks/${task.id}/payments`)).body : { payments: [] }
    assert.deepEqual(
      [
        payments.map((one: Wire) => `${one.amount} to ${people.findIndex(({ id }) => id === one.userId)}`),
        task.leftToBePaid,
      ],
      [expected.payments, model.leftOf(expected)],
      `what was paid for task ${at}`,
    )
    if (expected.endedAt !== null)
      assert.ok(Math.abs(Date.parse(task.completedAt) - expected.endedAt) < 0.5 * hours, 'as of when it was done')
    for (const [at, device] of devices.entries()) {
      const one = shown[at]?.tasks.find(({ id }) => id === task.id)
      const isOwn = expected.driver === device.driver
      assert.deepEqual(
        one && [one.statusId, one.notes.length, one.mobileTaskForm],
        isOwn ? [expected.status, expected.notes.length, writtenAs(expected.answer)] : undefined,
        'what a phone shows is what is',
      )
    }
  }
  for (const [at, device] of devices.entries()) {
    const decisions = new Map(wanted.conflicts.map(({ op, applied }) => [op.opId, applied]))
    const refused = device.kept.values().filter(({ opId }) => wanted.answers.get(opId) !== 'done')
    // Sorted: a photo that an undo holds is sent after what was done later.
    assert.deepEqual(
      shown[at]?.refused.map(({ op, isConflict, decision }) => [op?.opId, isConflict, decision?.applied]).sort(),
      [...refused].map(({ opId }) => [opId, decisions.has(opId), decisions.get(opId)]).sort(),
      'a driver reads once what was not accepted, and what the office decided about it',
    )
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

/** A shift of histories after the other; most faults are found in the first. */
async function find(server: Server, fault: Fault) {
  const shift = 5
  const all = fc.sample(aHistory, { seed, numRuns: mostSearched })
  for (let at = 0; at < mostSearched; at += shift) {
    const found = await live(server, all.slice(at, at + shift), fault).catch((error) => error)
    if (found instanceof assert.AssertionError) return true
    if (found) throw found
  }
  return false
}

const planted = Object.entries(faults).slice(0, amounts['planted faults'])
for (const [name, fault] of planted)
  test(`it is noticed if ${name}`, async (t) => {
    assert.ok(await find(await startServer(t, { WAYBILL_ROLE: 'api' }), fault))
    tellNumbers(t, 'sync', { 'planted faults': 1 })
  })
