import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutEnds } from './held.ts'
import type { WaitingOp } from './kept.ts'

const waiting = (place: number, op: Partial<WaitingOp['op']>, heldUntilMs?: number) =>
  ({
    place,
    driverId: 1,
    op: { opId: `op ${place}`, taskId: 1, ...op },
    ...(heldUntilMs !== undefined && { heldUntilMs }),
  }) as WaitingOp

const placesOf = (ops: WaitingOp[]) => ops.map(({ place }) => place)

test('the photos of a task wait with its end, everything else goes', () => {
  const photo = waiting(1, { type: 'photo', fileId: 'a' })
  const note = waiting(2, { type: 'note' })
  const elsewhere = waiting(3, { type: 'photo', fileId: 'b', taskId: 2 })
  const end = waiting(4, { type: 'complete' }, 10_000)
  assert.deepEqual(placesOf(withoutEnds([photo, note, elsewhere, end])), [2, 3])
})

test('of a task that was ended twice the photos go with the first end', () => {
  const photo = waiting(1, { type: 'photo', fileId: 'a' })
  const first = waiting(2, { type: 'complete' })
  const after = waiting(3, { type: 'photo', fileId: 'b' })
  const second = waiting(4, { type: 'complete' }, 10_000)
  assert.deepEqual(placesOf(withoutEnds([photo, first, after, second])), [1, 2])
})
