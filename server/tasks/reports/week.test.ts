import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TaskFigures } from '../../../contract/report.ts'
import { addDays } from '../../../core/day-range.ts'
import { sumMoney } from '../../../core/money.ts'
import { judgePunctuality } from '../../../core/punctuality.ts'
import { dayOf } from '../../../core/task-day.ts'
import { Failed, type StatusId, Succeeded } from '../../../core/task-status.ts'
import { sql } from '../../db/sql.ts'
import { aTask, makeDriver, makeTeam } from '../../test/factories.ts'
import { startServer } from '../../test/server.ts'

/* A made-up week, counted twice: by the database, and here task by task. */

const count = 400

/** The same numbers for the same seed (mulberry32). */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

interface Made {
  n: number
  statusId: StatusId
  userId: number | null
  teamId: number | null
  customer: number | null
  completedAt: string
  completeBefore: string | null
  totalPrice: number
  leftToBePaid: number
  collectPayment: boolean
  paymentTypeId: number
  rating: number | null
  distance: number
  reason: string
  isFirst: boolean
  /** Any other task; one of them was deleted. */
  nextId: number | null
  reattemptedAs: object | null
}

/** Weeks in which the clocks of these zones change, in both directions, and one across a year. */
const weeks = [
  ['Europe/Bucharest', '2025-10-22'],
  ['Europe/Bucharest', '2026-03-26'],
  ['America/New_York', '2025-12-28'],
  ['Asia/Kathmandu', '2026-02-26'],
] as const

for (const [index, [timezone, from]] of weeks.entries())
  test(`the week of ${from} in ${timezone} comes to the same, counted twice`, async (t) => {
    const seed = Number(process.env['WAYBILL_SEED'] ?? Math.floor(Math.random() * 1e9)) + index
    t.diagnostic(`WAYBILL_SEED=${seed - index}`)
    const server = await startServer(t)
    const db = server.database.everyone
    const own = sql`organisation_id = ${server.organisationId}`
    await db.run(sql`update organisations set timezone = ${timezone} where id = ${server.organisationId}`)
    const drivers = [await makeDriver(server, { name: 'Vlad' }), await makeDriver(server, { name: 'Ana' })]
    const team = await makeTeam(server, { name: 'North' })
    const make = async (awb: string, name: string, phone: string) =>
      (await server.post('/tasks', aTask({ awb, customer: { name, phone } }))).body.task.id as number
    const next = await make('SAMPLE', 'A', '0722 000 001')
    const deleted = await make('OTHER', 'B', '0722 000 002')
    await server.delete('/tasks/awb/OTHER')
    const customers = (await db.many<{ id: number }>(sql`select id from customers where ${own} order by name`)).map(
      ({ id }) => id,
    )
    const to = addDays(from, 6)
    const start = Temporal.PlainDate.from(from).toZonedDateTime(timezone).epochMilliseconds
    const random = createRandom(seed)
    const oneOf = <Value>(...values: Value[]) => values[Math.floor(random() * values.length)] as Value
    const time = (ms: number) => new Date(Math.round(ms)).toISOString()
    const tasks = Array.from({ length: count }, (_, n): Made => {
      // A little before the week to a little after it; often near midnight, where days are told apart.
      const day = Math.floor(random() * 9) - 1
      const midnight = Temporal.PlainDate.from(addDays(from, day)).toZonedDateTime(timezone).epochMilliseconds
      const ended = oneOf(midnight, midnight + 999, midnight - 1, start + (random() * 9 - 1) * 86_400_000)
      const statusId = random() < 0.8 ? Succeeded : Failed
      const nextId = statusId === Failed ? oneOf(null, next, deleted) : null
      const totalPrice = Math.floor(random() * 10_000) / 100
      return {
        n,
        statusId,
        userId: oneOf(drivers[0]!.id, drivers[1]!.id, null),
        teamId: oneOf(team.id, null),
        customer: oneOf(...customers, null),
        completedAt: time(ended),
        completeBefore: random() < 0.3 ? null : time(ended + (random() - 0.5) * 7_200_000),
        totalPrice,
        leftToBePaid: oneOf(0, totalPrice),
        collectPayment: random() < 0.6,
        paymentTypeId: oneOf(1, 2),
        rating: random() < 0.3 ? 1 + Math.floor(random() * 5) : null,
        distance: Math.floor(random() * 3_000),
        reason: statusId === Failed ? oneOf('', 'Nobody home', ' Nobody home ', 'Refuzat') : '',
        isFirst: random() < 0.8,
        nextId,
        reattemptedAs: nextId === next ? {} : null,
      }
    })
    await db.run(sql`
      insert into tasks (organisation_id, awb, uuid, status_id, user_id, route_position, team_id, customer_id, details, collect_payment,
        payment_type_id, priority, complete_before, pickup_task, custom_fields, send_notifications, cancel_reason, route, completed_at,
        last_sequence, feedback, total_price, total_price_hundredths, left_to_be_paid, left_to_be_paid_hundredths, attempt_of, reattempted_as)
      select ${server.organisationId}, 'W-' || g.n, 'w' || ${server.organisationId}::text || '-' || g.n, g."statusId", g."userId", 1, g."teamId", g.customer, '',
        g."collectPayment", g."paymentTypeId", 0, g."completeBefore", false, '[]', true, g.reason,
        jsonb_build_object('distanceMetres', g.distance), g."completedAt", 1,
        case when g.rating is not null then jsonb_build_object('rating', g.rating, 'comment', '', 'at', g."completedAt") end,
        trunc(g."totalPrice"), round(g."totalPrice" % 1 * 100), trunc(g."leftToBePaid"), round(g."leftToBePaid" % 1 * 100),
        case when not g."isFirst" then 1 end, g."nextId"
      from jsonb_to_recordset(${JSON.stringify(tasks)}::jsonb) as g (n int, "statusId" smallint, "userId" bigint, "teamId" bigint,
        customer bigint, "completedAt" timestamptz, "completeBefore" timestamptz, "totalPrice" numeric, "leftToBePaid" numeric,
        "collectPayment" boolean, "paymentTypeId" smallint, rating int, distance int, reason text, "isFirst" boolean, "nextId" bigint)`)

    const { body } = await server.get(
      `/reports/tasks?from=${from}&to=${to}&by=day,month,driver,team,customer,reason,hour`,
    )
    const dayOfTask = ({ completedAt }: Made) => dayOf(new Date(completedAt), timezone)
    const inWeek = tasks.filter((task) => dayOfTask(task) >= from && dayOfTask(task) <= to)
    const same = (figures: TaskFigures, mine: Made[], whose: string) => {
      const { tasks, succeeded, failed, windows, windowsMet, firstTries, firstTriesSucceeded } = figures
      const judged = judgePunctuality(mine, Date.now())
      const first = mine.filter(({ isFirst }) => isFirst)
      const won = mine.filter(({ statusId }) => statusId === Succeeded)
      const ratings = mine.flatMap(({ rating }) => rating ?? [])
      assert.deepEqual(
        [tasks, succeeded, failed, windows, windowsMet, firstTries, firstTriesSucceeded],
        [
          mine.length,
          won.length,
          mine.length - won.length,
          judged.judged,
          judged.onTime,
          first.length,
          first.filter(({ statusId }) => statusId === Succeeded).length,
        ],
        whose,
      )
      const { collected, toCollect, unpaid, lost } = figures
      assert.deepEqual({ collected, toCollect, unpaid, lost }, sumMoney(mine), whose)
      assert.equal(figures.ratings, ratings.length, whose)
      assert.equal(
        figures.distanceMetres,
        mine.reduce((sum, { distance }) => sum + distance, 0),
        whose,
      )
      if (figures.meanLateSeconds !== null)
        assert.ok(Math.abs(figures.meanLateSeconds - judged.lateSeconds) <= 1, whose)
    }
    same(body, inWeek, 'all')
    const by = (list: (TaskFigures & Record<string, unknown>)[], key: string, groupOf: (task: Made) => unknown) => {
      const groups = Map.groupBy(inWeek, groupOf)
      assert.deepEqual(new Set(list.map((one) => one[key])), new Set(groups.keys()), key)
      for (const one of list) same(one, groups.get(one[key]) ?? [], `${key} ${one[key]}`)
    }
    by(body.days, 'day', dayOfTask)
    by(body.months, 'month', (task) => dayOfTask(task).slice(0, 7))
    by(body.drivers, 'driverId', ({ userId }) => userId)
    by(body.teams, 'teamId', ({ teamId }) => teamId)
    for (const one of body.customers)
      same(
        one,
        inWeek.filter(({ customer }) => customer === one.customerId),
        `customer ${one.customerId}`,
      )
    assert.equal(body.customers.length, 2)
    const reasons = Map.groupBy(
      inWeek.filter(({ statusId }) => statusId === Failed),
      ({ reason }) => reason.trim(),
    )
    assert.deepEqual(
      new Map(body.reasons.map(({ reason, count }: { reason: string; count: number }) => [reason, count])),
      new Map([...reasons].map(([reason, all]) => [reason, all.length])),
    )
  })
