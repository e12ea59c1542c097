import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PhoneTask } from '../../../contract/sync.ts'
import { spotsOf } from './spots.ts'

const at = (lat: number | null, lng: number | null) => ({ address: { lat, lng } as PhoneTask['address'] })

test('stops keep their numbers of the list, stops at one address share a place, and what has none is counted', () => {
  const { spots, unplaced } = spotsOf([at(44.4, 26), at(null, null), at(44.5, 26.1), at(44.400001, 26)])
  assert.deepEqual(
    spots.map(({ point, stops }) => [point, stops.map(({ number }) => number)]),
    [
      [
        [26, 44.4],
        [1, 4],
      ],
      [[26.1, 44.5], [3]],
    ],
  )
  assert.equal(unplaced, 1)
})
