import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { basename, join, normalize } from 'node:path'
import { test } from 'node:test'
import { apps } from '../../contract/pages.ts'

/*
 * Imports point one way. Each room lists the other rooms it may import; anything else is not allowed. ARCHITECTURE.md
 * shows the same.
 */
const frame = [
  'core',
  'contract',
  'server/config',
  'server/log',
  'server/loops',
  'server/metrics',
  'server/context',
  'server/topics',
  'server/db',
  'server/outside',
  'server/map',
  'server/threads',
]
const http = [...frame, 'server/gather', 'server/http', 'server/events', 'server/audit']
const domains = [
  'organisations',
  'reasons',
  'people',
  'cash',
  'tasks',
  'drivers',
  'loading',
  'teams',
  'field',
  'planning',
  'geocoding',
  'webhooks',
  'files',
  'forms',
  'tracking',
  'proof',
  'printing',
  'messages',
  'erasure',
  'schedules',
].map((name) => `server/${name}`)
/** The rooms shared by all apps in the browser, from the bottom up. */
const shared = ['words', 'api', 'ui', 'map', 'tasks', 'live'].map((name) => `web/${name}`)
const underPages = ['core', 'contract', 'sdk']

/** An app may use all shared rooms and those of its own rooms that are named, never another app. */
const appRooms = (app: string, own: Record<string, string[]>, under = underPages) =>
  Object.fromEntries(
    Object.entries(own).map(([room, known]) => [
      `${app}/${room}`,
      [...under, ...shared, ...known.map((other) => `${app}/${other}`)],
    ]),
  )

const rooms: Record<string, string[]> = {
  core: [],
  contract: ['core'],
  sdk: ['contract', 'core'],
  phone: ['sdk', 'contract', 'core'],
  'server/config': ['core'],
  'server/log': [],
  'server/loops': ['server/log'],
  'server/metrics': [],
  'server/db': [],
  'server/outside': ['core'],
  'server/map': ['core', 'contract', 'server/log', 'server/loops', 'server/topics', 'server/db', 'server/outside'],
  'server/backup': ['contract', 'server/db'],
  'server/threads': ['core', 'contract', 'server/log', 'server/map'],
  'server/context': frame,
  'server/gather': ['server/context', 'server/db'],
  'server/topics': ['contract', 'server/db'],
  'server/events': [...frame, 'server/http'],
  'server/http': frame,
  'server/audit': [...frame, 'server/http'],
  'server/files': http,
  'server/organisations': [...http, 'server/files'],
  'server/people': [...http, 'server/organisations'],
  'server/forms': [...http, 'server/organisations'],
  'server/reasons': [...http, 'server/organisations'],
  'server/tasks': [...http, 'server/files', 'server/organisations', 'server/forms', 'server/reasons'],
  'server/cash': [...http, 'server/organisations', 'server/tasks'],
  'server/drivers': [...http, 'server/files', 'server/organisations', 'server/tasks'],
  'server/loading': [...http, 'server/organisations', 'server/tasks'],
  // A hub is an address too, and is looked up like one.
  'server/teams': [...http, 'server/organisations', 'server/tasks', 'server/drivers', 'server/geocoding'],
  'server/field': [
    ...http,
    'server/files',
    'server/organisations',
    'server/forms',
    'server/reasons',
    'server/tasks',
    'server/cash',
    'server/drivers',
    'server/loading',
    'server/teams',
  ],
  'server/tracking': [
    ...http,
    'server/files',
    'server/organisations',
    'server/reasons',
    'server/tasks',
    'server/messages',
  ],
  'server/proof': [...http, 'server/files', 'server/organisations', 'server/forms', 'server/tasks', 'server/tracking'],
  'server/printing': [
    ...http,
    'server/organisations',
    'server/tasks',
    'server/drivers',
    'server/teams',
    'server/planning',
    'server/proof',
  ],
  'server/messages': [...http, 'server/organisations', 'server/people', 'server/tasks', 'server/sending'],
  'server/planning': [
    ...http,
    'server/organisations',
    'server/tasks',
    'server/drivers',
    'server/teams',
    'server/geocoding',
  ],
  // It has to know what everybody keeps.
  'server/erasure': [
    ...http,
    'server/backup',
    'server/files',
    'server/organisations',
    'server/tasks',
    // A driver who was erased and came back with a backup is deleted first.
    'server/drivers',
    'server/geocoding',
    'server/messages',
    // Regular work names customers, too.
    'server/schedules',
  ],
  'server/geocoding': [...http, 'server/organisations', 'server/tasks'],
  'server/schedules': [...http, 'server/organisations', 'server/tasks'],
  'server/sending': ['core'],
  'server/webhooks': [...http, 'server/organisations', 'server/sending'],
  'server/app': [...http, ...domains],
  'server/workers': [
    'server/context',
    'server/topics',
    'server/loops',
    'server/db',
    'server/http',
    'server/audit',
    'server/files',
    'server/tasks',
    'server/cash',
    'server/people',
    'server/loading',
    'server/field',
    'server/planning',
    'server/geocoding',
    'server/webhooks',
    'server/messages',
    'server/erasure',
    'server/schedules',
    'server/drivers',
  ],
  'server/main': [...frame, 'server/people', 'server/erasure', 'server/app', 'server/workers'],
  'web/env.d': ['sdk'],
  'web/vite.config': ['core', 'contract'],
  ...Object.fromEntries(shared.map((room, at) => [room, [...underPages, ...shared.slice(0, at)]])),
  ...appRooms('web/console', {
    files: [],
    day: ['conflicts'],
    tasks: ['day', 'files', 'conflicts'],
    planning: ['day'],
    conflicts: [],
    dispatch: ['day', 'tasks', 'planning', 'conflicts'],
    pages: ['day', 'files', 'tasks', 'conflicts'],
    'sign-in': [],
    app: ['day', 'dispatch', 'pages', 'sign-in', 'conflicts'],
    main: ['app'],
  }),
  ...appRooms(
    'web/driver',
    {
      store: [],
      outbox: ['store'],
      looks: ['outbox'],
      positions: ['looks', 'outbox'],
      push: ['looks', 'outbox'],
      intro: ['looks', 'outbox'],
      route: ['looks', 'outbox', 'positions', 'push', 'intro', 'scan'],
      map: ['looks', 'outbox', 'route'],
      camera: ['looks'],
      scan: ['camera'],
      task: ['looks', 'outbox', 'scan', 'camera'],
      load: ['looks', 'outbox', 'scan'],
      'sign-in': ['looks', 'outbox'],
      me: ['looks', 'outbox', 'positions', 'push', 'camera', 'route'],
      app: ['looks', 'outbox', 'positions', 'push', 'route', 'map', 'task', 'load', 'sign-in', 'me'],
      main: ['app', 'outbox', 'driver.css'],
      worker: [],
    },
    [...underPages, 'phone'],
  ),
  ...appRooms('web/tracking', { main: ['swap', 'map'], swap: [], map: [] }),
  cli: [
    'phone',
    'sdk',
    'contract',
    'core',
    'server/config',
    'server/log',
    'server/db',
    'server/backup',
    'server/audit',
    'server/organisations',
    'server/people',
    'server/cash',
    'server/outside',
    'server/map',
    'server/main',
  ],
}

const root = join(import.meta.dirname, '../..')

/** `server/tasks/queries.ts` is in `server/tasks`, `server/app.ts` in `server/app`, files of an app one room deeper. */
function roomOf(file: string): string {
  const [house, first] = file.split('/')
  const depth = house === 'web' && first && first in apps ? 3 : house === 'web' || house === 'server' ? 2 : 1
  return file
    .replace(/\.tsx?$/, '')
    .split('/')
    .slice(0, depth)
    .join('/')
}

function climbs(file: string, imported: string): boolean {
  const [from, to] = [roomOf(file), roomOf(imported)]
  return from !== to && !rooms[from]?.includes(to)
}

/** Every way to import a file: `from`, also for types; `import` for side effects; `import()`, also inside a type. */
const readImports = (file: string, text: string) =>
  [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)].map(([, path]) =>
    normalize(join(file, '..', path as string)),
  )

interface Import {
  file: string
  imported: string
}

async function findImports(): Promise<Import[]> {
  const found = await findImportsIn('{core,contract,sdk,phone,server,cli,web}')
  return found.filter(({ file }) => !file.endsWith('.test.ts') && !/^(cli|phone|server|web)\/test\//.test(file))
}

async function findImportsIn(houses: string): Promise<Import[]> {
  const found = []
  for await (const file of glob(`${houses}/**/*.{ts,tsx}`, { cwd: root }))
    for (const imported of readImports(file, await readFile(join(root, file), 'utf8'))) found.push({ file, imported })
  return found
}

test('imports point one way', async () => {
  const imports = await findImports()
  const climbing = imports.filter(({ file, imported }) => climbs(file, imported))

  assert.ok(imports.length > 50, 'the imports are really being read')
  assert.deepEqual(
    climbing.map(({ file, imported }) => `${file} imports ${imported}`),
    [],
  )
})

test('every way to write an import is recognised', () => {
  const written = `
    import { one } from './one.ts'
    import type { Two } from './two.ts'
    import {
      type Three,
    } from '../three.ts'
    export * from './four.ts'
    import './five.css'
    const page = lazy(() => import('./six.tsx'))
    const type: import('./seven.ts').Seven = await import(
      './eight.ts'
    )`
  assert.deepEqual(readImports('web/ui/file.ts', written), [
    'web/ui/one.ts',
    'web/ui/two.ts',
    'web/three.ts',
    'web/ui/four.ts',
    'web/ui/five.css',
    'web/ui/six.tsx',
    'web/ui/seven.ts',
    'web/ui/eight.ts',
  ])
})

/** Every circle of files that import each other, as the way around it. */
function findCircles(imports: readonly Import[]): string[] {
  const importsOf = Map.groupBy(imports, ({ file }) => file)
  const circles: string[] = []
  const done = new Set<string>()
  const follow = (file: string, way: readonly string[]) => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '))
    if (way.includes(file) || done.has(file)) return
    for (const { imported } of importsOf.get(file) ?? []) follow(imported, [...way, file])
    done.add(file)
  }
  for (const file of importsOf.keys()) follow(file, [])
  return circles
}

test('no files import each other in a circle, not even for types', async () => {
  const imports = await findImportsIn('{core,contract,sdk,phone,server,cli,web,bench,examples}')
  assert.deepEqual(findCircles(imports), [])
})

test('a circle is found, however long, and named once', () => {
  const imports = ['a b', 'b c', 'c d', 'd b', 'a d', 'e e'].map((pair) => {
    const [file, imported] = pair.split(' ') as [string, string]
    return { file, imported }
  })
  assert.deepEqual(findCircles(imports), ['b → c → d → b', 'e → e'])
  assert.deepEqual(findCircles(imports.slice(0, 3)), [])
})

test('shared rooms import no app, and no app imports another', () => {
  assert.ok(!climbs('web/console/dispatch/top-bar.tsx', 'web/ui/button.tsx'))
  assert.ok(climbs('web/ui/button.tsx', 'web/tasks/day.ts'))
  assert.ok(climbs('web/tasks/day.ts', 'web/console/day/filters.ts'))
  assert.ok(climbs('web/console/day/filters.ts', 'web/console/dispatch/top-bar.tsx'))
  assert.ok(climbs('web/driver/route/stops.ts', 'web/console/day/filters.ts'))
  assert.ok(climbs('web/console/day/filters.ts', 'web/tracking/main.tsx'))
  assert.ok(climbs('web/live/live.ts', 'server/context.ts'))
})

/** A phone's browser may lack Temporal, and the list of all phone numbers is too large for a page. */
test('the pages load only modules made for browsers', async () => {
  const imports = await findImports()
  const reached = new Set<string>()
  const follow = (file: string) => {
    if (reached.has(file)) return
    reached.add(file)
    for (const { imported } of imports.filter((one) => one.file === file)) follow(imported)
  }
  for (const { file } of imports.filter((one) => one.file.startsWith('web/'))) follow(file)

  for (const file of reached) {
    const text = await readFile(join(root, file), 'utf8').catch(() => '')
    assert.doesNotMatch(text, /libphonenumber|\bTemporal\./, file)
  }
})

test('every room is listed', async () => {
  const files = new Set((await findImports()).map(({ file }) => roomOf(file)))
  assert.deepEqual(
    [...files].filter((room) => !(room in rooms)),
    [],
  )
})

test('ARCHITECTURE.md names every room', async () => {
  const text = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8')
  const unnamed: string[] = []
  for await (const file of glob('{core,contract,server,server/http,cli,web,web/console,web/driver}/*/', { cwd: root }))
    if (!text.includes(` ${basename(file)}/`) && !/^dist(\.|$)/.test(basename(file))) unnamed.push(file)
  assert.deepEqual(unnamed, [])
})

/*
 * The shelves inside rooms, from the bottom up: a shelf may import those before it, and shelves on one line do not
 * import each other.
 */
const shelves: Record<string, string[]> = {
  'server/http': ['limits node-http', 'errors', 'connections requests', 'pages', 'answers site', 'route'],
  'server/tasks': [
    'tables refusals time-window time-span',
    'money parts',
    'queries customers arrival learned cash',
    'address present promises search',
    'noted-messages',
    'read',
    'kept-plans',
    'list create change retention reports partner-balance outcomes',
    'delegate undo tries',
    'routes',
  ],
  'server/planning': ['speeds', 'queries', 'problem', 'warnings', 'route', 'fleet arrivals', 'routes'],
  'server/field': [
    'devices files osmand present queries',
    'sync',
    'automatic-start calls locations profile sign-in',
    'routes',
  ],
  'server/messages': ['queries', 'next-stop present sending texts', 'actions', 'routes'],
  'server/webhooks': ['queries sign', 'sending', 'verify present', 'actions', 'routes'],
}

test('inside a room, imports between shelves point one way', async () => {
  const imports = await findImports()
  for (const [room, lines] of Object.entries(shelves)) {
    const floors = new Map(lines.flatMap((line, floor) => line.split(' ').map((shelf) => [shelf, floor])))
    const shelfOf = (file: string) => file.slice(room.length + 1).split(/[/.]/)[0] as string
    const floorOf = (file: string) => floors.get(shelfOf(file)) ?? assert.fail(`${file} stands on no shelf of ${room}`)
    const climbing = imports
      .filter(({ file, imported }) => file.startsWith(`${room}/`) && imported.startsWith(`${room}/`))
      .filter(({ file, imported }) => shelfOf(file) !== shelfOf(imported) && floorOf(imported) >= floorOf(file))
    assert.deepEqual(
      climbing.map(({ file, imported }) => `${file} imports ${imported}`),
      [],
    )
  }
})

test('a literal is not spread into another one', async () => {
  const spread = /\.\.\.(\{|\[[^\]\n]*\],?$|\(\[.* as const\),?$)/m
  const found: string[] = []
  for await (const file of glob('{bench,bin,cli,contract,core,phone,sdk,server,web}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['web/dist/**', 'bench/peers/node_modules/**'],
  }))
    if (spread.test(await readFile(join(root, file), 'utf8'))) found.push(file)
  assert.deepEqual(found, [])
})
