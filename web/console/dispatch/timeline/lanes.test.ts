import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failed, InTransit, Succeeded } from '../../../../core/task-status.ts'
import type { Driver, Task } from '../../../api/data.ts'
import { driverWith, plannedAt, taskWith } from '../../../test/a-task.ts'
import { loadsOf } from '../../day/driver-load.ts'
import { type Block, countStates, idsOf } from './blocks.ts'
import { createLaneKeeper, makeLane, rangeOf } from './lanes.ts'
import { momentOf } from './zone.ts'

const [day, zone] = ['2026-11-15', 'Europe/Bucharest']
const at = (time: string) => `2026-11-15T${time}:00.000Z`
const clock = (moment: number | undefined) => moment && new Date(moment).toISOString().slice(11, 16)
/** Each at a door of its own. */
const mine = (id: number, changes: Partial<Task>) =>
  taskWith({ id, userId: 7, address: { ...taskWith().address, lat: 45 + id / 100 }, ...changes })
const laneOf = (tasks: Task[], driver: Partial<Driver> = {}, now = at('09:00')) =>
  makeLane(driverWith(driver), tasks, day, zone, Date.parse(now))

test('a lane shows ended tasks when they were done, and the others when they are planned', () => {
  const { blocks, unplanned, done, all } = laneOf([
    mine(1, { route: plannedAt(at('11:00'), 2), serviceTime: 10 }),
    mine(2, { statusId: Succeeded, startedAt: at('07:30'), arrivalTime: at('07:50'), completedAt: at('08:00') }),
    mine(3, { route: plannedAt(at('10:00'), 1, 600), serviceTime: 5 }),
    mine(4, {}),
  ])
  assert.deepEqual(
    blocks.map(({ id, arrival, start, end }) => [id, ...[arrival, start, end].map(clock)]),
    [
      [2, '07:50', '07:50', '08:00'],
      [3, '10:00', '10:10', '10:15'],
      [1, '11:00', '11:00', '11:10'],
    ],
  )
  assert.deepEqual([unplanned.map(({ id }) => id), done, all], [[4], 1, 4])
})

test('a task whose driver has arrived lasts until now, and a planned time in the past counts as behind', () => {
  const { blocks } = laneOf(
    [
      mine(1, { statusId: InTransit, startedAt: at('08:00'), arrivalTime: at('08:30'), serviceTime: 5 }),
      mine(2, { route: plannedAt(at('08:45')) }),
      mine(3, { route: plannedAt(at('09:30')) }),
    ],
    {},
    at('09:00'),
  )
  assert.equal(clock(blocks[0]?.end), '09:00')
  assert.deepEqual(
    blocks.map(({ isPlanned, isBehind }) => [isPlanned, isBehind]),
    [
      [false, false],
      [true, true],
      [true, false],
    ],
  )
})

test('a lane counts as late what the list of drivers counts: open tasks, planned or not', () => {
  const tasks = [
    mine(1, { completeBefore: at('08:00') }),
    mine(2, { completeBefore: at('10:00'), route: plannedAt(at('10:30')) }),
    mine(3, { completeBefore: at('10:00'), route: plannedAt(at('09:30')) }),
    mine(4, { statusId: Succeeded, completeBefore: at('08:00'), completedAt: at('08:10') }),
  ]
  assert.equal(laneOf(tasks).late, 2)
  assert.equal(loadsOf(tasks, Date.parse(at('09:00'))).get(7)?.late, 2)
})

test('a plan of another day is ignored', () => {
  const { blocks, unplanned } = laneOf([mine(1, { route: plannedAt('2026-11-17T09:00:00Z') })])
  assert.deepEqual([blocks.length, unplanned.map(({ id }) => id)], [0, [1]])
})

test("a shift over midnight ends on the next day in the organisation's time zone", () => {
  const { shift } = laneOf([], { startShiftTime: '20:00', endShiftTime: '04:00' })
  assert.deepEqual(shift, { start: Date.parse('2026-11-15T18:00:00Z'), end: Date.parse('2026-11-16T02:00:00Z') })
  const summerBegins = makeLane(
    driverWith({ startShiftTime: '22:00', endShiftTime: '06:00' }),
    [],
    '2026-03-28',
    zone,
    0,
  )
  assert.equal((summerBegins.shift!.end - summerBegins.shift!.start) / 3_600_000, 7, 'one hour is skipped that night')
})

test('whoever works at night is still at work in the morning of the next day', () => {
  const { nightBefore } = laneOf([], { startShiftTime: '20:00', endShiftTime: '04:00' })
  assert.deepEqual(nightBefore, { start: Date.parse('2026-11-14T18:00:00Z'), end: Date.parse('2026-11-15T02:00:00Z') })
  assert.equal(laneOf([], { startShiftTime: '08:00', endShiftTime: '16:00' }).nightBefore, undefined)
  assert.equal(laneOf([], { startShiftTime: '16:00', endShiftTime: '00:00' }).nightBefore, undefined)
})

test('lunch is shown in the gap with the lowest travel speed, and does not count as travel', () => {
  const { lunch, ways } = laneOf(
    [
      mine(1, { route: plannedAt(at('10:00'), 1) }),
      mine(2, { route: plannedAt(at('10:40'), 2) }),
      mine(3, { route: plannedAt(at('12:00'), 3) }),
    ],
    { lunchBreakStart: '12:00', lunchBreakEnd: '14:00', lunchBreakDuration: '30' },
  )
  assert.deepEqual([clock(lunch?.start), clock(lunch?.end)], ['10:40', '11:10'])
  assert.deepEqual(
    ways.map(({ to, minutes }) => [to, minutes]),
    [
      [2, 40],
      [3, 50],
    ],
  )
})

test('tasks at one door that follow each other are one stop, with one number, and no way leads from one to the next', () => {
  const { address } = taskWith()
  const { blocks, ways } = laneOf([
    mine(1, {
      address,
      statusId: Succeeded,
      startedAt: at('08:00'),
      arrivalTime: at('08:30'),
      completedAt: at('08:40'),
    }),
    mine(2, { address, statusId: Succeeded, completedAt: at('08:50') }),
    mine(3, { route: plannedAt(at('10:00'), 5) }),
    mine(4, { address, route: plannedAt(at('10:30'), 6), serviceTime: 5 }),
    mine(5, { address, route: plannedAt(at('10:40'), 7) }),
    mine(6, { route: plannedAt(at('11:00'), 8) }),
  ])
  assert.deepEqual(
    blocks.map((block) => [idsOf(block), block.number]),
    [
      [[1, 2], undefined],
      [[3], 1],
      [[4, 5], 2],
      [[6], 3],
    ],
  )
  assert.deepEqual(
    ways.map(({ to, minutes }) => [to, minutes]),
    [
      [1, 30],
      [3, 70],
      [4, 30],
      [6, 20],
    ],
  )
})

const { address: door } = taskWith()
const spans = (blocks: readonly Block[]) =>
  blocks.map((block) => [idsOf(block), ...[block.arrival, block.start, block.end].map(clock)])

test('a stop takes as long as its longest task and a minute for each other one, and waits where a window is not open', () => {
  const three = (changes: Partial<Task>) =>
    laneOf([
      mine(1, { address: door, route: plannedAt(at('10:00'), 1), serviceTime: 10 }),
      mine(2, { address: door, route: plannedAt(at('10:00'), 2), serviceTime: 4 }),
      mine(3, { address: door, route: plannedAt(at('10:00'), 3), serviceTime: 0, ...changes }),
      mine(4, { route: plannedAt(at('11:00'), 4), serviceTime: 5 }),
    ]).blocks
  assert.deepEqual(spans(three({})), [
    [[1, 2, 3], '10:00', '10:00', '10:12'],
    [[4], '11:00', '11:00', '11:05'],
  ])
  const waits = three({ route: plannedAt(at('10:00'), 3, 1800), serviceTime: 5 })
  assert.deepEqual(spans(waits)[0], [[1, 2, 3], '10:00', '10:00', '10:35'], 'the last of them opens at half past')
})

test('a stop with the driver at its door is one block, however its tasks have gone so far', () => {
  const there = { address: door, startedAt: at('08:00'), arrivalTime: at('08:40') }
  const { blocks, done } = laneOf(
    [
      mine(1, { ...there, statusId: Succeeded, completedAt: at('08:45') }),
      mine(2, { ...there, statusId: Failed, completedAt: at('08:50') }),
      mine(3, { ...there, statusId: InTransit, serviceTime: 15 }),
      mine(4, { address: door, route: plannedAt(at('08:41')), serviceTime: 8 }),
    ],
    {},
    at('08:52'),
  )
  assert.deepEqual(spans(blocks), [[[1, 2, 3, 4], '08:40', '08:40', '09:01']], 'three minutes, one more, and five')
  assert.deepEqual(
    blocks.map(({ statusId, isPlanned, isBehind }) => [statusId, isPlanned, isBehind]),
    [[InTransit, false, false]],
  )
  assert.deepEqual(blocks.map(countStates), [
    [
      [Failed, 1],
      [Succeeded, 1],
      [InTransit, 1],
      [6, 1],
    ],
  ])
  assert.equal(done, 2)
})

test('who comes back to a door hours later comes a second time', () => {
  const { blocks } = laneOf([
    mine(1, { address: door, statusId: Succeeded, arrivalTime: at('08:00'), completedAt: at('08:10') }),
    mine(2, { address: door, route: plannedAt(at('12:00')), serviceTime: 5 }),
  ])
  assert.deepEqual(spans(blocks), [
    [[1], '08:00', '08:00', '08:10'],
    [[2], '12:00', '12:00', '12:05'],
  ])
})

test('the axis covers everything that is drawn, in whole hours, at least four', () => {
  const hours = ({ start, end }: { start: number; end: number }) => [clock(start), (end - start) / 3_600_000]
  assert.deepEqual(hours(rangeOf([laneOf([])], day, zone, undefined)), ['05:00', 12], 'an empty day: 8 to 18 o’clock')
  const short = laneOf([mine(1, { route: plannedAt(at('10:00')), serviceTime: 5 })])
  assert.deepEqual(hours(rangeOf([short], day, zone, undefined)), ['09:00', 4])
  const late = rangeOf([short], day, zone, Date.parse(at('20:00')))
  assert.ok(late.end >= Date.parse(at('21:00')), 'now is in sight, with an hour to come')
})

test('a time of day is read in the time zone, also around daylight saving time', () => {
  const moment = (date: string, time: string) => new Date(momentOf(date, time, zone)).toISOString()
  assert.equal(moment('2026-07-15', '08:00'), '2026-07-15T05:00:00.000Z')
  assert.equal(moment('2026-11-15', '8:00'), '2026-11-15T06:00:00.000Z')
  assert.equal(moment('2026-10-25', '12:00'), '2026-10-25T10:00:00.000Z', 'the day the clocks go back')
})

test('an event about one driver leaves the lanes of all others as they are', () => {
  const lanesOf = createLaneKeeper()
  const drivers = [driverWith({ id: 7 }), driverWith({ id: 8 })]
  const [mineNow, theirs] = [mine(1, {}), mine(2, { userId: 8 })]
  const draw = (tasks: Task[], now = at('09:00'), some = drivers) =>
    lanesOf(some, (id) => tasks.filter(({ userId }) => userId === id), day, zone, Date.parse(now))
  const [first, second] = draw([mineNow, theirs])
  const after = draw([{ ...mineNow, priority: 3 }, theirs])
  assert.notEqual(after[0], first)
  assert.equal(after[1], second)
  assert.equal(draw([theirs])[0]?.all, 0, 'a task that left is gone')
  assert.notEqual(draw([theirs], at('09:01'))[1], second, 'later it may be late')
  const onDuty = drivers.map((driver) => ({ ...driver, inShift: !driver.inShift }))
  assert.equal(draw([theirs], at('09:01'), onDuty)[1]?.driver, onDuty[1])
})
