import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Assigned, Failed, InTransit, Succeeded } from '../../../../core/task-status.ts'
import type { Driver, Task } from '../../../api/data.ts'
import { boundsOf } from '../../../map/point.ts'
import { driverWith, idsOf, plannedAt, taskWith } from '../../../test/a-task.ts'
import { pilesOf, pileWith, pinsOf, pointsOf } from './pins.ts'
import { isStale, lastTasksOf, placesOf, staleMs } from './places.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const at = (time: string) => `2026-11-15T${time}:00.000Z`
const placed = (id: number, lat: number | null, changes: Partial<Task> = {}) => {
  const task = taskWith({ id, ...changes })
  return { ...task, address: { ...task.address, lat, lng: lat === null ? null : 26, precision: 'exact' } } as Task
}
const pins = (shown: Task[], others: Task[] = []) => pinsOf(shown, others, pilesOf(shown), now)

test('every task with coordinates has a pin, and one without has none', () => {
  const [first, missing, second] = [placed(1, 44.1), placed(2, null), placed(3, 44.2)]
  assert.deepEqual(
    pins([first, missing, second]).map(({ id, geometry }) => [id, geometry.coordinates]),
    [
      [1, [26, 44.1]],
      [3, [26, 44.2]],
    ],
  )
})

test('late pins are drawn on top, then risky, then the others, each with unassigned ones first', () => {
  const late = { completeBefore: at('11:00') }
  const risky = { completeBefore: at('12:30'), route: plannedAt(at('12:45')) as Task['route'] }
  const ranks = pins([
    placed(1, 44.1, { userId: 7 }),
    placed(2, 44.2),
    placed(3, 44.3, { ...risky, userId: 7 }),
    placed(7, 44.7, risky),
    placed(4, 44.4, { ...late, userId: 7 }),
    placed(5, 44.5, late),
    placed(6, 44.6, { ...late, statusId: Succeeded, completedAt: at('11:30') }),
  ]).toSorted((one, other) => other.properties.rank - one.properties.rank)
  assert.deepEqual(
    ranks.map(({ id }) => id),
    [5, 4, 7, 3, 2, 1, 6],
  )
})

test('a pin shows state, risk and whether its place is approximate; what the filters hide is faint', () => {
  const approximate = placed(1, 44.1, { completeBefore: at('11:00') })
  approximate.address.precision = 'approximate'
  const [other, open, ended] = pins(
    [approximate, placed(2, 44.2, { statusId: Failed })],
    [placed(3, 44.3, { userId: 7 })],
  )
  assert.deepEqual([other?.properties.kind, other?.properties.icon], ['other', `pin/${Assigned}/none/0`])
  assert.deepEqual([open?.properties.kind, open?.properties.icon], ['open', 'pin/1/late/1'])
  assert.deepEqual([ended?.properties.kind, ended?.properties.icon], ['ended', `pin/${Failed}/none/0`])
})

test('open tasks on one spot are a pile with their number; ended ones do not count', () => {
  const shown = [placed(1, 44.1), placed(2, 44.100001), placed(3, 44.1, { statusId: Succeeded }), placed(4, 44.2)]
  const piles = pilesOf(shown)
  assert.deepEqual(idsOf(pileWith(piles, shown[1] as Task)), [1, 2])
  assert.deepEqual(idsOf(pileWith(piles, shown[3] as Task)), [4])
  const counts = pins(shown).filter(({ properties }) => properties.kind === 'pile')
  assert.deepEqual(
    counts.map(({ id, properties }) => [id, properties.id, properties.icon]),
    [[-1, 1, 'pile/2']],
  )
})

test('the map fits the smallest rectangle around all places', () => {
  assert.equal(boundsOf([]), undefined)
  const points = pointsOf([placed(1, 44.5), placed(2, null), placed(3, 44.1)])
  assert.deepEqual(boundsOf([...points, [25, 44.3]]), [
    [25, 44.1],
    [26, 44.5],
  ])
})

test('a driver is where their phone says, else where they last ended a task or are going', () => {
  const position = { lat: 1, lng: 2, heading: null, occurredAt: at('11:00') } as Driver['position']
  const nowhere = { lastLocationLat: null, lastLocationLng: null }
  const tasks = [
    placed(1, 44.1, { userId: 2, statusId: Succeeded, completedAt: at('10:00'), ...nowhere }),
    placed(2, 44.2, { userId: 2, statusId: InTransit, startedAt: at('10:05'), ...nowhere }),
    placed(3, 44.3, { userId: 2, updatedAt: at('11:59'), ...nowhere }),
    placed(4, 44.4, { userId: 1, statusId: Succeeded, completedAt: at('11:30'), ...nowhere }),
    placed(5, 44.5, { userId: 3, statusId: Failed, completedAt: at('09:00'), lastLocationLat: 7, lastLocationLng: 8 }),
  ]
  const drivers = [1, 2, 3, 4].map((id) => driverWith({ id, position: id === 1 ? position : null } as Partial<Driver>))
  const places = placesOf(drivers, lastTasksOf(tasks))
  assert.deepEqual(
    [...places].map(([id, { point, from }]) => [id, point, from]),
    [
      [1, [2, 1], 'phone'],
      [2, [26, 44.2], 'task'],
      [3, [8, 7], 'task'],
    ],
  )
  const place = places.get(1)
  assert.ok(place && !isStale(place, place.at + staleMs) && isStale(place, place.at + staleMs + 1))
})
