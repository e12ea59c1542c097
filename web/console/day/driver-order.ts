import type { Driver } from '../../api/data.ts'
import { fold } from './filters.ts'

/** On duty first, then by name. */
export const byDuty = (one: Driver, other: Driver) =>
  Number(other.inShift) - Number(one.inShift) || one.name.localeCompare(other.name)

/** The drivers whose name or team contains every word. */
export function findDrivers(drivers: Driver[], text: string): Driver[] {
  const words = fold(text).split(/\s+/).filter(Boolean)
  return drivers
    .filter(({ name, driverTeams }) => {
      const known = fold([name, ...driverTeams.map((team) => team.name)].join(' '))
      return words.every((word) => known.includes(word))
    })
    .sort(byDuty)
}

export const initialsOf = (name: string) => {
  const words = name.trim().split(/\s+/)
  return ((words[0]?.[0] ?? '') + (words.length > 1 ? (words.at(-1)?.[0] ?? '') : '')).toUpperCase()
}
