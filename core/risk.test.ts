import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAtRisk, riskOf } from './risk.ts'
import { Assigned, Failed, InTransit, type StatusId, Succeeded, Unassigned } from './task-status.ts'

const at = (time: string) => `2026-11-15T${time}Z`

interface Case {
  statusId: StatusId
  before?: string | null
  ended?: string
  planned?: string
  eta?: string
  arrived?: string
}

/** A task with a window until noon, unless said otherwise. */
const taskOf = ({ statusId, before = '12:00:00', ended, planned, eta, arrived }: Case) => ({
  statusId,
  userId: statusId === Unassigned ? null : 7,
  completeBefore: before && at(before),
  completedAt: ended ? at(ended) : null,
  driverArrived: false,
  arrivalTime: arrived ? at(arrived) : null,
  etaAt: eta ? at(eta) : null,
  route: planned ? { arrivalTime: at(planned) } : null,
})

const cases: [what: string, task: Case, now: string, risk: ReturnType<typeof riskOf>, isCounted: boolean][] = [
  ['at the last moment of its window', { statusId: Assigned }, '12:00:00', 'none', false],
  ['once its window has ended', { statusId: Assigned }, '12:00:01', 'late', true],
  ['without a window', { statusId: Assigned, before: null }, '23:00:00', 'none', false],
  ['unassigned, 45 minutes before the end', { statusId: Unassigned }, '11:15:00', 'none', false],
  ['unassigned, later than that', { statusId: Unassigned }, '11:15:01', 'risky', true],
  ['assigned, shortly before the end', { statusId: Assigned }, '11:59:00', 'none', false],
  ['planned for after its window', { statusId: Assigned, planned: '12:00:01' }, '08:00:00', 'risky', true],
  ['planned for the end of its window', { statusId: Assigned, planned: '12:00:00' }, '08:00:00', 'none', false],
  [
    'expected later than planned',
    { statusId: InTransit, planned: '11:00:00', eta: '12:10:00' },
    '10:00:00',
    'risky',
    true,
  ],
  ['the driver is there', { statusId: InTransit, planned: '12:10:00', arrived: '11:50:00' }, '11:55:00', 'none', false],
  ['the driver is there, too late', { statusId: InTransit, arrived: '12:10:00' }, '12:15:00', 'late', true],
  ['succeeded in time', { statusId: Succeeded, ended: '11:59:00' }, '18:00:00', 'none', false],
  [
    'succeeded late: nobody can help that any more',
    { statusId: Succeeded, ended: '12:00:01' },
    '12:00:02',
    'late',
    false,
  ],
  ['failed', { statusId: Failed }, '18:00:00', 'none', false],
]

test('what is late or may become late is one rule, and is counted while something can be done about it', () => {
  for (const [what, task, now, risk, isCounted] of cases) {
    assert.equal(riskOf(taskOf(task), Date.parse(at(now))), risk, what)
    assert.equal(isAtRisk(taskOf(task), Date.parse(at(now))), isCounted, what)
  }
})
