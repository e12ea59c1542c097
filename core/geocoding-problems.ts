/** Why an address has no place, as the API says it; pages say it in their language. Others are what a geocoder said. */
export const geocodingProblems = {
  noCity: 'No known city found in the address',
  notFound: 'Address not found',
} as const
