import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpInput, PhoneTask } from '../../../contract/sync.ts'
import { settingsOf } from '../../../core/settings.ts'
import { Assigned, Failed, InTransit, Succeeded } from '../../../core/task-status.ts'
import { findObstacle, lookAhead } from './ahead.ts'

const task = (given: Partial<PhoneTask> = {}) =>
  ({
    ...{ id: 1, awb: 'A-1', statusId: Assigned, notes: [], dependencies: [], leftToBePaid: 100, mobileTaskForm: null },
    ...{ acceptedAt: null, startedAt: null, arrivalTime: null, completedAt: null, cancelReason: null },
    ...given,
  }) as unknown as PhoneTask

let made = 0
const op = (type: OpInput['type'], given: Partial<OpInput> = {}): OpInput => ({
  ...{ opId: `op-${++made}`, type, taskId: 1, occurredAt: `2026-11-16T09:00:${String(made).padStart(2, '0')}.000Z` },
  ...given,
})

const look = (tasks: PhoneTask[], ops: OpInput[], settings = {}) =>
  lookAhead(tasks, ops, {
    settings: settingsOf({ settings }),
    fieldsOf: () => [],
    driver: { id: 7, name: 'Vlad' },
  })

test('what a driver did shows before the server has heard of it, in the order it was done', () => {
  const ops = [op('start'), op('arrive'), op('photo', { fileId: 'f' }), op('payment', { amount: 60 }), op('complete')]
  const [after] = look([task()], ops) as [PhoneTask]

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
    look([task(given)], ops, settings)[0]?.statusId
  assert.equal(statusAfter({}, [op('complete')]), Assigned)
  assert.equal(statusAfter({}, [op('complete')], { automaticDriverFlow: true }), Succeeded)
  assert.equal(statusAfter({ statusId: Failed }, [op('start')]), Failed)
  assert.equal(statusAfter({}, [op('accept')]), Assigned)
  assert.equal(statusAfter({}, [op('accept')], { driverAutoStartsTaskOnAccept: true }), InTransit)
})

test('a task waits for another only until the driver has completed that one, sent or not', () => {
  const first = task({ id: 2, statusId: InTransit })
  const second = task({ dependencies: [{ taskId: 2, awb: 'A-2', statusId: InTransit }] })
  const obstacleOf = (ops: OpInput[]) => findObstacle(look([first, second], ops)[1] as PhoneTask)?.awb
  assert.equal(obstacleOf([]), 'A-2')
  assert.equal(obstacleOf([op('complete', { taskId: 2 })]), undefined)
})
