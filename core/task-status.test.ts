import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assigningMove, decideMove, type MoveName, moves, type StatusId, statuses } from './task-status.ts'

const all = Object.keys(statuses).map(Number) as StatusId[]

const corrections = ['correctToSucceeded', 'correctToFailed']

test('a task that has ended allows no move, except that its end is corrected', () => {
  for (const name of Object.keys(moves) as MoveName[])
    for (const done of [9, 10] as const) {
      const isOther = moves[name].to !== done
      if (corrections.includes(name) && isOther) assert.equal(typeof decideMove(name, done), 'object', name)
      else assert.equal(decideMove(name, done), 'TASK_ALREADY_PROCESSED', name)
    }
})

test('each move is allowed from the states of its row and from no other', () => {
  for (const [name, { from }] of Object.entries(moves))
    for (const status of all)
      assert.equal(
        typeof decideMove(name as MoveName, status) === 'object',
        (from as readonly number[]).includes(status),
      )
})

test('a refusal gives the reason', () => {
  assert.equal(decideMove('assign', 7), 'TASK_ALREADY_PROCESSED')
  assert.equal(decideMove('forceComplete', 1), 'TASK_NOT_ASSIGNED')
  assert.equal(decideMove('delete', 7), 'TASK_IN_TRANSIT')
  assert.equal(decideMove('delegate', 6), 'TASK_HAS_DRIVER')
  assert.equal(decideMove('undelegate', 7), 'TASK_IN_TRANSIT')
  assert.equal(decideMove('correctToFailed', 7), 'TASK_NOT_ENDED')
  assert.equal(decideMove('complete', 6), 'TASK_NOT_STARTED')
})

test('assigning a task to the driver who has it is not a move', () => {
  assert.equal(assigningMove({ statusId: 6, userId: 5 }, 5), undefined)
  assert.equal(assigningMove({ statusId: 6, userId: 4 }, 5), 'reassign')
  assert.equal(assigningMove({ statusId: 1, userId: null }, 5), 'assign')
  assert.equal(assigningMove({ statusId: 7, userId: 5 }, 5), 'assign')
})
