import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Assigned, Failed, InTransit, Succeeded, Unassigned } from '../../core/task-status.ts'
import { taskWith } from '../test/a-task.ts'
import { canAssign, canDelete, canForce, canUnassign, whyNot } from './moves.ts'

test('a task offers only the moves its state allows', () => {
  const offered = [Unassigned, Assigned, InTransit, Succeeded, Failed].map((statusId) => {
    const task = taskWith({ statusId })
    return [canAssign(task), canUnassign(task), canForce(task), canDelete(task)].map(Number).join('')
  })
  assert.deepEqual(offered, ['1001', '1111', '0110', '0000', '0000'])
})

test('a task that cannot be moved says why', () => {
  assert.equal(whyNot(taskWith({ statusId: Assigned }), 'assign'), undefined)
  assert.equal(whyNot(taskWith({ statusId: InTransit }), 'unassign'), undefined)
  assert.equal(whyNot(taskWith({ statusId: InTransit }), 'assign'), 'TASK_IN_TRANSIT')
  assert.equal(whyNot(taskWith({ statusId: Succeeded }), 'assign'), 'TASK_ALREADY_PROCESSED')
  assert.equal(whyNot(taskWith({ statusId: Failed }), 'unassign'), 'TASK_ALREADY_PROCESSED')
})
