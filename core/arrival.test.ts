import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedAt, hasArrived, isAwaited, isDelayed, lateSeconds, overdueMs, willBeDelayed } from './arrival.ts'
import { Assigned, Failed, InTransit, type StatusId, Succeeded, Unassigned } from './task-status.ts'

const at = (time: string) => `2026-11-17T${time}.000Z`
const task = (given: object = {}) => ({
  statusId: Assigned as StatusId,
  driverArrived: false,
  arrivalTime: null as string | null,
  etaAt: null as string | null,
  route: null as { arrivalTime: string } | null,
  completeBefore: at('12:00:00') as string | null,
  completedAt: null as string | null,
  ...given,
})
const planned = (time: string) => ({ route: { arrivalTime: at(time) } })

test('a driver is there by their position or by their word, and is awaited until then', () => {
  assert.deepEqual([task(), task({ driverArrived: true }), task({ arrivalTime: at('10:00:00') })].map(hasArrived), [
    false,
    true,
    true,
  ])
  assert.equal(isAwaited(task({ statusId: InTransit })), true)
  for (const nobody of [
    { statusId: Unassigned },
    { statusId: Succeeded },
    { statusId: Failed },
    { driverArrived: true },
  ])
    assert.equal(isAwaited(task(nobody)), false, JSON.stringify(nobody))
})

test('what is followed on the way counts more than the plan, and neither once the driver is there', () => {
  assert.equal(expectedAt(task(planned('11:00:00'))), at('11:00:00'))
  assert.equal(expectedAt(task({ ...planned('11:00:00'), etaAt: at('11:20:00') })), at('11:20:00'))
  assert.equal(expectedAt(task({ ...planned('11:00:00'), driverArrived: true })), null)
  assert.equal(expectedAt(task()), null)
})

test('a task is delayed from the moment its window is over until it ends, and then by when it ended', () => {
  assert.equal(isDelayed(task(), at('12:00:00')), false)
  assert.equal(isDelayed(task(), at('12:00:01')), true)
  assert.equal(isDelayed(task({ completeBefore: null }), at('23:00:00')), false)
  const ended = (completedAt: string | null) => task({ statusId: Succeeded, completedAt })
  assert.equal(overdueMs(ended(at('12:10:00')), at('18:00:00')), 600_000)
  assert.equal(overdueMs(ended(at('11:59:00')), at('18:00:00')), 0)
  assert.equal(overdueMs(ended(null), at('18:00:00')), 0, 'nobody knows when it ended')
})

test('how late a task is follows the expected arrival, then the clock, in whole minutes', () => {
  assert.equal(lateSeconds(task(planned('12:30:00')), at('09:00:00')), 30 * 60)
  assert.equal(lateSeconds(task(planned('11:30:00')), at('12:00:20')), 60)
  assert.equal(lateSeconds(task(planned('11:30:00')), at('12:20:59')), 20 * 60)
  assert.equal(lateSeconds(task(planned('11:30:00')), at('12:00:00')), 0)
  const there = { ...planned('12:30:00'), statusId: InTransit, arrivalTime: at('11:50:00') }
  assert.equal(lateSeconds(task(there), at('11:55:00')), 0, 'the plan no longer matters')
  assert.equal(lateSeconds(task(there), at('12:05:00')), 5 * 60, 'it was to be complete by then')
})

test('a task will be delayed while its driver is awaited, and is expected or missing after its window', () => {
  assert.equal(willBeDelayed(task(planned('12:00:01')), at('09:00:00')), true)
  assert.equal(willBeDelayed(task(planned('12:00:00')), at('09:00:00')), false)
  assert.equal(willBeDelayed(task(), at('12:00:01')), true)
  assert.equal(willBeDelayed(task({ statusId: Unassigned }), at('12:00:01')), false)
  assert.equal(willBeDelayed(task({ driverArrived: true, statusId: InTransit }), at('12:00:01')), false)
})
