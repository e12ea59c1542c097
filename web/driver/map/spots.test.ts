import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PhoneTask } from '../../../contract/sync.ts'
import { numberStops } from '../../../core/stop.ts'
import { spotsOf } from './spots.ts'

const at = (id: number, lat: number | null, lng: number | null) => ({
  id,
  address: { lat, lng } as PhoneTask['address'],
})

test('stops keep their numbers of the list, stops at one address share a place, and what has none is counted', () => {
  const tasks = [at(1, 44.4, 26), at(2, null, null), at(3, 44.5, 26.1), at(4, 44.400001, 26)]
  const { spots, unplaced } = spotsOf(tasks, numberStops(tasks))
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
