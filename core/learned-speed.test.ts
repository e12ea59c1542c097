import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drivesOf, enough, factorBetween, isSameWay, learnSpeed, type Pace } from './learned-speed.ts'
import type { Fix } from './track.ts'

const start = Date.parse('2026-11-16T08:00:00Z')

/** A position every 15 s along a street eastward: `speeds` in metres per second, one for each step. */
function drive(speeds: readonly number[]): Fix[] {
  let metres = 0
  return [0, ...speeds].map((speed, step) => {
    metres += speed * 15
    return { lat: 44.43, lng: 26 + metres / 79_400, at: new Date(start + step * 15_000), accuracyMetres: 10 }
  })
}
const times = (count: number, speed: number) => Array.from({ length: count }, () => speed)

test('a drive is cut into pieces of five minutes', () => {
  const drives = drivesOf(drive(times(60, 10)))
  assert.deepEqual(
    drives.map(({ seconds, metres }) => [seconds, Math.round(metres / 10) * 10]),
    [
      [300, 3_000],
      [300, 3_000],
      [300, 3_000],
    ],
  )
  assert.deepEqual(drivesOf([]), [])
})

test('a red light belongs to the drive, a stop at a door does not', () => {
  const [light] = drivesOf(drive([...times(8, 10), ...times(3, 0), ...times(8, 10)]))
  assert.equal(light?.seconds, 285)
  const around = drivesOf(drive([...times(10, 10), ...times(12, 0), ...times(10, 10)]))
  assert.deepEqual(
    around.map(({ seconds }) => seconds),
    [150, 135],
  )
})

test('who stands still, or only moved the car, was on no drive', () => {
  assert.deepEqual(drivesOf(drive(times(40, 0.2))), [])
  assert.deepEqual(drivesOf(drive([...times(4, 10), ...times(20, 0), ...times(4, 10)])), [])
})

test('a detour says nothing about speed', () => {
  assert.deepEqual(
    [900, 1_000, 1_200, 1_300, 700].map((driven) => isSameWay(driven, 1_000)),
    [true, true, true, false, false],
  )
})

/** Drivers who all take this share more or less than the roads say, in one hour of each of some days. */
const paces = (
  drivers: number,
  days: number,
  hours: readonly number[],
  ratio: (pace: Omit<Pace, 'seconds'>) => number,
) =>
  Array.from({ length: drivers }, (_, driverId) =>
    Array.from({ length: days }, (_, day) =>
      hours.map((hour): Pace => {
        const pace = { driverId, day: `2026-11-${day + 10}`, hour, expectedSeconds: 600 }
        return { ...pace, seconds: 600 * ratio(pace) }
      }),
    ),
  ).flat(2)
const workday = Array.from({ length: 8 }, (_, hour) => 8 + hour)

test('nothing is learned from few drivers, few days or few hours', () => {
  const slow = () => 1.3
  for (const few of [paces(2, 20, workday, slow), paces(5, 9, workday, slow), paces(3, 10, [8, 9, 10], slow)]) {
    const { factor, hours } = learnSpeed(few)
    assert.deepEqual([factor, hours], [null, []])
  }
  assert.deepEqual(learnSpeed([]), { drivers: 0, days: 0, count: 0, factor: null, hours: [] })
  const { factor, drivers, days, count } = learnSpeed(paces(enough.drivers, enough.days, workday, slow))
  assert.deepEqual([factor, drivers, days, count], [1.3, 3, 10, 240])
})

test('each hour of the week has its own factor, and one with little data that of all', () => {
  const { hours, factor } = learnSpeed([
    ...paces(3, 10, workday, ({ hour }) => (hour === 8 ? 1.6 : 1.1)),
    ...paces(1, 10, [50], () => 1.9),
  ])
  assert.equal(hours.length, 168)
  assert.deepEqual([hours[8]?.factor, hours[9]?.factor, hours[9]?.count], [1.6, 1.1, 30])
  assert.equal(factor, 1.1)
  assert.deepEqual([hours[50]?.factor, hours[50]?.count, hours[100]?.factor], [1.1, 10, 1.1])
})

test('one outlier changes nothing, be it an hour or a driver', () => {
  const usual = paces(3, 10, workday, () => 1.2)
  const outlier = { driverId: 0, day: '2026-11-12', hour: 8, expectedSeconds: 60, seconds: 6_000 }
  assert.deepEqual(learnSpeed([...usual, outlier]).factor, 1.2)
  const slowDriver = learnSpeed(paces(4, 10, workday, ({ driverId }) => (driverId === 3 ? 30 : 1.2)))
  assert.equal(slowDriver.factor, 1.2)
  assert.equal(slowDriver.hours[8]?.factor, 1.2)
})

test('nobody is planned more than twice as fast or slow', () => {
  assert.equal(learnSpeed(paces(3, 10, workday, () => 9)).factor, 2)
  assert.equal(learnSpeed(paces(3, 10, workday, () => 0.1)).factor, 0.5)
})

test('a route has the mean of its hours', () => {
  const factors = Array.from({ length: 168 }, (_, hour) => (hour === 9 ? 2 : 1))
  const hourOf = (moment: number) => Math.floor(moment / 3_600_000)
  const hour = 3_600_000
  assert.equal(factorBetween(factors, 9 * hour, 9 * hour + 1, hourOf), 2)
  assert.equal(factorBetween(factors, 8 * hour, 10 * hour, hourOf), 1.5)
  assert.equal(factorBetween(factors, 8 * hour, 1e13, hourOf), 1 + 1 / 12, 'no shift end: half a day')
  assert.equal(factorBetween([], 0, hour, hourOf), 1)
})
