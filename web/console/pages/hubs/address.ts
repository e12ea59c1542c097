import type { Hub } from '../../../api/data.ts'

/** As it was typed, or composed of its parts. */
export const addressOf = ({ address, streetName, streetNumber, postalCode, city }: Hub) =>
  address ||
  [
    [streetName, streetNumber],
    [postalCode, city],
  ]
    .map((parts) => parts.filter(Boolean).join(' '))
    .filter(Boolean)
    .join(', ')
