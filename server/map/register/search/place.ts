import { distanceMetres, type Point } from '../../../../core/geo.ts'
import type { House, HouseNumber } from '../numbers.ts'
import type { KnownStreet } from './candidates.ts'

/* Where a number of a street is: its house, or between those beside it, or near the last one, or only somewhere on the street. */

export interface Placed extends Point {
  detail: 'house' | 'interpolated' | 'street'
  /** The number that was found, where the house was. */
  found: HouseNumber | undefined
  postalCode: string | null
}

/** Between houses further apart than this a number may be anywhere. */
const mostApartMetres = 240
/** A number so far beyond the last known one may be on another part of the street. */
const mostBeyond = 4
const nextDoor = 2
/** A street so short that its middle is near all of it. */
const shortMetres = 120

export function place(street: KnownStreet, houses: readonly House[], numbers: readonly HouseNumber[]): Placed {
  const at = (house: { lat: number; lng: number }): Point => ({
    lat: street.lat + house.lat / 1e6,
    lng: street.lng + house.lng / 1e6,
  })
  const codeOf = (house: House) => house.postalCode ?? street.postal_code
  const onStreet: Placed = {
    lat: street.lat,
    lng: street.lng,
    detail: 'street',
    found: undefined,
    postalCode: street.postal_code,
  }
  if (numbers.length === 0) return onStreet

  for (const number of numbers) {
    const house = houses.find((one) => one.number === number.number && one.suffix === number.suffix)
    if (house?.isTwice) return { ...onStreet, ...at(house) }
    if (house) {
      const detail = house.isGuess ? 'interpolated' : 'house'
      return { ...at(house), detail, found: number, postalCode: codeOf(house) }
    }
  }
  const [wanted] = numbers as [HouseNumber]
  // What is in two places says nothing about its neighbours.
  const sure = houses.filter(({ isTwice }) => !isTwice)
  const same = sure.filter(({ number }) => number === wanted.number)
  const [near] = same.toSorted((a, b) => a.suffix.length - b.suffix.length || (a.suffix < b.suffix ? -1 : 1))
  // "12A" is beside 12, and 12 beside 12A.
  if (near) return { ...at(near), detail: 'interpolated', found: undefined, postalCode: codeOf(near) }

  const side = sure.filter(({ number }) => (number - wanted.number) % 2 === 0)
  let between: Point | undefined
  for (const some of [side, sure]) {
    const before = some.findLast(({ number }) => number < wanted.number)
    const after = some.find(({ number }) => number > wanted.number)
    if (!before || !after) continue
    const [from, to] = [at(before), at(after)]
    const share = (wanted.number - before.number) / (after.number - before.number)
    between ??= { lat: from.lat + share * (to.lat - from.lat), lng: from.lng + share * (to.lng - from.lng) }
    if (distanceMetres(from, to) <= mostApartMetres)
      return { ...between, detail: 'interpolated', found: undefined, postalCode: codeOf(before) }
  }
  const [next] = side.toSorted((a, b) => Math.abs(a.number - wanted.number) - Math.abs(b.number - wanted.number))
  if (next && Math.abs(next.number - wanted.number) <= (between ? nextDoor : mostBeyond))
    return { ...at(next), detail: 'interpolated', found: undefined, postalCode: codeOf(next) }
  if (between) return { ...onStreet, ...between }
  if (houses.length > 0 && street.reach_metres <= shortMetres) return { ...onStreet, detail: 'interpolated' }
  const [nearest] = houses.toSorted((a, b) => Math.abs(a.number - wanted.number) - Math.abs(b.number - wanted.number))
  return nearest && Math.abs(nearest.number - wanted.number) <= 4 * mostBeyond
    ? { ...onStreet, ...at(nearest) }
    : onStreet
}
