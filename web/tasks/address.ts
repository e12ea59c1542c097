import type { Task } from '../api/data.ts'

/** The part of an address that distinguishes it from its neighbours: street and number, or everything before the city. */
export function shortAddress({ address: { streetName, streetNumber, address } }: Pick<Task, 'address'>): string {
  const [first = ''] = address.split(',')
  return streetName ? [streetName, streetNumber].filter(Boolean).join(' ') : first.trim() || address
}
