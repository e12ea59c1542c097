import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awaitsDriver, isOursToDo, refuseSide, type Side, shownStatus, tellsCustomer } from './delegation.ts'
import { Assigned, Failed, InTransit, type StatusId, Succeeded, Unassigned } from './task-status.ts'

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
