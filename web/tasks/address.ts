import type { Task } from '../api/data.ts'

/**
 * The part of an address that distinguishes it from its neighbours: street and number, or everything before the city. A street
 * that is not in the text was found by a geocoder, and perhaps the wrong one: then what somebody wrote is shown.
 */
export function shortAddress({ address: { streetName, streetNumber, address } }: Pick<Task, 'address'>): string {
  const [first = ''] = address.split(',')
  return streetName && address.includes(streetName)
    ? [streetName, streetNumber].filter(Boolean).join(' ')
    : first.trim() || address
}
