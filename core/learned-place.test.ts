import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distanceMetres, type Point } from './geo.ts'
import {
  agreedPoint,
  type LearnedPlace,
  learnFromDriver,
  learnFromPerson,
  mostSeen,
  nothingLearned,
} from './learned-place.ts'

const door = { lat: 45.7558, lng: 21.2322 }
/** So many metres north of the door. */
const off = (metres: number): Point => ({ lat: door.lat + metres / 111_195, lng: door.lng })
const after = (...points: Point[]) =>
  points.reduce<LearnedPlace>((place, point) => learnFromDriver(place, point), nothingLearned)
const isAtDoor = (place: LearnedPlace) => place.point !== null && distanceMetres(place.point, door) < 30

test('where drivers completed is the middle of their points, whichever of them was a stray', () => {
  assert.deepEqual(after(door).point, door, 'one is all that is known')
  assert.ok(isAtDoor(after(off(10), off(-15), off(5))))
  for (const points of [
    [off(3_000), off(5), off(-5)],
    [off(5), off(3_000), off(-5)],
    [off(5), off(-5), off(3_000)],
    [off(5), off(-5), off(3_000), off(12), off(-4_000)],
  ])
    assert.ok(isAtDoor(after(...points)), JSON.stringify(points))
})

test('of two places that differ neither is believed, until a third driver decides', () => {
  assert.equal(after(door, off(900)).point, null)
  assert.ok(isAtDoor(after(door, off(900), off(20))))
})

test('one driver alone moves no house that was found', () => {
  const far = learnFromDriver(nothingLearned, off(700), door)
  assert.equal(far.point, null)
  assert.ok(isAtDoor(learnFromDriver(far, off(10))))
  assert.deepEqual(learnFromDriver(far, off(700)).point, off(700), 'but two who agree do')
  assert.ok(isAtDoor(learnFromDriver(nothingLearned, off(40), door)))
})

test('what a person says counts until another person says something else', () => {
  const said = learnFromPerson(door)
  assert.deepEqual(learnFromDriver(learnFromDriver(said, off(500)), off(500)), said)
  assert.deepEqual(learnFromPerson(off(100)).point, off(100))
  const late = { ...after(off(500), off(500)), ...learnFromPerson(door) }
  assert.deepEqual([late.point, late.seen], [door, []], 'and what drivers had shown is forgotten')
})

test('an address keeps only the last points, so a house that moved is found again', () => {
  const many = Array.from({ length: 30 }, () => off(2_000))
  assert.equal(after(...many).seen.length, mostSeen)
  assert.ok(isAtDoor(after(...many, door, door, door, door)))
  assert.equal(agreedPoint([]), null)
})
