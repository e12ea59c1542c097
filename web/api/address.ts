import type { Task } from './data.ts'

/** The part of an address that tells it from its neighbours: the street and the number, or what stands before the city. */
export function shortAddress({ address: { streetName, streetNumber, address } }: Pick<Task, 'address'>): string {
  const [first = ''] = address.split(',')
  return streetName ? [streetName, streetNumber].filter(Boolean).join(' ') : first.trim() || address
}
