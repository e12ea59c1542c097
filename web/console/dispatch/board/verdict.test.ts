import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Assigned, Failed, InTransit, Succeeded, Unassigned } from '../../../../core/task-status.ts'
import { taskWith } from '../../../test/a-task.ts'
import { judgeDrop } from './verdict.ts'

const [waiting, given, moving, done] = [Unassigned, Assigned, InTransit, Succeeded].map((statusId) =>
  taskWith({ statusId }),
) as [ReturnType<typeof taskWith>, ...ReturnType<typeof taskWith>[]]

test('dropping tasks on the Unassigned column unassigns them, if one of them can be', () => {
  assert.deepEqual(judgeDrop([given!], Unassigned), { may: true, word: 'dropToUnassign' })
  assert.deepEqual(judgeDrop([moving!, done!], Unassigned), { may: true, word: 'dropToUnassign' })
  assert.deepEqual(judgeDrop([done!], Unassigned), { may: false, word: 'TASK_ALREADY_PROCESSED' })
  assert.deepEqual(judgeDrop([given!], Unassigned, false), { may: false, word: 'FORBIDDEN_BY_SETTING' })
})

test('every other column says why it takes no drop, and says nothing about its own tasks', () => {
  assert.deepEqual(judgeDrop([waiting], Assigned), { may: false, word: 'dropOnDriver' })
  assert.deepEqual(judgeDrop([given!, waiting], Assigned), { may: false, word: 'dropOnDriver' })
  assert.deepEqual(judgeDrop([given!], InTransit), { may: false, word: 'driversStart' })
  for (const end of [Succeeded, Failed] as const)
    assert.deepEqual(judgeDrop([moving!], end), { may: false, word: 'driversEnd' })
  assert.equal(judgeDrop([given!, given!], Assigned), undefined)
})

test('what a partner has cannot be unassigned here, and says who does', () => {
  const theirs = taskWith({ statusId: Assigned, side: 'owner' })
  assert.deepEqual(judgeDrop([theirs], Unassigned), { may: false, word: 'TASK_DELEGATED' })
  assert.deepEqual(judgeDrop([theirs, given!], Unassigned), { may: true, word: 'dropToUnassign' })
})
