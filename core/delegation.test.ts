import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  awaitsDriver,
  delegatedMoves,
  isOursToDo,
  refuseDelegated,
  refuseSide,
  type Side,
  shownStatus,
  tellsCustomer,
} from './delegation.ts'
import {
  Assigned,
  Failed,
  InTransit,
  type MoveName,
  moves,
  type StatusId,
  Succeeded,
  Unassigned,
} from './task-status.ts'

const cases: [statusId: StatusId, side: Side | undefined, isOurs: boolean, awaits: boolean, shown: StatusId][] = [
  [Unassigned, undefined, true, true, Unassigned],
  [Unassigned, 'fulfiller', true, true, Unassigned],
  [Unassigned, 'owner', false, false, Assigned],
  [Assigned, undefined, true, false, Assigned],
  [Assigned, 'owner', false, false, Assigned],
  [InTransit, 'owner', false, false, InTransit],
  [InTransit, 'fulfiller', true, false, InTransit],
  [Succeeded, 'owner', false, false, Succeeded],
  [Failed, 'owner', false, false, Failed],
]

test('what was given to a partner is not ours to do, waits for none of our drivers, and is not counted as waiting', () => {
  for (const [statusId, side, isOurs, awaits, shown] of cases) {
    const task = { statusId, side }
    assert.deepEqual(
      [isOursToDo(task), awaitsDriver(task), shownStatus(task)],
      [isOurs, awaits, shown],
      JSON.stringify(task),
    )
  }
})

test('the work is the fulfiller’s, deleting the owner’s, and handing over depends on who has it', () => {
  for (const move of ['assign', 'unassign', 'start', 'forceComplete', 'delegate'] as const)
    assert.deepEqual(
      [refuseSide(move, undefined), refuseSide(move, 'owner'), refuseSide(move, 'fulfiller')],
      [undefined, 'TASK_DELEGATED', undefined],
      move,
    )
  assert.deepEqual([refuseSide('delete', 'owner'), refuseSide('delete', 'fulfiller')], [undefined, 'TASK_OF_PARTNER'])
  assert.deepEqual([refuseSide('undelegate', 'owner'), refuseSide('undelegate', 'fulfiller')], [undefined, undefined])
})

test('of the rows of a task exactly one tells the customer, as the first owner chose', () => {
  // From the first owner to the last fulfiller: a task of its own, one given away, a chain of three.
  const chains = [[1], [1, 2], [1, 2, 3]]
  const tellers = (chain: number[], messagesBy: Side | null) =>
    chain.filter((_, index) =>
      tellsCustomer({ ownerId: chain[index - 1] ?? null, fulfillerId: chain[index + 1] ?? null, messagesBy }),
    )
  for (const chain of chains) {
    assert.deepEqual(tellers(chain, 'owner'), [chain[0]])
    assert.deepEqual(tellers(chain, 'fulfiller'), [chain.at(-1)])
  }
  assert.deepEqual(tellers([1], null), [1])
})

const alone = { ownerId: null, fulfillerId: null }
const owner = { ownerId: null, fulfillerId: 2 }
const middle = { ownerId: 1, fulfillerId: 3 }
const fulfiller = { ownerId: 1, fulfillerId: null }

test('what nobody shares is refused nothing', () => {
  for (const name of Object.keys(moves) as MoveName[]) assert.equal(refuseDelegated(name, alone), undefined, name)
})

test('the work is refused to everybody but the last, deleting to everybody but the first', () => {
  const refused: [MoveName, ...(string | undefined)[]][] = [
    ['assign', 'TASK_DELEGATED', 'TASK_DELEGATED', undefined],
    ['reassign', 'TASK_DELEGATED', 'TASK_DELEGATED', undefined],
    ['unassign', 'TASK_DELEGATED', 'TASK_DELEGATED', undefined],
    ['accept', 'TASK_DELEGATED', 'TASK_DELEGATED', undefined],
    ['start', 'TASK_DELEGATED', 'TASK_DELEGATED', undefined],
    ['arrive', 'TASK_DELEGATED', 'TASK_DELEGATED', undefined],
    ['takeBackStart', 'TASK_DELEGATED', 'TASK_DELEGATED', undefined],
    ['takeBackArrive', 'TASK_DELEGATED', 'TASK_DELEGATED', undefined],
    ['complete', 'TASK_DELEGATED', 'TASK_DELEGATED', undefined],
    ['completeUnstarted', 'TASK_DELEGATED', 'TASK_DELEGATED', undefined],
    ['fail', 'TASK_DELEGATED', 'TASK_DELEGATED', undefined],
    ['forceComplete', 'TASK_DELEGATED', 'TASK_DELEGATED', undefined],
    ['forceFail', 'TASK_DELEGATED', 'TASK_DELEGATED', undefined],
    ['correctToSucceeded', 'TASK_DELEGATED', 'TASK_DELEGATED', undefined],
    ['correctToFailed', 'TASK_DELEGATED', 'TASK_DELEGATED', undefined],
    ['delegate', 'TASK_DELEGATED', 'TASK_DELEGATED', undefined],
    ['undelegate', undefined, undefined, undefined],
    ['delete', undefined, 'TASK_OF_PARTNER', 'TASK_OF_PARTNER'],
  ]
  assert.deepEqual(refused.map(([name]) => name).sort(), Object.keys(delegatedMoves).sort())
  for (const [name, ...expected] of refused)
    assert.deepEqual(
      [owner, middle, fulfiller].map((parts) => refuseDelegated(name, parts)),
      expected,
      name,
    )
})
