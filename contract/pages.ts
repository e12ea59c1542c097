/**
 * The apps in the browser. Each is a folder in `web/` with its own `index.html`, and is served at these addresses; the
 * build, the dev server and the server read them here. Any other address is "not found".
 */
export const apps = {
  console: [
    '/',
    '/sign-in',
    '/welcome',
    '/drivers',
    '/load',
    '/teams',
    '/hubs',
    '/forms',
    '/reasons',
    '/schedules',
    '/conflicts',
    '/addresses',
    '/to-decide',
    '/messages',
    '/statistics',
    '/cash',
    '/webhooks',
    '/keys',
    '/partners',
    '/people',
    '/audit',
    '/privacy',
    '/settings',
    '/account',
  ],
  driver: ['/driver'],
  // The server writes its page for each task; the build makes only what the page loads.
  tracking: [],
} as const satisfies Record<string, readonly string[]>

export type ConsolePath = (typeof apps.console)[number]

/** Where the operator's own map is served, in parts. */
export const tilesPath = '/map/tiles.pmtiles'

/** Where the world without streets is served, in parts, to every map. */
export const worldPath = '/map/world.pmtiles'
