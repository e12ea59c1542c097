import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Driver, Task } from '../../../api/data.ts'
import { driverWith, idsOf, taskWith } from '../../../test/a-task.ts'
import { driversWithLanes } from './lane-choice.ts'

const team = (id: number) => [{ id, name: `Team ${id}` }] as Driver['driverTeams']
const drivers = [
  driverWith({ id: 1, name: 'Vlad', inShift: false }),
  driverWith({ id: 2, name: 'Maria', inShift: false, driverTeams: team(5) }),
  driverWith({ id: 3, name: 'Zoe', driverTeams: team(5) }),
  driverWith({ id: 4, name: 'Ana' }),
]
const tasks = [
  taskWith({ id: 10, userId: 2 }),
  taskWith({ id: 11, userId: 2 }),
  taskWith({ id: 12, userId: 4 }),
  taskWith({ id: 13 }),
]
const byDriver = Map.groupBy(tasks, ({ userId }: Task) => userId)
const lanesFor = (wanted: Partial<Parameters<typeof driversWithLanes>[2]> = {}) =>
  idsOf(driversWithLanes(drivers, byDriver, { driver: undefined, team: undefined, found: undefined, ...wanted }))

test('drivers on duty or with tasks have a lane; those on duty come first, then by name', () => {
  assert.deepEqual(lanesFor(), [4, 3, 2])
})

test('a chosen driver has a lane even off duty and without tasks', () => {
  assert.deepEqual(lanesFor({ driver: 1 }), [1])
})

test('a chosen team leaves only its drivers', () => {
  assert.deepEqual(lanesFor({ team: 5 }), [3, 2])
})

test('a search leaves only drivers with a task that it found', () => {
  assert.deepEqual(lanesFor({ found: new Set([11, 13]) }), [2])
  assert.deepEqual(lanesFor({ found: new Set([11]), driver: 4 }), [])
})
