/** Every address of the console. The server answers these with the console, and other pages with "not found". */
export const consolePaths = [
  '/',
  '/sign-in',
  '/welcome',
  '/drivers',
  '/teams',
  '/hubs',
  '/statistics',
  '/webhooks',
  '/keys',
  '/people',
  '/settings',
  '/account',
] as const

export type ConsolePath = (typeof consolePaths)[number]
