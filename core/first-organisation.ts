/** The organisation and the person of a first start, until whoever signs in says who they are. */
export const firstOrganisation = {
  name: 'Waybill Demo',
  admin: 'Admin',
  country: 'RO',
  timezone: 'Europe/Bucharest',
  currency: 'RON',
} as const
