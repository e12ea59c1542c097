import assert from 'node:assert/strict'
import { sumAmounts } from '../../core/money.ts'
import { checkCash } from '../cash/check.ts'
import { sql } from '../db/sql.ts'
import { until } from './until.ts'
import type { Firm } from './week-firm.ts'
import type { Wire } from './week-ground.ts'
import { type Bag, Failed, type Figures, type Parcel, Succeeded } from './week-model.ts'

/* Whether the firm is as its model says, and whole by itself. */

export async function checkAll(firm: Firm) {
  const tasks = await firm.listTasks()
  compareParcels(firm, tasks)
  checkChains(tasks)
  await compareCash(firm)
  await compareReports(firm)
  await checkEvents(firm)
}

const awbOf = (other: Wire) => other?.awb ?? null

export function compareParcels({ model, idOf }: Firm, tasks: readonly Wire[]) {
  const shown = new Map<string, Wire>(tasks.map((task) => [task.awb, task]))
  assert.deepEqual([...shown.keys()].sort(), model.parcels.map(({ awb }) => awb).sort())
  for (const parcel of model.parcels) {
    const { awb, driver, price, left, reason } = parcel
    const task = shown.get(awb)
    const links = (of: Wire) => ['attemptOf', 'reattemptedAs', 'returnOf', 'returnedAs'].map((name) => awbOf(of[name]))
    const { statusId, attempt, userId, totalPrice, leftToBePaid, cancelReason } = task
    assert.deepEqual(
      [statusId, attempt, userId, totalPrice, leftToBePaid, cancelReason || null, ...links(task)],
      [
        parcel.statusId,
        parcel.attempt,
        driver === null ? null : idOf(driver),
        price === null ? null : price / 100,
        left === null ? null : left / 100,
        reason,
        ...links(parcel),
      ],
      awb,
    )
  }
}

/** From the first try of every parcel one way leads to one end, or to one task that is open, and all say the same of it. */
export function checkChains(tasks: readonly Wire[]) {
  const byId = new Map<number, Wire>(tasks.map((task) => [task.id, task]))
  const at = (link: Wire) => byId.get(link.taskId) ?? assert.fail(`${link.awb} is linked and not there`)
  const seen = new Set<number>()
  for (const first of tasks) {
    if (first.attemptOf || first.returnOf) continue
    for (let task = first; ; ) {
      assert.ok(!seen.has(task.id), `${task.awb} follows two`)
      seen.add(task.id)
      assert.ok(!(task.reattemptedAs && task.returnedAs), `${task.awb} is followed twice`)
      if (task.statusId === Failed) assert.ok(task.cancelReason, `${task.awb} failed for no reason`)
      const link = task.reattemptedAs ?? task.returnedAs
      if (!link) break
      assert.equal(task.statusId, Failed, `${task.awb} is followed and did not fail`)
      const next = at(link)
      assert.equal(awbOf(task.reattemptedAs ? next.attemptOf : next.returnOf), task.awb, `${next.awb} leads back`)
      assert.ok(next.earlierAwbs.includes(first.awb), `the first label of ${next.awb} scans`)
      task = next
    }
  }
  const lost = tasks.filter(({ id }) => !seen.has(id)).map(({ awb }) => awb)
  assert.deepEqual(lost, [], 'no task is outside the story of its parcel')
}

async function compareCash(firm: Firm) {
  const { server, model, idOf, dayName, today, isForTomorrow } = firm
  for (let day = 0; day <= today; day += 1) {
    const { days } = (await server.get(`/cash?day=${dayName(day)}`)).body
    const shown = new Map<number, Wire>(days.map((one: Wire) => [one.userId, one]))
    const drivers = new Set([...model.bags.keys()].map((name) => Number(name.split(' ')[0])))
    for (const driver of drivers) {
      const { cash, card, earlier, handedIn, closed, ...rest } = shown.get(idOf(driver)) ?? model.bagOf(-1, 0)
      const bag = model.bagOf(driver, day)
      const wanted = [bag.cash, bag.card, bag.earlier, bag.handedIn].map((amount) => amount / 100)
      assert.deepEqual([cash, card, earlier, handedIn, closed], [...wanted, bag.closed], `driver ${driver}, day ${day}`)
      const due = model.dueOf(driver, ({ endedOn, awb }) => (endedOn ?? (isForTomorrow(awb) ? day + 1 : today)) === day)
      for (const [name, amount] of Object.entries(due))
        assert.equal(rest[name] ?? 0, amount / 100, `${name} of driver ${driver}, day ${day}`)
    }
  }
  await compareLines(firm)
  const { faults } = await checkCash(server.database.of(server.organisationId), server.organisationId)
  assert.deepEqual(faults, [])
}

/** Each payment is one line, and was taken on its day. */
async function compareLines({ server, model, idOf, dayName, today }: Firm) {
  const lines: Wire[] = []
  for (let cursor = ''; ; ) {
    const page = (await server.get(`/cash/lines?limit=1000&from=${dayName(0)}&to=${dayName(today)}${cursor}`)).body
    lines.push(...page.lines)
    if (!page.nextCursor) break
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
  }
  const written = (awb: string, userId: number, day: string, method: string, amount: number) =>
    `${awb} ${userId} ${day} ${method} ${amount}`
  const shown = lines
    .filter(({ kind }) => kind === 'payment')
    .map(({ awb, userId, day, ofDay, method, amount }) => written(awb, userId, ofDay ?? day, method, amount))
  const wanted = model.payments.map(({ awb, driver, day, method, amount }) =>
    written(awb, idOf(driver), dayName(day), method, amount / 100),
  )
  assert.deepEqual(shown.sort(), wanted.sort())
}

const money: (keyof Figures)[] = ['collected', 'toCollect', 'unpaid', 'lost']

async function compareReports({ server, model, idOf, dayName, today }: Firm) {
  const { body } = await server.get(`/reports/tasks?from=${dayName(0)}&to=${dayName(today + 1)}&by=day,driver,reason`)
  const assertSame = (shown: Wire, chosen: Parcel[], whose: string) => {
    for (const [name, wanted] of Object.entries(model.figuresOf(chosen)))
      assert.equal(shown?.[name] ?? 0, money.includes(name as never) ? wanted / 100 : wanted, `${name} of ${whose}`)
  }
  const assertTaken = (shown: Wire, chosen: Bag[], whose: string) => {
    const wanted = (['cash', 'card'] as const).map((method) => sumAmounts(chosen.map((bag) => bag[method] / 100)))
    assert.deepEqual([shown?.cash ?? 0, shown?.card ?? 0], wanted, `what drivers took, ${whose}`)
  }
  const bags = [...model.bags].map(([name, bag]) => ({ whose: name.split(' ').map(Number), bag }))
  assertSame(body, model.parcels, 'all')
  const asked = sumAmounts(model.parcels.map(({ price, attemptOf }) => (attemptOf ? 0 : (price ?? 0) / 100)))
  assert.equal(sumAmounts(money.map((name) => body[name])), asked, 'each parcel brings its price once')
  for (const [driver, own] of Map.groupBy(model.parcels, ({ driver }) => driver)) {
    const userId = driver === null ? null : idOf(driver)
    const shown = body.drivers.find(({ driverId }: Wire) => driverId === userId)
    assertSame(shown, own, `driver ${driver}`)
    assertTaken(
      shown,
      bags.filter(({ whose }) => whose[0] === driver).map(({ bag }) => bag),
      `driver ${driver}`,
    )
  }
  for (let day = 0; day < today; day += 1) {
    const ended = model.parcels.filter(({ endedOn }) => endedOn === day)
    const shown = body.days.find((one: Wire) => one.day === dayName(day))
    assertSame(shown, ended, `day ${day}`)
    assertTaken(
      shown,
      bags.filter(({ whose }) => whose[1] === day).map(({ bag }) => bag),
      `day ${day}`,
    )
  }
  const failed = model.parcels.filter(({ statusId }) => statusId === Failed)
  const wanted = [...Map.groupBy(failed, ({ reason }) => reason)].map(([reason, all]) => [reason, all.length])
  const shown = body.reasons.map(({ reason, count }: Wire) => [reason, count])
  assert.deepEqual(new Map(shown), new Map(wanted as never), 'why tasks failed')
}

interface Event {
  id: number
  task_id: number
  sequence: number
  to_status_id: number | null
}

/** The events of each task are numbered without a gap, and the receiver got each, in that order. */
async function checkEvents({ server, receiver, model }: Firm) {
  const events = await server.database.everyone.many<Event>(sql`
    select id, task_id, sequence, to_status_id from events
    where organisation_id = ${server.organisationId}
    order by task_id, sequence`)
  const byTask = Map.groupBy(events, ({ task_id }) => task_id)
  assert.deepEqual(new Set(byTask.keys()), new Set(model.parcels.map(({ id }) => id)))
  for (const { awb, id, statusId } of model.parcels) {
    const own = byTask.get(id) as Event[]
    assert.deepEqual(
      own.map(({ sequence }) => sequence),
      own.map((_, at) => at + 1),
      `events of ${awb}`,
    )
    if (statusId >= Succeeded) assert.equal(own.findLast((one) => one.to_status_id !== null)?.to_status_id, statusId)
  }
  const heard = () => receiver.requests.map(({ body }) => body as { taskId: number; sequence: number })
  const wanted = events.map(({ task_id, sequence }) => `${task_id} ${sequence}`)
  await until('all deliveries', () => receiver.requests.length >= wanted.length)
  const got = Map.groupBy(heard(), ({ taskId }) => taskId)
  const inTheirOrder = [...got]
    .sort(([one], [other]) => one - other)
    .flatMap(([taskId, own]) => own.map(({ sequence }) => `${taskId} ${sequence}`))
  assert.deepEqual(inTheirOrder, wanted, 'the receiver got every event once, in order')
}
