import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { addDays } from '../../core/day-range.ts'
import { dayOf } from '../../core/task-day.ts'
import { triggers } from '../../core/triggers.ts'
import { cleanUpOf } from './clean-up.ts'
import { beginDuty, makeDriver, signIn, zoneOfNoon } from './factories.ts'
import { openCalendar } from './pass-a-day.ts'
import { makePng } from './pictures.ts'
import { startReceiver } from './receiver.ts'
import { request, startServer } from './server.ts'
import {
  Assigned,
  createModel,
  Failed,
  InTransit,
  type Method,
  type Parcel,
  Succeeded,
  Unassigned,
} from './week-model.ts'
import { readZpl } from './zpl.ts'

/*
 * The firm: an office that uses the API, drivers with phones that send what they did now or days later, and a receiver of
 * webhooks. Whatever it does, it says to the model, too.
 */

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
export type Wire = any

export interface Size {
  drivers: number
  /** How many parcels come in on a day. */
  parcels: number
}

/** What a driver did and the phone has not sent, and what it comes to once it is heard of. */
interface Done {
  op: Record<string, unknown>
  doneOn: number
  doneMs: number
  apply(): void
}

const dayMs = 24 * 3_600_000
const mostAttempts = 3
const reasons = ['Nobody at home', 'Refused', 'Address not found']

export type Firm = Awaited<ReturnType<typeof openFirm>>

export async function openFirm(t: TestContext, random: () => number, size: Size) {
  const server = await startServer(t)
  const cleanUp = cleanUpOf(t)
  const calendar = await openCalendar(server)
  cleanUp.defer(calendar.close)
  const receiver = await startReceiver(t)
  const timezone = zoneOfNoon()
  const settings = {
    moneyDecimals: 2,
    allowPartialPayments: true,
    makeSignaturesMandatory: true,
    mostAttempts,
    afterLastAttempt: 'return',
  }
  await did(server.put('/company', { timezone, settings }))
  await did(server.post('/hubs', { name: 'Hub', lat: 44.45, lng: 26.1, address: 'Calea Griviței 5, București' }))
  for (const { id: trigger } of Object.values(triggers))
    await did(server.post('/webHooks', { url: receiver.url, trigger }))

  const model = createModel(mostAttempts)
  const drivers: { id: number; key: string; waiting: Done[] }[] = []
  for (let count = 0; count < size.drivers; count += 1) {
    const driver = await makeDriver(server)
    const key = await signIn(server, driver)
    await beginDuty(server.url, key)
    drivers.push({ id: driver.id, key, waiting: [] })
  }
  const counts = {
    days: 0,
    parcels: 0,
    tries: 0,
    returns: 0,
    corrections: 0,
    payments: 0,
    late: 0,
    scans: 0,
    'closed days': 0,
  }
  let today = 0
  /** The number of the schedule, once there is one. */
  let scheduleId: number | undefined
  const dayName = (day: number) => addDays(dayOf(Date.now(), timezone), day - today)

  const upTo = (count: number) => Math.floor(random() * count)
  const oneOf = <One>(list: readonly One[]) => list[upTo(list.length)] as One
  const shuffled = <One>(list: readonly One[]) =>
    list
      .map((one) => [random(), one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one)
  const idOf = (driver: number) => drivers[driver]?.id as number
  const heldBy = new Map<Parcel, number>()
  /** Where each parcel goes, by its first AWB; regular work has one door. */
  const doorOf = new Map<string, string>()
  const stopOf = ({ root, returnOf }: Parcel) => (returnOf ? 'hub' : doorOf.get(root))
  const inVehicle = new Set<Parcel>()
  /** The regular task that was made a day ahead. */
  let ahead = ''
  const isForTomorrow = (awb: string) => awb === ahead

  async function did(answer: Promise<{ status: number; text: string; body: Wire }>): Promise<Wire> {
    const { status, text, body } = await answer
    assert.equal(status, 200, text)
    return body
  }
  const refused = async (answer: Promise<{ body: Wire }>, code: string) =>
    assert.equal((await answer).body.error?.code, code)

  /** What failed for the last time goes back at once, so that nobody else is faster. */
  async function returnByItself() {
    await server.makeRound('returning')
    for (const parcel of model.bringBackByItself()) {
      follow(parcel, await did(server.get(`/tasks/awb/${parcel.awb}`)))
      counts.returns += 1
    }
  }

  // ---- The morning ----

  const doors = Array.from({ length: 12 }, (_, at) => ({
    address: `Strada Lungă ${at + 1}, București`,
    lat: 44.4 + at * 0.004,
    lng: 26.05 + at * 0.003,
  }))

  async function importParcels() {
    const made = Array.from({ length: size.parcels }, (_, at) => {
      const price = random() < 0.35 ? null : 1 + upTo(30_000)
      return { awb: `P${today}-${at + 1}`, price, door: oneOf(doors) }
    })
    const tasks = made.map(({ awb, price, door }) => ({
      awb,
      address: door,
      ...(price !== null && { totalPrice: price / 100 }),
    }))
    const { results } = await did(server.post('/tasks/bulkCreate', { tasks }))
    for (const [at, { awb, price, door }] of made.entries()) {
      assert.equal(results[at].success, true, JSON.stringify(results[at]))
      model.add({ awb, price, id: results[at].data.id })
      doorOf.set(awb, door.address)
    }
    counts.parcels += made.length
  }

  /** One task every day, made a day ahead. */
  async function makeRegularWork() {
    if (scheduleId === undefined) {
      const task = { address: doors[0], totalPrice: 12.35 }
      const given = { name: 'Market', task, repeats: { every: 'day' }, daysAhead: 1 }
      scheduleId = (await did(server.post('/schedules', given))).schedule.id
    }
    await server.makeRound('scheduling')
    const query = `from=${dayName(today)}&to=${dayName(today + 1)}`
    const { occurrences } = await did(server.get(`/schedules/${scheduleId}/occurrences?${query}`))
    assert.equal(occurrences.length, 2, 'today and tomorrow')
    const known = new Set(model.parcels.map(({ awb }) => awb))
    const tasks = (await listTasks()).filter((task) => task.scheduleId === scheduleId && !known.has(task.awb))
    assert.equal(tasks.length, today === 0 ? 2 : 1, 'each day is made once')
    for (const { awb, id } of tasks) model.add({ awb, id, price: 1235 })
    ahead = occurrences[1].awb
    counts.parcels += tasks.length
  }

  /** What a printer reads from the labels is what was asked for. */
  async function printLabels() {
    const awbs = model.parcels.filter(({ statusId }) => statusId === Unassigned).map(({ awb }) => awb)
    const { text } = await server.post('/labels', { awbs, format: 'zpl' })
    const codes = readZpl(text).map((fields) => fields.find(({ kind }) => kind === 'qr')?.data)
    assert.deepEqual(codes, awbs)
    const { bytes } = await server.post('/labels', { awbs: awbs.slice(0, 4), format: 'pdf-a4' })
    assert.equal(Buffer.from(bytes.subarray(0, 5)).toString(), '%PDF-')
  }

  async function assign() {
    const free = shuffled(model.parcels.filter(({ statusId }) => statusId === Unassigned))
    const going = free.filter(() => random() < 0.85)
    for (const driver of drivers.keys()) {
      const own = going.filter((_, at) => at % drivers.length === driver)
      const position = random() < 0.3 ? { position: 'best' } : {}
      const tasks = own.map(({ awb }) => awb)
      const { results } = await did(server.put(`/containers/drivers/${idOf(driver)}`, { tasks, ...position }))
      assert.ok(
        results.every(({ success }: Wire) => success),
        JSON.stringify(results),
      )
      for (const parcel of own) model.give(parcel, driver)
    }
  }

  /** At the hub and into the vehicles: some are missing, some in the wrong vehicle, and some nobody knows. */
  async function load() {
    for (const driver of drivers.keys()) {
      const own = model.parcels.filter((one) => one.driver === driver && one.statusId === Assigned && !heldBy.has(one))
      const isOther = (one: Parcel) => one.driver !== driver && one.driver !== null && !isForTomorrow(one.awb)
      const others = model.parcels.filter((one) => isOther(one) && one.statusId < Succeeded)
      const loaded = own.filter(() => random() < 0.9)
      const foreign = shuffled(others).slice(0, upTo(2))
      const read = (parcels: readonly Parcel[]) => parcels.map((one) => (random() < 0.5 ? one.awb : one.root))
      const codes = [...read(loaded), ...foreign.map(({ awb }) => awb), `${today}${driver}5941234567890`]
      const scans = codes.map((code) => ({ code, at: 'vehicle', userId: idOf(driver) }))
      const { results } = await did(server.post('/scans/bulkCreate', { scans }))
      const shown = results.map(({ data }: Wire) => [data.task?.awb ?? null, data.scan.result])
      // What is meant for tomorrow is not loaded today.
      const wanted = [
        ...loaded.map(({ awb }) => [awb, isForTomorrow(awb) ? 'otherDay' : 'expected']),
        ...foreign.map(({ awb }) => [awb, 'wrongDriver']),
        [null, 'unknown'],
      ]
      assert.deepEqual(shown, wanted)
      for (const parcel of loaded) if (!isForTomorrow(parcel.awb)) inVehicle.add(parcel)
      const { loads } = await did(server.get(`/loads?userId=${idOf(driver)}`))
      const missing = own.filter((one) => !inVehicle.has(one) && !isForTomorrow(one.awb)).map(({ awb }) => awb)
      const told = loads[0].parcels.filter((one: Wire) => one.missing && one.statusId === Assigned)
      const held = new Set([...heldBy.keys()].map(({ awb }) => awb))
      const names = told.map(({ awb }: Wire) => awb).filter((awb: string) => !held.has(awb))
      assert.deepEqual(names.sort(), missing.sort(), 'the driver must not leave without these')
      counts.scans += codes.length
    }
  }

  // ---- The drivers ----

  /** What a driver does at the doors of a day; it is sent now, or only some of it. */
  function workADay(driver: number): Done[] {
    const done: Done[] = []
    const doneOn = today
    const note = (parcel: Parcel, op: Record<string, unknown>, apply: () => void = () => {}) =>
      done.push({ op: { opId: randomUUID(), taskId: parcel.id, ...op }, doneOn, doneMs: Date.now(), apply })
    const own = model.parcels.filter((parcel) => parcel.driver === driver && parcel.statusId === Assigned)
    const going = shuffled(own).filter(() => random() < 0.9)
    const stops = Map.groupBy(going, stopOf)
    for (const stop of stops.values()) {
      const fileId = randomUUID()
      for (const parcel of stop) {
        note(parcel, { type: 'start' }, () => (parcel.statusId = InTransit))
        note(parcel, { type: 'arrive' })
      }
      for (const parcel of stop) {
        const isDone = random() < (parcel.returnOf ? 0.9 : 0.6)
        for (const [method, amount] of moneyFor(parcel, isDone))
          note(parcel, { type: 'payment', method, amount: amount / 100 }, () => {
            model.pay(parcel, driver, method, amount, doneOn)
            counts.payments += 1
          })
        if (isDone) {
          note(parcel, { type: 'signature', fileId, name: 'Ana' })
          note(parcel, { type: 'complete' }, () => model.end(parcel, true, null, doneOn))
        } else {
          const reason = oneOf(reasons)
          note(parcel, { type: 'fail', reason }, () => model.end(parcel, false, reason, doneOn))
        }
      }
    }
    return done
  }

  /** All at once, in two ways, a part of it, or nothing. */
  function moneyFor({ left }: Parcel, isDone: boolean): [Method, number][] {
    if (!left) return []
    const choice = random() + (isDone ? 0 : 0.75)
    const part = 1 + upTo(left)
    if (choice < 0.4) return [['cash', left]]
    if (choice < 0.6) return [['card', left]]
    if (choice < 0.75 && part < left)
      return [
        ['cash', part],
        ['card', left - part],
      ]
    return choice < 0.85 ? [[oneOf(['cash', 'card'] as const), part]] : []
  }

  async function send(driver: number, done: readonly Done[]) {
    if (done.length === 0) return
    const { key } = drivers[driver] as (typeof drivers)[number]
    const ops = done.map(({ op, doneOn, doneMs }) => ({
      ...op,
      occurredAt: new Date(doneMs - (today - doneOn) * dayMs).toISOString(),
    }))
    for (let at = 0; at < ops.length; at += 100) {
      const body = { deviceTime: new Date().toISOString(), ops: ops.slice(at, at + 100) }
      const { results } = await did(request(server.url, 'POST', '/api/v1/driver/sync', { key, body }))
      const wrong = results.filter(({ success }: Wire) => !success)
      assert.deepEqual(wrong, [], 'phones say nothing that the server refuses')
    }
    for (const { apply } of done) apply()
    const signed = done.find(({ op }) => op['type'] === 'signature')
    if (signed)
      await request(server.url, 'PUT', `/api/v1/driver/files/${signed.op['fileId']}`, {
        key,
        raw: makePng(40, 20),
        headers: { 'content-type': 'application/octet-stream' },
      })
    await returnByItself()
  }

  /** Some phones lose the network in the middle of the day, and are back a day or two later. */
  async function sendLate(driver: number) {
    const phone = drivers[driver] as (typeof drivers)[number]
    counts.late += phone.waiting.length
    await send(driver, phone.waiting.splice(0))
    for (const [parcel, holder] of heldBy) if (holder === driver) heldBy.delete(parcel)
  }

  async function drive(driver: number) {
    const phone = drivers[driver] as (typeof drivers)[number]
    if (phone.waiting.length > 0 && random() < 0.3) return
    await sendLate(driver)
    const done = workADay(driver)
    const heard = random() < 0.4 ? upTo(done.length + 1) : done.length
    await send(driver, done.slice(0, heard))
    phone.waiting = done.slice(heard)
    for (const { op } of phone.waiting)
      heldBy.set(model.parcels.find(({ id }) => id === op['taskId']) as Parcel, driver)
  }

  // ---- The office ----

  const follow = (parcel: Parcel, { task }: Wire) => {
    parcel.id = task.id
    assert.equal(task.awb, parcel.awb)
  }

  async function tryAgain() {
    const failed = shuffled(model.parcels.filter((one) => one.statusId === Failed && !model.isFollowed(one)))
    const together: Parcel[] = []
    for (const parcel of failed) {
      const path = `/tasks/awb/${parcel.awb}`
      const choice = random()
      if (choice < 0.35) {
        const driver = random() < 0.5 ? upTo(drivers.length) : null
        const answer = server.post(`${path}/reattempt`, driver === null ? {} : { userId: idOf(driver) })
        const why = model.whyNoReattempt(parcel)
        if (why) await refused(answer, why)
        else {
          follow(model.reattempt(parcel, driver), await did(answer))
          counts.tries += 1
        }
      } else if (choice < 0.6) together.push(parcel)
      else if (choice < 0.75) {
        const answer = server.post(`${path}/return`, {})
        const why = model.whyNoReturn(parcel)
        if (why) await refused(answer, why)
        else {
          follow(model.bringBack(parcel), await did(answer))
          counts.returns += 1
        }
      } else if (choice < 0.85) await correct(parcel, true)
    }
    await tryAgainTogether(together)
  }

  async function tryAgainTogether(parcels: readonly Parcel[]) {
    const more = shuffled(model.parcels).slice(0, 2)
    const all = [...new Set([...parcels, ...more])]
    const driver = upTo(drivers.length)
    const body = { tasks: all.map(({ awb }) => awb), userId: idOf(driver) }
    const { results } = await did(server.post('/tasks/bulkReattempt', body))
    for (const [at, parcel] of all.entries()) {
      const why = model.whyNoReattempt(parcel)
      assert.equal(results[at].error?.code, why, `${parcel.awb} again`)
      if (why) continue
      follow(model.reattempt(parcel, driver), { task: results[at].data })
      counts.tries += 1
    }
  }

  async function correct(parcel: Parcel, isDone: boolean) {
    const reason = isDone ? 'The neighbour had it' : 'It was the wrong parcel'
    const answer = server.post(`/tasks/awb/${parcel.awb}/correct`, { statusId: isDone ? Succeeded : Failed, reason })
    await did(answer)
    model.correct(parcel, isDone, reason)
    counts.corrections += 1
    await returnByItself()
  }

  async function correctSome() {
    const ended = model.parcels.filter((one) => one.statusId === Succeeded && !model.isFollowed(one))
    for (const parcel of shuffled(ended).slice(0, upTo(3))) await correct(parcel, false)
    const followed = model.parcels.find((one) => (one.reattemptedAs?.statusId ?? Succeeded) < Succeeded)
    const body = { statusId: Succeeded, reason: 'No' }
    if (followed) await refused(server.post(`/tasks/awb/${followed.awb}/correct`, body), 'TASK_REATTEMPTED')
  }

  /** The office ends a task for a driver, and takes back money that was recorded wrongly. */
  async function putRight() {
    const open = model.parcels.filter((one) => one.statusId === Assigned && one.price && !heldBy.has(one))
    const parcel = oneOf(open)
    if (parcel && random() < 0.5) {
      await did(server.put(`/tasks/awb/${parcel.awb}/forceComplete`, { success: false, failureReason: 'Damaged' }))
      model.end(parcel, false, 'Damaged', today)
      await returnByItself()
    }
    const paid = oneOf(model.payments.filter(({ amount, method }) => amount > 100 && method === 'cash'))
    const wrong = model.parcels.find(({ awb, statusId }) => awb === paid?.awb && statusId === Succeeded)
    if (!paid || !wrong) return
    const body = { amount: -0.37, method: 'cash', userId: idOf(paid.driver) }
    await did(server.post(`/tasks/${wrong.id}/payments`, body))
    model.pay(wrong, paid.driver, 'cash', -37, today)
    counts.payments += 1
  }

  // ---- The evening ----

  async function countCash() {
    for (const driver of drivers.keys())
      for (let day = 0; day <= today; day += 1) {
        const bag = model.bagOf(driver, day)
        if (bag.closed) {
          if (random() < 0.1) await correctCash(driver, day)
        } else if (random() < (day === today ? 0.7 : 0.9)) await closeDay(driver, day)
      }
  }

  async function closeDay(driver: number, day: number) {
    const bag = model.bagOf(driver, day)
    const given = { userId: idOf(driver), day: dayName(day) }
    if (bag.cash > 500 && random() < 0.3) {
      const amount = 1 + upTo(bag.cash)
      await did(server.post('/cash/handIns', { ...given, amount: amount / 100 }))
      bag.handedIn += amount
    }
    const counted = Math.max(0, bag.cash - bag.handedIn + (random() < 0.3 ? oneOf([-455, 50, 1]) : 0))
    const difference = bag.handedIn + counted - bag.cash
    const note = difference === 0 ? {} : { note: 'Counted twice' }
    if (difference !== 0)
      await refused(server.post('/cash/closeOuts', { ...given, counted: counted / 100 }), 'CASH_NOTE_REQUIRED')
    const { cash } = await did(server.post('/cash/closeOuts', { ...given, counted: counted / 100, ...note }))
    assert.deepEqual([cash.cash, cash.difference], [bag.cash / 100, difference / 100], 'what was to be handed in')
    bag.handedIn += counted
    bag.closed = true
    counts['closed days'] += 1
    await refused(server.post('/cash/closeOuts', { ...given, counted: 0, note: 'Again' }), 'CASH_DAY_CLOSED')
  }

  async function correctCash(driver: number, day: number) {
    const amount = oneOf([-205, 99])
    const given = { userId: idOf(driver), day: dayName(day), amount: amount / 100, note: 'Found in the van' }
    await did(server.post('/cash/corrections', given))
    model.bagOf(driver, day).handedIn += amount
  }

  async function listTasks(): Promise<Wire[]> {
    const tasks: Wire[] = []
    for (let cursor = ''; ; ) {
      const page = await did(server.get(`/tasks?limit=1000${cursor}`))
      tasks.push(...page.tasks)
      if (!page.nextCursor) return tasks
      cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
    }
  }

  return {
    server,
    model,
    calendar,
    receiver,
    counts,
    idOf,
    dayName,
    isForTomorrow,
    listTasks,
    get today() {
      return today
    },
    async liveADay() {
      await importParcels()
      await makeRegularWork()
      await printLabels()
      await assign()
      await load()
      for (const driver of shuffled([...drivers.keys()])) await drive(driver)
      await tryAgain()
      await correctSome()
      await putRight()
      await countCash()
      counts.days += 1
    },
    async passTheNight() {
      await calendar.passADay()
      today += 1
    },
    /** The last morning: all phones have a network. */
    async hearAll() {
      await makeRegularWork()
      for (const driver of drivers.keys()) await sendLate(driver)
      await countCash()
    },
  }
}
