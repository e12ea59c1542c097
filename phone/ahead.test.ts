import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpInput } from '../contract/op.ts'
import type { PhoneTask } from '../contract/sync.ts'
import { settingsOf } from '../core/settings.ts'
import { Assigned, Failed, InTransit, Succeeded } from '../core/task-status.ts'
import { lookAhead } from './ahead.ts'
import { lastBegun } from './begun.ts'

const task = (given: Partial<PhoneTask> = {}) =>
  ({
    id: 1,
    awb: 'A-1',
    statusId: Assigned,
    notes: [],
    dependencies: [],
    leftToBePaid: 100,
    mobileTaskForm: null,
    acceptedAt: null,
    atHubAt: null,
    loadedAt: null,
    startedAt: null,
    arrivalTime: null,
    completedAt: null,
    cancelReason: null,
    ...given,
  }) as unknown as PhoneTask

let made = 0
const op = (type: OpInput['type'], given: object = {}) =>
  ({
    opId: `op-${++made}`,
    type,
    taskId: 1,
    occurredAt: `2026-11-16T09:00:${String(made).padStart(2, '0')}.000Z`,
    ...given,
  }) as OpInput

const look = (tasks: PhoneTask[], ops: OpInput[], settings = {}) =>
  lookAhead(
    tasks.map((task) => ({ task, begun: [] })),
    ops,
    {
      settings: settingsOf({ settings }),
      fieldsOf: () => [],
      reasons: [],
      driver: { id: 7, name: 'Vlad' },
      timezone: 'UTC',
    },
  ).tasks

test('what a driver did shows before the server has heard of it, in the order it was done', () => {
  const ops = [op('start'), op('arrive'), op('photo', { fileId: 'f' }), op('payment', { amount: 60 }), op('complete')]
  const after = look([task()], ops, { allowPartialPayments: true })[0]?.task as PhoneTask

  assert.equal(after.statusId, Succeeded)
  assert.deepEqual([after.startedAt, after.arrivalTime], [ops[0]?.occurredAt, ops[1]?.occurredAt])
  assert.equal(after.leftToBePaid, 40)
  assert.deepEqual(
    after.notes.map(({ type }) => type),
    [2],
  )
})

test('the table of moves decides here as on the server', () => {
  const statusAfter = (given: Partial<PhoneTask>, ops: OpInput[], settings = {}) =>
    look([task({ leftToBePaid: 0, ...given })], ops, settings)[0]?.task.statusId
  assert.equal(statusAfter({}, [op('complete')]), Assigned)
  assert.equal(statusAfter({}, [op('complete')], { automaticDriverFlow: true }), Succeeded)
  assert.equal(statusAfter({ statusId: Failed }, [op('start')]), Failed)
  assert.equal(statusAfter({}, [op('accept')]), Assigned)
  assert.equal(statusAfter({}, [op('accept')], { driverAutoStartsTaskOnAccept: true }), InTransit)
})

test('a task waits for another only until the driver has completed that one, sent or not', () => {
  const first = task({ id: 2, statusId: InTransit, leftToBePaid: 0 })
  const second = task({ dependencies: [{ taskId: 2, awb: 'A-2', statusId: InTransit }] })
  const startedAfter = (ops: OpInput[]) => look([first, second], [...ops, op('start')])[1]?.task.statusId
  assert.equal(startedAfter([]), Assigned)
  assert.equal(startedAfter([op('complete', { taskId: 2 })]), InTransit)
})

test('a start or an arrival can be taken back until the driver does something else', () => {
  const [start, arrive] = [op('start'), op('arrive')]
  const offered = (...ops: OpInput[]) => lastBegun(look([task()], ops)[0]?.begun ?? [])?.type
  assert.equal(offered(start), 'start')
  assert.equal(offered(start, arrive), 'arrive')
  assert.equal(offered(start, arrive, op('takeBack', { of: arrive.opId })), 'start')
  assert.equal(offered(start, op('takeBack', { of: start.opId })), undefined)
  assert.equal(offered(start, op('seen')), 'start')
  assert.equal(offered(start, op('note', { note: 'Third floor' })), undefined)
})
