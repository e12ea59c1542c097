import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Assigned, Failed, InTransit, Succeeded, Unassigned } from '../../core/task-status.ts'
import type { Task } from '../api/data.ts'
import { taskWith } from '../test/a-task.ts'
import { canAssign, canDelegate, canDelete, canForce, canUnassign, canUndelegate, isForSome, whyNot } from './moves.ts'

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

test('of a shared task only what its side may do is offered', () => {
  const [own, given, received] = [undefined, 'owner', 'fulfiller'].map((side) => taskWith({ side } as Partial<Task>))
  const offered = [own, given, received].map((task) =>
    [canAssign, canDelete, canDelegate, canUndelegate].map((can) => can(task as Task)),
  )
  assert.deepEqual(offered, [
    [true, true, true, false],
    [false, true, false, true],
    [true, false, true, true],
  ])
  assert.equal(whyNot(given as Task, 'assign'), 'TASK_DELEGATED')
  assert.equal(canUndelegate(taskWith({ side: 'owner', statusId: InTransit })), false)
  assert.deepEqual([isForSome('assign', [given as Task]), isForSome('assign', [given, own] as Task[])], [false, true])
})
