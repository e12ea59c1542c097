import { fold } from '../../../core/search.ts'
import type { Driver } from '../../api/data.ts'

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

/** “Vlad Marin” → “VM”. */
export const initialsOf = (name: string) => {
  const parts = name.trim().split(/\s+/)
  const letters = parts.length > 1 ? [parts[0], parts.at(-1)] : parts
  return letters
    .map((part) => [...(part ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}
