import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Assigned, Failed, InTransit, Succeeded, Unassigned } from '../../../../core/task-status.ts'
import type { Task } from '../../../api/data.ts'
import { plannedAt, taskWith } from '../../../test/a-task.ts'
import { countDay } from './day-statistics.ts'

const at = (time: string) => `2026-11-15T${time}:00.000Z`
const hourOf = (moment: string) => new Date(moment).getUTCHours()
const count = (...tasks: Partial<Task>[]) => countDay(tasks.map(taskWith), hourOf, Date.parse(at('12:00')))
const succeededAt = (time: string, changes: Partial<Task> = {}) => ({
  statusId: Succeeded,
  completedAt: at(time),
  ...changes,
})

test('every task of the day is counted once, by its state', () => {
  const { all, byStatus } = count({}, { statusId: InTransit }, succeededAt('09:00'), { statusId: Failed }, {})
  assert.equal(all, 5)
  assert.deepEqual(byStatus, { [Unassigned]: 2, [Assigned]: 0, [InTransit]: 1, [Succeeded]: 1, [Failed]: 1 })
})

test('punctuality looks at every window that was met or missed, and averages only the late ones', () => {
  const { punctuality } = count(
    succeededAt('10:00', { completeBefore: at('10:00') }),
    succeededAt('10:10', { completeBefore: at('10:00') }),
    succeededAt('10:20', { completeBefore: at('10:00') }),
    succeededAt('23:00'),
    { statusId: Failed, completedAt: at('12:00'), completeBefore: at('10:00') },
    { completeBefore: at('06:00') },
  )
  assert.deepEqual(punctuality, { judged: 5, onTime: 1, lateSeconds: ((10 + 20 + 120 + 360) * 60) / 4 })
  assert.equal(count().punctuality.lateSeconds, 0)
})

test('the hours go from the first ended task to the last, including quiet ones', () => {
  const { hours } = count(
    succeededAt('12:59'),
    succeededAt('10:00'),
    { statusId: Failed, completedAt: at('12:00') },
    { statusId: InTransit, startedAt: at('15:00') },
  )
  assert.deepEqual(hours, [
    { hour: 10, succeeded: 1, failed: 0 },
    { hour: 11, succeeded: 0, failed: 0 },
    { hour: 12, succeeded: 1, failed: 1 },
  ])
  assert.deepEqual(count({}).hours, [])
})

test('drivers are listed by what they have done, then by name, and tasks without a driver last', () => {
  const of = (userId: number, name: string, changes: Partial<Task> = {}) => ({ userId, user: { name }, ...changes })
  const { drivers } = count(
    {},
    {},
    of(1, 'Vlad', { route: plannedAt(at('09:00')) } as Partial<Task>) as Partial<Task>,
    of(2, 'Ana', { statusId: Failed }) as Partial<Task>,
    of(3, 'Zoe', succeededAt('09:00', { route: plannedAt(at('09:00')) as Task['route'] })) as Partial<Task>,
    of(3, 'Zoe', { statusId: InTransit, route: plannedAt(at('10:00')) as Task['route'] }) as Partial<Task>,
  )
  assert.deepEqual(
    drivers.map(({ name, succeeded, failed, open, distanceMetres }) => [name, succeeded, failed, open, distanceMetres]),
    [
      ['Zoe', 1, 0, 1, 2_000],
      ['Ana', 0, 1, 0, 0],
      ['Vlad', 0, 0, 1, 1_000],
      ['', 0, 0, 2, 0],
    ],
  )
})

test('reasons for failure are counted, the most frequent first', () => {
  const failed = (cancelReason: string | null) => ({ statusId: Failed, cancelReason })
  const { failures } = count(failed('Refused'), failed('Nobody home'), failed(' Nobody home '), failed(null), {
    cancelReason: 'Refused',
  })
  assert.deepEqual(failures, [
    { reason: 'Nobody home', count: 2 },
    { reason: '', count: 1 },
    { reason: 'Refused', count: 1 },
  ])
})

test('money is counted apart for cash and card, and all together', () => {
  const priced = (totalPrice: number, leftToBePaid: number, paymentTypeId: 1 | 2, changes: Partial<Task> = {}) => ({
    collectPayment: true,
    totalPrice,
    leftToBePaid,
    paymentTypeId,
    ...changes,
  })
  const { money, payments } = count(
    priced(100, 0, 1, { statusId: Succeeded }),
    priced(50, 50, 1),
    priced(30, 30, 2, { statusId: Failed }),
  )
  assert.deepEqual(money, { collected: 100, toCollect: 50, unpaid: 0, lost: 30 })
  assert.deepEqual(payments, [
    { paymentTypeId: 1, collected: 100, toCollect: 50, unpaid: 0, lost: 0 },
    { paymentTypeId: 2, collected: 0, toCollect: 0, unpaid: 0, lost: 30 },
  ])
})

test('the rating of a day is the average of what its customers gave, however many tasks nobody rated', () => {
  const feedbacks = (...ratings: number[]) => ({
    feedbacks: ratings.map((rating) => ({ rating })) as Task['feedbacks'],
  })
  assert.deepEqual(count({}, feedbacks(5), feedbacks(2), feedbacks(4)).rating, { count: 3, average: 11 / 3 })
  assert.deepEqual(count({}).rating, { count: 0, average: 0 })
})
