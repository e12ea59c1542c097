import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PhoneTask } from '../contract/sync.ts'
import { settingsOf } from '../core/settings.ts'
import { Assigned, InTransit, type StatusId, Succeeded } from '../core/task-status.ts'
import { lookAhead } from './ahead.ts'
import type { Day, Refused } from './kept.ts'
import { type LoadState, seeLoad, tellAgain, tellCode } from './load.ts'
import { type Foreign, type LoadOp, noteForeign, type WaitingScan } from './scans.ts'
import type { ShownTask } from './state.ts'

const now = Date.parse('2026-11-16T06:00:00.000Z')
const at = (minute: number) => new Date(now + minute * 60_000).toISOString()
const timezone = 'Europe/Bucharest'

/** Each at a door of its own. */
const task = (id: number, given: Partial<PhoneTask> = {}) =>
  ({
    id,
    awb: `A-${id}`,
    uuid: `token-of-task-${id}-0000`,
    statusId: Assigned,
    userId: 7,
    pickupTask: false,
    customFields: [],
    notes: [],
    dependencies: [],
    leftToBePaid: 0,
    mobileTaskForm: null,
    acceptedAt: null,
    atHubAt: null,
    loadedAt: null,
    startedAt: null,
    arrivalTime: null,
    completedAt: null,
    completeAfter: null,
    completeBefore: null,
    route: null,
    address: { address: `Strada Lipscani ${id}`, city: null, lat: 44 + id / 100, lng: 26 },
    ...given,
  }) as unknown as ShownTask

let made = 0
const load = (code: string, minute = 0): LoadOp => ({
  opId: `op-${++made}`,
  type: 'load',
  code,
  occurredAt: at(minute),
})

interface Given {
  scans?: WaitingScan[]
  foreign?: Foreign[]
  refused?: Partial<Refused>[]
}

const stateOf = (tasks: ShownTask[], { scans = [], foreign = [], refused = [] }: Given = {}): LoadState => ({
  tasks,
  scans,
  refused: refused as Refused[],
  day: { user: { id: 7, company: { timezone } }, foreign } as unknown as Day,
})

/** The tasks after these ops, as the phone shows them before they are sent. */
function after(tasks: ShownTask[], ops: Parameters<typeof lookAhead>[1]): LoadState {
  const rules = {
    settings: settingsOf({ settings: {} }),
    fieldsOf: () => [],
    reasons: [],
    driver: { id: 7, name: 'Ion' },
  }
  const ahead = lookAhead(
    tasks.map((one) => ({ task: one, begun: [] })),
    ops,
    { ...rules, timezone },
  )
  return stateOf(
    ahead.tasks.map((one) => one.task as ShownTask),
    { scans: ahead.scans },
  )
}

const foreign = (code: string, given: Partial<Foreign> = {}): Foreign => ({
  code,
  result: 'wrongDriver',
  driver: 'Ana',
  taskId: null,
  at: at(0),
  ...given,
})

test('a scan shows at once: in the vehicle, and no longer missing', () => {
  const state = after([task(1), task(2)], [load('a-2 ', 3)])
  const { inVehicle, expected, missing, unsent, isComplete } = seeLoad(state, now)
  assert.deepEqual([inVehicle, expected, missing, unsent, isComplete], [1, 2, 1, 1, false])
  assert.equal(state.tasks[1]?.loadedAt, at(3))
})

test('the last stop is loaded first, parcels of one door together, and what is collected from customers is not loaded', () => {
  const door = task(2).address
  const { stops, expected } = seeLoad(
    stateOf([task(1), task(2), task(3, { address: door }), task(4, { pickupTask: true }), task(5)]),
    now,
  )
  assert.equal(expected, 4)
  assert.deepEqual(
    stops.map((parcels) => [parcels[0]?.position, parcels.map(({ task }) => task.awb)]),
    [
      [{ stop: 4, load: 1, of: 4 }, ['A-5']],
      [{ stop: 2, load: 3, of: 4 }, ['A-2', 'A-3']],
      [{ stop: 1, load: 4, of: 4 }, ['A-1']],
    ],
  )
})

test('everything is loaded only if nothing is missing, too much, unsent, refused or unknown', () => {
  const loaded = [task(1, { loadedAt: at(1) }), task(2, { loadedAt: at(2) })]
  const isComplete = (tasks: ShownTask[], given?: Given) => seeLoad(stateOf(tasks, given), now).isComplete
  assert.equal(isComplete(loaded), true)
  assert.equal(isComplete([]), false)
  assert.equal(isComplete([...loaded, task(3)]), false)
  assert.equal(
    isComplete([...loaded, task(3, { statusId: InTransit as StatusId })]),
    false,
    'on its way, never scanned',
  )
  assert.equal(isComplete(loaded, { foreign: [foreign('B-1')] }), false)
  assert.equal(isComplete(loaded, { refused: [{ op: load('A-1') }] }), false)
  assert.equal(isComplete(loaded, { scans: [{ op: load('A-1'), taskId: 1, result: 'expected' }] }), false)
  assert.equal(seeLoad(after(loaded, [load('NOBODY')]), now).isComplete, false)
})

test('what was loaded, delivered and not sent yet counts as loaded: a later end does not undo an earlier scan', () => {
  const ops = [
    load('A-1', 1),
    { opId: 's', type: 'start', taskId: 1, occurredAt: at(10) } as const,
    { opId: 'c', type: 'complete', taskId: 1, occurredAt: at(20) } as const,
  ]
  const state = after([task(1), task(2)], ops)
  const seen = seeLoad(state, now)
  assert.equal(state.tasks[0]?.statusId, Succeeded)
  assert.deepEqual([seen.inVehicle, seen.expected, seen.foreign], [1, 2, []])
  assert.equal(seen.stops.at(-1)?.[0]?.position, null)
})

test('a scanned code is worth a scan once: a loaded, a waiting and a foreign one are only told again', () => {
  const tasks = [task(1, { loadedAt: at(1) }), task(2), task(3, { completeAfter: '2026-11-18T09:00:00.000Z' })]
  const state = { ...after(tasks, [load('NOBODY'), load('A-3')]) }
  const day = { ...state.day, foreign: [foreign('B-1')] }
  const isKnown = (code: string) => tellCode({ ...state, day }, code, now).isKnown
  assert.deepEqual(['a-1', 'A-2', 'A-3', 'nobody', 'b-1', 'OTHER'].map(isKnown), [true, false, true, true, true, false])
  assert.deepEqual(tellCode({ ...state, day }, 'b-1', now).driver, 'Ana')
  const yesterday = { ...state.day, foreign: [foreign('B-1', { at: at(-24 * 60) })] }
  assert.equal(tellCode({ ...state, day: yesterday }, 'B-1', now).isKnown, false)
})

test('of parcels that share a code each scan is another one, and what is told stays about the one that was scanned', () => {
  const customFields = [{ key: 'pallet', value: 'P-1' }]
  const tasks = [task(1, { customFields }), task(2, { customFields })]
  const first = tellCode(stateOf(tasks), 'P-1', now)
  const state = after(tasks, [load('P-1', 1)])
  assert.equal(first.task?.id, 1)
  assert.equal(tellCode(state, 'P-1', now).task?.id, 2)
  assert.equal(tellAgain(state, { code: 'P-1', taskId: 1 }, now).task?.id, 1)
  assert.equal(seeLoad(after(tasks, [load('P-1', 1), load('P-1', 2)]), now).inVehicle, 2)
})

test('a parcel of another day is said to be foreign before the server knows of it, an unknown one is asked', () => {
  const later = task(1, { completeAfter: '2026-11-18T09:00:00.000Z' })
  const seen = seeLoad(after([later, task(2)], [load('A-1'), load('NOBODY')]), now)
  assert.deepEqual(
    seen.foreign.map(({ code, result, isWaiting }) => [code, result, isWaiting]),
    [['A-1', 'otherDay', true]],
  )
  assert.deepEqual(seen.asked, ['NOBODY'])
})

test('what the office gives to the driver after all is missing instead, until it is scanned again', () => {
  const state = stateOf([task(1)], { foreign: [foreign('a-1', { taskId: 1 }), foreign('B-1', { taskId: 9 })] })
  const seen = seeLoad(state, now)
  assert.deepEqual([seen.missing, seen.foreign.map(({ code }) => code)], [1, ['B-1']])
})

test('each foreign parcel is kept once with the latest answer, until tomorrow, and not once it is erased', () => {
  const scanned = (result: Foreign['result'], taskId: number | null, driver: string | null = null) => ({
    result,
    taskId,
    driver,
  })
  const told = { serverTime: at(10), aheadMs: 60_000, timezone, erased: [] as number[] }
  const first = noteForeign(
    [],
    [
      { op: load('B-1', 1), scanned: scanned('wrongDriver', 5, 'Ana') },
      { op: load('tracking link of B-1', 2), scanned: scanned('unassigned', 5) },
      { op: load('NOBODY', 3), scanned: scanned('unknown', null) },
      { op: load('A-1', 4), scanned: scanned('expected', 1) },
      { op: { ...load('H-1', 4), at: 'hub' as const }, scanned: scanned('wrongDriver', 8, 'Ana') },
    ],
    told,
  )
  assert.deepEqual(
    first.map(({ code, result, at }) => [code, result, at]),
    [
      ['tracking link of B-1', 'unassigned', at(1)],
      ['NOBODY', 'unknown', at(2)],
    ],
  )
  const belongs = { op: load('nobody', 5), scanned: scanned('expected', 6) }
  assert.deepEqual(
    noteForeign(first, [belongs], told).map(({ code }) => code),
    ['tracking link of B-1'],
  )
  assert.deepEqual(
    noteForeign(first, [], { ...told, erased: [5] }).map(({ code }) => code),
    ['NOBODY'],
  )
  assert.deepEqual(noteForeign(first, [], { ...told, serverTime: at(24 * 60) }), [])
})
