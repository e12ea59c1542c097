import assert from 'node:assert/strict'
import { test } from 'node:test'
import { driverWith, taskWith } from '../../../test/a-task.ts'
import { nearestTo } from './nearest.ts'

const at = (lat: number, lng: number) => ({ lat, lng, heading: null, occurredAt: '2026-11-15T09:00:00.000Z' })

test('the nearest driver is the one on duty who would be there first', () => {
  const task = taskWith()
  const drivers = [
    driverWith({ id: 1, position: at(44.46, 26.1), driverTransportationId: 4 }),
    driverWith({ id: 2, position: at(44.44, 26.1), driverTransportationId: 1 }),
    driverWith({ id: 3, position: at(44.44, 26.1), driverTransportationId: 5 }),
    driverWith({ id: 4, position: at(44.43, 26.1), inShift: false }),
    driverWith({ id: 5, position: null }),
  ]
  const near = nearestTo(task, drivers)
  assert.deepEqual(
    near.map(({ driver }) => driver.id),
    [3, 1, 2],
    'a van, a car further away, and who has to walk',
  )
  const [first] = near
  assert.ok(first && first.metres > 1_112 && first.metres < 2_000, 'by road, not as the crow flies')
  assert.equal(first.seenAt, Date.parse('2026-11-15T09:00:00Z'))
  assert.deepEqual(nearestTo(taskWith({ address: { ...task.address, lat: null, lng: null } }), drivers), [])
})
