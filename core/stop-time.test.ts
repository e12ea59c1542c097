import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Ended, timeStops } from './stop-time.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 2, 2, 9, minutes))
const door = { lat: 44.43, lng: 26.1, address: 'Strada Lipscani 1', city: 'București' }
const elsewhere = { ...door, lat: 44.44, address: 'Strada Lungă 7' }
const cases: [what: string, tasks: Ended[], stops: number, minutes: number][] = [
  ['nothing', [], 0, 0],
  ['one task', [{ ...door, arrivedAt: at(0), completedAt: at(4) }], 1, 4],
  [
    'two parcels at one door are one stop, from coming to the last',
    [
      { ...door, arrivedAt: at(3), completedAt: at(7) },
      { ...door, arrivedAt: at(0), completedAt: at(5) },
    ],
    1,
    7,
  ],
  [
    'the same door later in the day is another stop',
    [
      { ...door, arrivedAt: at(0), completedAt: at(2) },
      { ...elsewhere, arrivedAt: at(10), completedAt: at(13) },
      { ...door, arrivedAt: at(20), completedAt: at(21) },
    ],
    3,
    6,
  ],
  [
    'a stop where nobody knows when the driver came is not counted',
    [
      { ...door, arrivedAt: null, completedAt: at(2) },
      { ...elsewhere, arrivedAt: at(10), completedAt: at(13) },
    ],
    1,
    3,
  ],
  ['an end before coming takes no time', [{ ...door, arrivedAt: at(5), completedAt: at(4) }], 1, 0],
  [
    'places of which only the street is known are stops of their own',
    [
      { ...door, address: 'București', precision: 'approximate', arrivedAt: at(0), completedAt: at(2) },
      { ...door, address: 'București', precision: 'approximate', arrivedAt: at(2), completedAt: at(3) },
    ],
    2,
    3,
  ],
]

for (const [what, tasks, stops, minutes] of cases)
  test(`how long stops took: ${what}`, () => assert.deepEqual(timeStops(tasks), { stops, seconds: minutes * 60 }))
