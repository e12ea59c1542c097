import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InTransit, Succeeded } from '../../../../core/task-status.ts'
import { driverWith, idsOf, plannedAt, taskWith } from '../../../test/a-task.ts'
import { canGive, canTakeBack, movableIds, placeAt, planDrop, stepStop } from './drop.ts'
import { makeLane } from './lanes.ts'

const at = (time: string) => `2026-11-15T${time}:00.000Z`
/** Each at a door of its own, or at that of another. */
const stop = (id: number, time: string, door = id) =>
  taskWith({
    id,
    userId: 7,
    route: plannedAt(at(time), id),
    serviceTime: 10,
    address: { ...taskWith().address, lat: 44 + door / 100 },
  })
const moving = taskWith({ id: 9, userId: 7, statusId: InTransit, startedAt: at('08:50'), arrivalTime: at('08:55') })
const stops = [stop(1, '10:00'), stop(2, '11:00'), stop(3, '12:00')]
const onTheWay = taskWith({ id: 8, userId: 7, statusId: InTransit, route: plannedAt(at('09:30')) })
const lane = makeLane(
  driverWith(),
  [moving, onTheWay, ...stops],
  '2026-11-15',
  'Europe/Bucharest',
  Date.parse(at('09:00')),
)
const place = (time: string, ...dropped: number[]) => placeAt(lane, Date.parse(at(time)), dropped)
const drop = (tasks: ReturnType<typeof taskWith>[], to: number) => {
  const { strangers, orderWithout } = planDrop(lane, tasks, to)
  return { strangers: idsOf(strangers), order: orderWithout([]) }
}

test('only planned stops that have not started can be reordered', () => {
  assert.deepEqual(movableIds(lane), [1, 2, 3])
})

test('a task is inserted after the stops whose middle is before the drop; dragged tasks do not count', () => {
  assert.equal(place('09:00', 5), 0)
  assert.equal(place('10:04', 5), 0)
  assert.equal(place('10:06', 5), 1)
  assert.equal(place('23:00', 5), 3)
  assert.equal(place('23:00', 1), 2)
})

test('dragging a stop along its lane changes the order and assigns nothing', () => {
  assert.deepEqual(drop([stops[2]!], 0), { strangers: [], order: [3, 1, 2] })
  assert.deepEqual(drop([stops[0]!], 0), { strangers: [], order: undefined }, 'dropped where it was')
})

test('a task from another lane, or an unassigned one, is assigned first and then put in place', () => {
  const [theirs, free] = [taskWith({ id: 5, userId: 8 }), taskWith({ id: 6 })]
  assert.deepEqual(drop([theirs, free], 1), { strangers: [5, 6], order: [1, 5, 6, 2, 3] })
  const { orderWithout } = planDrop(lane, [theirs, free], 1)
  assert.deepEqual(orderWithout([theirs]), [1, 6, 2, 3], 'whom the server refuses is not in the order')
  assert.equal(orderWithout([theirs, free]), undefined)
})

test('a stop of several tasks moves as one, and nothing is put between them', () => {
  const tasks = [stop(1, '10:00'), stop(2, '11:00'), stop(3, '11:00', 2), stop(4, '12:00')]
  const shared = makeLane(driverWith(), tasks, '2026-11-15', 'Europe/Bucharest', Date.parse(at('09:00')))
  const [first, middle] = shared.blocks
  assert.ok(first && middle)
  assert.deepEqual(stepStop(shared, middle, -1), [2, 3, 1, 4])
  assert.deepEqual(stepStop(shared, first, 1), [2, 3, 1, 4], 'a stop passes another as a whole')
  assert.equal(stepStop(shared, first, -1), undefined)
  assert.equal(placeAt(shared, Date.parse(at('11:05')), [9]), 1, 'before the middle of the stop')
  assert.equal(placeAt(shared, Date.parse(at('11:07')), [9]), 3)
  assert.deepEqual(planDrop(shared, [tasks[1]!, tasks[2]!], 2).orderWithout([]), [1, 4, 2, 3])
})

const ana = { id: 7, active: true }

test('a driver who is not active gets no tasks, and theirs can still be put in another order', () => {
  const gone = { id: 7, active: false }
  assert.deepEqual([canGive([taskWith()], gone), canGive([stops[0]!], gone)], [false, true])
})

test('a task in transit can be unassigned but not reassigned; an ended one cannot be moved', () => {
  const done = taskWith({ id: 4, userId: 7, statusId: Succeeded })
  assert.deepEqual([canGive([moving], ana), canTakeBack([moving])], [false, true])
  assert.deepEqual([canGive([done], ana), canTakeBack([done])], [false, false])
  assert.equal(canTakeBack([taskWith()]), false, 'nobody has it')
  assert.equal(canGive([done, stops[0]!], ana), true, 'one of them is enough')
  assert.deepEqual(drop([taskWith({ id: 5, userId: 8, statusId: InTransit }), done], 0), {
    strangers: [],
    order: undefined,
  })
})
