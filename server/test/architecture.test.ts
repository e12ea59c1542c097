import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join, normalize } from 'node:path'
import { test } from 'node:test'

/*
 * Imports point one way. Each room lists the rooms it may look into beside itself; what is not listed is not allowed.
 * ARCHITECTURE.md draws the same picture.
 */
const frame = [
  'core',
  'contract',
  'server/config',
  'server/log',
  'server/metrics',
  'server/context',
  'server/db',
  'server/outside',
  'server/threads',
]
const http = [...frame, 'server/http', 'server/events']
const domains = [
  'organisations',
  'people',
  'tasks',
  'drivers',
  'teams',
  'field',
  'planning',
  'geocoding',
  'webhooks',
].map((name) => `server/${name}`)
const rooms: Record<string, string[]> = {
  core: [],
  contract: ['core'],
  sdk: ['contract', 'core'],
  'server/config': ['core'],
  'server/log': [],
  'server/metrics': [],
  'server/db': [],
  'server/outside': ['core'],
  'server/backup': ['server/db'],
  'server/threads': ['core', 'contract', 'server/log'],
  'server/context': frame,
  'server/events': [...frame, 'server/http'],
  'server/http': frame,
  'server/organisations': http,
  'server/people': [...http, 'server/organisations'],
  'server/tasks': [...http, 'server/organisations'],
  'server/drivers': [...http, 'server/organisations', 'server/tasks'],
  'server/teams': [...http, 'server/organisations', 'server/tasks', 'server/drivers'],
  'server/field': [...http, 'server/organisations', 'server/tasks', 'server/drivers', 'server/teams'],
  'server/planning': [
    ...http,
    'server/organisations',
    'server/tasks',
    'server/drivers',
    'server/teams',
    'server/geocoding',
  ],
  'server/geocoding': [...http, 'server/organisations', 'server/tasks'],
  'server/webhooks': [...http, 'server/organisations'],
  'server/app': [...http, ...domains],
  'server/workers': [
    ...['server/context', 'server/http', 'server/tasks', 'server/planning', 'server/geocoding', 'server/webhooks'],
  ],
  'server/main': [...frame, 'server/people', 'server/app', 'server/workers'],
  web: ['sdk', 'contract', 'core'],
  cli: [
    ...['sdk', 'contract', 'core', 'server/config', 'server/log'],
    ...['server/db', 'server/backup', 'server/organisations', 'server/people', 'server/main'],
  ],
}

const root = join(import.meta.dirname, '../..')
const source = 'import|export'

/** `server/tasks/queries.ts` stands in `server/tasks`, `server/app.ts` in `server/app`. */
const roomOf = (file: string) =>
  file
    .replace(/\.tsx?$/, '')
    .split('/')
    .slice(0, file.startsWith('server/') ? 2 : 1)
    .join('/')

async function findImports(): Promise<{ file: string; imported: string }[]> {
  const found = []
  for await (const file of glob('{core,contract,sdk,server,cli,web}/**/*.{ts,tsx}', { cwd: root })) {
    if (file.endsWith('.test.ts') || /^(server|web)\/test\//.test(file)) continue
    const text = await readFile(join(root, file), 'utf8')
    const pattern = new RegExp(`^(?:${source})[^'"]*?from\\s+['"](\\.[^'"]+)['"]`, 'gm')
    for (const [, path] of text.matchAll(pattern))
      found.push({ file, imported: normalize(join(file, '..', path as string)) })
  }
  return found
}

test('imports point one way', async () => {
  const imports = await findImports()
  const climbing = imports.filter(({ file, imported }) => {
    const [from, to] = [roomOf(file), roomOf(imported)]
    return from !== to && !rooms[from]?.includes(to)
  })

  assert.ok(imports.length > 50, 'the imports are really being read')
  assert.deepEqual(
    climbing.map(({ file, imported }) => `${file} imports ${imported}`),
    [],
  )
})

/** A phone's browser may lack Temporal, and a list of all the numbers of the world is not for a page. */
test('what the pages load is made for browsers', async () => {
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

test('every room has a place in the order', async () => {
  const files = new Set((await findImports()).map(({ file }) => roomOf(file)))
  assert.deepEqual(
    [...files].filter((room) => !(room in rooms)),
    [],
  )
})
