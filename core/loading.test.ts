import assert from 'node:assert/strict'
import test from 'node:test'
import { isMissing, judgeScan, loadPosition, markScan } from './loading.ts'
import { Assigned, InTransit, Succeeded, Unassigned } from './task-status.ts'

const task = {
  statusId: Assigned,
  userId: 1,
  isWithPartner: false,
  completeAfter: null,
  completeBefore: null,
  plannedFor: null,
}
const wanted = { driverId: 1, day: '2026-11-16', today: '2026-11-16', timezone: 'Europe/Bucharest' }
const [six, seven, eight] = [6, 7, 8].map((hour) => new Date(Date.UTC(2026, 10, 16, hour))) as [Date, Date, Date]

test('a parcel belongs to its driver on its day, and everything else has a name', () => {
  const later = new Date('2026-11-18T09:00:00Z')
  assert.equal(judgeScan(task, wanted), 'expected')
  assert.equal(judgeScan(task, { ...wanted, driverId: null }), 'expected')
  assert.equal(judgeScan(task, { ...wanted, driverId: 2 }), 'wrongDriver')
  assert.equal(judgeScan({ ...task, statusId: Unassigned, userId: null }, wanted), 'unassigned')
  assert.equal(judgeScan({ ...task, statusId: Unassigned, userId: null, isWithPartner: true }, wanted), 'withPartner')
  assert.equal(judgeScan({ ...task, completeAfter: later }, wanted), 'otherDay')
  assert.equal(judgeScan({ ...task, completeAfter: later }, { ...wanted, day: '2026-11-18' }), 'expected')
  assert.equal(judgeScan({ ...task, statusId: Succeeded }, wanted), 'ended')
  assert.equal(judgeScan(undefined, wanted), 'unknown')
  // Whoever holds it must not take it along at all; whose it is comes after that.
  assert.equal(judgeScan({ ...task, completeAfter: later }, { ...wanted, driverId: 2 }), 'otherDay')
})

test('a parcel is where it was last scanned', () => {
  const nowhere = { atHubAt: null, loadedAt: null }
  const atHub = { atHubAt: six, loadedAt: null }
  const loaded = { atHubAt: six, loadedAt: seven }
  assert.deepEqual(markScan(nowhere, 'hub', 'unassigned', six), { set: atHub })
  assert.deepEqual(markScan(atHub, 'hub', 'expected', seven), { already: six })
  assert.deepEqual(markScan(atHub, 'vehicle', 'expected', seven), { set: loaded })
  assert.deepEqual(markScan(loaded, 'vehicle', 'expected', eight), { already: seven })
  assert.deepEqual(markScan(loaded, 'hub', 'expected', eight), { set: { atHubAt: eight, loadedAt: null } })
})

test('in the vehicle of another driver it is not loaded, and what has ended is nowhere', () => {
  const nowhere = { atHubAt: null, loadedAt: null }
  for (const result of ['wrongDriver', 'otherDay', 'unassigned'] as const)
    assert.deepEqual(markScan(nowhere, 'vehicle', result, six), {})
  for (const at of ['hub', 'vehicle'] as const) assert.deepEqual(markScan(nowhere, at, 'ended', six), {})
})

test('a scan that arrives after a later one changes nothing', () => {
  assert.deepEqual(markScan({ atHubAt: eight, loadedAt: null }, 'vehicle', 'expected', seven), {})
  assert.deepEqual(markScan({ atHubAt: null, loadedAt: eight }, 'hub', 'expected', seven), {})
})

test('the last stop is loaded first', () => {
  assert.deepEqual([loadPosition(14, 14), loadPosition(1, 14)], [1, 14])
})

test('a driver must not leave without what they deliver and have not loaded', () => {
  const parcel = { statusId: Assigned, pickupTask: false, loadedAt: null }
  assert.equal(isMissing(parcel), true)
  assert.equal(isMissing({ ...parcel, loadedAt: six }), false)
  assert.equal(isMissing({ ...parcel, pickupTask: true }), false)
  assert.equal(isMissing({ ...parcel, statusId: InTransit }), false)
})
