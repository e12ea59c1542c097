import { distanceMetres, type Point } from './geo.ts'

/*
 * What an address is known by that was put right: by a person, whose word counts until the next one's; or by drivers who
 * completed there, of whom most have to agree.
 */

export interface LearnedPlace {
  /** Null while drivers do not agree. */
  point: Point | null
  isByPerson: boolean
  /** Where drivers were, the last ones, the newest last. Empty once a person has said where it is. */
  seen: readonly Point[]
}

export const nothingLearned: LearnedPlace = { point: null, isByPerson: false, seen: [] }

/** So many drivers' points are kept of an address. */
export const mostSeen = 7

/** Points of one door, by phones that are not sure where they are. */
const sameDoorMetres = 75

/** A person says where it is. */
export const learnFromPerson = ({ lat, lng }: Point): LearnedPlace => ({
  point: { lat, lng },
  isByPerson: true,
  seen: [],
})

/**
 * A driver completed there. What a person said stays. `known` is where the house was thought to be, if that was the house
 * itself: it counts as the first who was there, so that one driver who completed somewhere else changes nothing.
 */
export function learnFromDriver(before: LearnedPlace, { lat, lng }: Point, known?: Point): LearnedPlace {
  if (before.isByPerson) return before
  const first = before.seen.length === 0 && known ? [{ lat: known.lat, lng: known.lng }] : []
  const seen = [...first, ...before.seen, { lat, lng }].slice(-mostSeen)
  return { point: agreedPoint(seen), isByPerson: false, seen }
}

/**
 * The middle of the largest group at one door, if more than half of the points are in it; so one stray point of three
 * changes nothing, and of two that differ neither is believed. A single one is: it is all that is known.
 */
export function agreedPoint(seen: readonly Point[]): Point | null {
  const groups = seen.map((centre) => seen.filter((point) => distanceMetres(centre, point) <= sameDoorMetres))
  const largest = groups.reduce((best, group) => (group.length >= best.length ? group : best), [] as Point[])
  if (largest.length * 2 <= seen.length) return null
  return { lat: median(largest.map(({ lat }) => lat)), lng: median(largest.map(({ lng }) => lng)) }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  const [low, high] = [sorted[(sorted.length - 1) >> 1] as number, sorted[middle] as number]
  return (low + high) / 2
}
