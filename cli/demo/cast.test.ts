import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distanceMetres } from '../../core/geo.ts'
import { readPhone } from '../../core/phone.ts'
import { workingTimes } from '../../core/shift.ts'
import { endOfDay } from '../../core/time.ts'
import { makeDrivers, makeTeams } from './cast.ts'
import { chanceOf } from './chance.ts'
import { type Day, dayAround, type Role } from './day.ts'
import { planJourney, whereOn } from './journey.ts'
import { drawPicture, sketch, subjects } from './pictures.ts'
import { placeOf, streets } from './streets.ts'
import { endingOf, makeTask, makeTasks, rolesFor } from './tasks.ts'

const day = dayAround(new Date('2026-03-02T10:20:00Z'))
const zone = 'Europe/Bucharest'
const centre = { lat: 44.4353, lng: 26.1025 }

test('the same seed makes the same day, another seed a different one', () => {
  const make = (seed: number) => ({ drivers: makeDrivers(seed, 25, day), tasks: makeTasks(seed, 300, 5, day) })
  assert.deepEqual(make(7), make(7))
  const streetsOf = (seed: number) => make(seed).tasks.map(({ input }) => input.address.address)
  assert.notDeepEqual(streetsOf(7), streetsOf(8))
  assert.notDeepEqual(make(7).drivers, make(8).drivers)
})

test('a task does not depend on how many others there are', () => {
  const role = rolesFor(1, 300)[41] as Role
  const { input } = makeTasks(1, 300, 5, day)[41]!
  const { dependencies: _, ...alone } = makeTask(1, 42, role, 5, day).input
  assert.deepEqual({ ...alone, pickupTask: input.pickupTask, details: input.details }, { ...input })
})

test('a day of 300 tasks has a realistic number of each kind', () => {
  const counts = Object.groupBy(makeTasks(1, 300, 5, day), ({ role }) => role)
  const numbers = Object.entries(counts).map(([role, tasks]) => [role, tasks.length])
  assert.deepEqual(Object.fromEntries(numbers), { done: 120, failed: 12, late: 9, waiting: 18, open: 141 })
  const tasks = Object.values(counts).flat()
  assert.equal(new Set(tasks.map(({ input }) => input.awb)).size, 300)
  assert.ok(tasks.some(({ input }) => input.pickupTask))
  assert.ok(tasks.some(({ input }) => input.customFields))
  assert.ok(tasks.some(({ input }) => input.totalPrice))
  assert.equal(tasks.filter(({ input }) => input.dependencies).length, 20)
})

test('every phone number could be Romanian', () => {
  for (const { input } of makeTasks(3, 300, 5, day))
    assert.match(readPhone(input.customer?.phone ?? '', 'RO') ?? '', /^\+407\d{8}$/)
  for (const { input } of makeDrivers(3, 60, day)) assert.match(readPhone(input.phone, 'RO') ?? '', /^\+407\d{8}$/)
})

test('every house is in Bucharest', () => {
  assert.ok(streets.length >= 60)
  assert.equal(new Set(streets.map(({ name }) => name)).size, streets.length)
  for (const street of streets) {
    for (const number of [1, street.lastNumber])
      assert.ok(distanceMetres(centre, placeOf(street, number)) < 13_000, `${street.name} ${number}`)
    assert.ok(distanceMetres(street.from, street.to) < 6_000, street.name)
  }
})

/** Every half hour of three days, including the nights when daylight saving time begins and ends. */
const moments = ['2026-03-02', '2026-03-28', '2026-10-24'].flatMap((date) =>
  Array.from({ length: 48 }, (_, half) => new Date(Date.parse(`${date}T00:07:00Z`) + half * 1_800_000)),
)

test('whenever it starts, drivers are within their shifts', () => {
  for (const now of moments)
    for (const { input } of makeDrivers(1, 25, dayAround(now))) {
      const shift = {
        start: input.startShiftTime ?? null,
        end: input.endShiftTime ?? null,
        lunchStart: input.lunchBreakStart ?? null,
        lunchEnd: input.lunchBreakEnd ?? null,
        lunchMinutes: 30,
      }
      const times = workingTimes(shift, now, zone)
      assert.ok(times.shift && times.shift.start <= now.getTime(), now.toISOString())
      assert.ok(times.shift.end > now.getTime() + 4 * 3_600_000, now.toISOString())
      assert.ok(times.lunch)
    }
})

test('whenever it starts, every task is for today, and only the late ones are late', () => {
  for (const now of moments)
    for (const { role, input } of makeTasks(1, 60, 5, dayAround(now))) {
      const [after, before] = [Date.parse(input.completeAfter ?? ''), Date.parse(input.completeBefore ?? '')]
      assert.ok(after <= before, `${now.toISOString()} ${input.awb}`)
      assert.ok(after <= endOfDay(now, zone).getTime())
      if (role !== 'late') assert.ok(before > now.getTime())
      else assert.ok(Math.abs(before - now.getTime()) < 30 * 60_000)
      if (role === 'done' || role === 'failed') assert.ok(after <= now.getTime())
    }
})

test('tasks that arrive later can be started at once', () => {
  for (const now of moments) {
    const { completeAfter, completeBefore } = makeTask(1, 301, 'fresh', 5, dayAround(now)).input
    assert.ok(Date.parse(completeAfter ?? '') <= now.getTime())
    assert.ok(Date.parse(completeBefore ?? '') > now.getTime() + 3_600_000)
  }
})

test('some waiting tasks have only an address', () => {
  const waiting = makeTasks(1, 300, 5, day).filter(({ role }) => role === 'waiting')
  const withPlace = waiting.filter(({ input }) => input.address.lat !== undefined)
  assert.ok(withPlace.length > 0 && withPlace.length < waiting.length)
})

test('how a task ends does not depend on its driver and time', () => {
  assert.deepEqual(endingOf(1, 'BUC1-0042'), endingOf(1, 'BUC1-0042'))
  assert.equal(endingOf(1, 'BUC1-0042', 'done').failure, undefined)
  assert.ok(endingOf(1, 'BUC1-0042', 'failed').failure)
  const later = Array.from({ length: 500 }, (_, number) => endingOf(1, `BUC1-${number}`))
  const failing = later.filter(({ failure }) => failure).length
  assert.ok(failing > 15 && failing < 70, `${failing} of 500 fail`)
})

test('even with few drivers every team has one', () => {
  for (const count of [1, 3, 25]) {
    const teams = new Set(makeDrivers(1, count, day).map(({ team }) => team))
    assert.equal(teams.size, makeTeams(count).length)
    assert.ok(makeDrivers(1, count, day).some(({ isOnDuty }) => isOnDuty))
  }
})

test('a journey leads from start to end without jumps', () => {
  const [from, to] = [centre, { lat: 44.481, lng: 26.072 }]
  const journey = planJourney(from, to, 5)
  const steps = Array.from({ length: 101 }, (_, step) => whereOn(journey, step / 100))
  assert.ok(distanceMetres(steps[0]!, from) < 1)
  assert.ok(distanceMetres(steps[100]!, to) < 1)
  const leaps = steps.slice(1).map((step, index) => distanceMetres(steps[index]!, step))
  const evenly = leaps.reduce((sum, leap) => sum + leap, 0) / 100
  assert.ok(Math.max(...leaps) < 1.5 * evenly)
  assert.ok(steps.every(({ heading }) => heading >= 0 && heading < 360))
  assert.ok(journey.seconds > 400 && journey.seconds < 2_000)
})

test('a driver who is already there stays there', () => {
  const { lat, lng } = whereOn(planJourney(centre, centre, null), 0.5)
  assert.deepEqual({ lat, lng }, centre)
})

test('the day of the demo lasts ten hours, and four of them are over when it starts', () => {
  const around: Day = dayAround(new Date('2026-03-02T10:20:00Z'))
  assert.deepEqual(
    [around.start.toISOString(), around.end.toISOString()],
    ['2026-03-02T06:00:00.000Z', '2026-03-02T16:00:00.000Z'],
  )
})

test('pictures are small, and the same for the same seed', async () => {
  for (const subject of subjects) {
    const [one, same, other] = [1, 1, 2].map((seed) => sketch(subject, chanceOf(seed, subject)))
    assert.equal(one, same)
    assert.notEqual(one, other)
    const bytes = await drawPicture(1, subject, 3)
    assert.ok(bytes.length > 500 && bytes.length < 20_000, `${subject}: ${bytes.length} bytes`)
  }
})
