import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { labelsOf } from './labels.ts'
import type { Lane } from './lanes.ts'

type Given = Pick<Lane, 'blocks' | 'ways'>
const scale = { x: (moment: number) => moment, width: 600 }

const lanes = fc
  .array(
    fc.record({ way: fc.integer({ min: 1, max: 90 }), stop: fc.integer({ min: 1, max: 30 }), late: fc.nat(9_000) }),
  )
  .map((stops): Given => {
    let at = 0
    const lane = { blocks: [] as Lane['blocks'], ways: [] as Lane['ways'] }
    for (const [id, { way, stop, late }] of stops.entries()) {
      lane.ways.push({ to: id, start: at, end: at + way, minutes: way })
      lane.blocks.push({ id, start: at + way, lateSeconds: late } as Lane['blocks'][number])
      at += way + stop
    }
    return lane
  })

test('no two labels of a lane overlap, and the label of a trip stays within it', () => {
  fc.assert(
    fc.property(lanes, (lane) => {
      const labels = labelsOf(lane, scale).toSorted((one, other) => one.left - other.left)
      for (const [at, { left, key, width, isLate }] of labels.entries()) {
        const before = labels[at - 1]
        assert.ok(!before || before.left + before.width <= left)
        const way = lane.ways.find(({ to }) => key === `way-${to}`)
        assert.ok(isLate || (way && left >= way.start && left + width <= way.end))
      }
    }),
  )
})

test('the label of a late stop is shown, even if a trip then gets no label', () => {
  const lane = {
    ways: [{ to: 1, start: 0, end: 60, minutes: 60 }],
    blocks: [{ id: 1, start: 32, lateSeconds: 300 }],
  } as unknown as Given
  assert.deepEqual(
    labelsOf(lane, scale).map(({ text }) => text),
    ['+5'],
  )
})
