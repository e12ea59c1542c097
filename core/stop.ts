import { isDoor } from './certainty.ts'
import { distanceMetres, type Point } from './geo.ts'

/** One door, one yard, one block of flats. */
const metresOfOneStop = 25
/** As degrees of latitude, a little more: nearly all pairs are told apart without measuring. */
const latOfOneStop = metresOfOneStop / 110_000

/** An address, as the API shows it or as the database has it. */
export interface Placed {
  lat: number | null
  lng: number | null
  /** `approximate`: only the street or the town is known. */
  precision?: string | null
  address: string
  city: string | null
}

/** What it takes to know whether two tasks are at one place. */
export interface Door {
  point: Point | null
  /** The address as it is written, if it names a house; a street or a town is not one place. */
  text: string | null
}

export function doorOf(place: Placed): Door {
  const { lat, lng } = place
  const line = `${place.address}|${place.city ?? ''}`.toLowerCase().replace(/[\s,.;]+/g, ' ')
  return {
    point: isDoor(place) && lat !== null && lng !== null ? { lat, lng } : null,
    text: /\d/.test(place.address) ? line : null,
  }
}

/** Within 25 m of each other, or, where that is not known exactly of both, with the same address. */
export function areAtOneDoor(one: Door, other: Door): boolean {
  if (one.point && other.point)
    return (
      Math.abs(one.point.lat - other.point.lat) <= latOfOneStop &&
      distanceMetres(one.point, other.point) <= metresOfOneStop
    )
  return one.text !== null && one.text === other.text
}

/**
 * The stops of a route: tasks of one driver that follow each other, all at one door with all the others, are one stop. Not
 * each with the one before, or a street of houses would be one. A task of which nobody knows the place, and whose address
 * names no house, is a stop of its own.
 */
export function stopsOf<Task>(route: readonly Task[], placeOf: (task: Task) => Placed): Task[][] {
  const stops: { task: Task; door: Door }[][] = []
  for (const task of route) {
    const here = { task, door: doorOf(placeOf(task)) }
    const stop = stops.at(-1)
    if (stop?.every(({ door }) => areAtOneDoor(door, here.door))) stop.push(here)
    else stops.push([here])
  }
  return stops.map((stop) => stop.map(({ task }) => task))
}

/** The tasks of the stop that this one belongs to, in the order of the route. */
export const stopWith = <Task>(route: readonly Task[], task: Task, placeOf: (task: Task) => Placed): Task[] =>
  stopsOf(route, placeOf).find((stop) => stop.includes(task)) ?? [task]

/** The number of each task's stop, by the task's id: neighbours at one door share one. */
export const numberStops = (route: readonly { id: number; address: Placed }[]): Map<number, number> =>
  new Map(stopsOf(route, ({ address }) => address).flatMap((stop, at) => stop.map(({ id }) => [id, at + 1])))

/** What each further parcel of a stop takes, beside the one that takes longest. */
export const secondsOfFurtherParcel = 60

/** How long all parcels of a stop take together, from how long each would take alone. */
export const serviceSecondsOf = (parcels: readonly number[]): number =>
  parcels.length === 0 ? 0 : Math.max(...parcels) + (parcels.length - 1) * secondsOfFurtherParcel

/**
 * When the driver is done with one more parcel of a stop, who was done with those before it at `done`, the longest of which takes `longest`: a
 * minute later, or as much later as this one takes longer; never sooner than it can be done alone.
 */
export const doneWith = (done: number, longest: number, start: number, serviceSeconds: number): number =>
  Math.max(done + secondsOfFurtherParcel + Math.max(0, serviceSeconds - longest), start + serviceSeconds)

/** When the driver is done with all parcels of a stop, in seconds and in the order of the route. */
export function endOfStop(parcels: readonly { start: number; serviceSeconds: number }[]): number | undefined {
  let end: number | undefined
  let longest = 0
  for (const { start, serviceSeconds } of parcels) {
    end = end === undefined ? start + serviceSeconds : doneWith(end, longest, start, serviceSeconds)
    longest = Math.max(longest, serviceSeconds)
  }
  return end
}
