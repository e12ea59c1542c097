import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { glob, mkdtemp, rm } from 'node:fs/promises'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensurePages } from '../../cli/console.ts'
import { foundBrowser, leavesOutBrowserTests, noticeFor } from '../../web/test/find-browser.ts'
import { startEmbedded } from '../db/embedded.ts'
import { makeBatches } from './batches.ts'
import { makeCluster, prepareFolder } from './cluster.ts'
import { makeTemplate } from './database.ts'
import { makeFolder } from './folder.ts'
import { roomyFlags } from './roomy.ts'

/*
 * Runs the tests against one PostgreSQL: the one DATABASE_URL names, or an embedded one made for the occasion.
 * Arguments are files or folders (default: everything); options that begin with -- go to node's test runner, but for
 * --update, which writes what is made from code (docs, schema.sql) instead of comparing it.
 */

const root = resolve(import.meta.dirname, '../..')
process.chdir(root)

async function findTests(places: string[]): Promise<string[]> {
  const patterns =
    places.length > 0
      ? places.map((place) => (place.endsWith('.ts') ? place : `${place}/**/*.test.ts`))
      : ['**/*.test.ts']
  const files: string[] = []
  for await (const file of glob(patterns, {
    exclude: (name) => /(^|\/)(node_modules|\.waybill|dist)$/.test(String(name)),
  }))
    files.push(file)
  return files.sort()
}

/** A database that forgets on a power cut is fine for tests, and much faster. */
const hasty = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Servers keep idle connections for half a minute, and the faster the machine, the more servers were in use within one: 400 were too few once.
  max_connections: '1000',
  // Copying the template writes all of it to the log: packing that takes ten times longer than copying.
  wal_compression: 'off',
  // Each round visits every database, and there are dozens that live for seconds.
  autovacuum_naptime: '10min',
  // Connections live for seconds too: planning each statement five times for its values does not pay.
  plan_cache_mode: 'force_generic_plan',
}

async function startDatabase() {
  const given = process.env['DATABASE_URL']
  if (given) return { adminUrl: given, url: given, stop: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'waybill-test-'))
  await prepareFolder(folder)
  return startEmbedded({ folder, log: () => {}, settings: hasty })
}

const options = process.argv.slice(2)
const files = await findTests(options.filter((option) => !option.startsWith('--')))
const flags = options.filter((option) => option.startsWith('--') && option !== '--update')
if (files.length === 0) throw new Error('There are no such tests')
const notice = leavesOutBrowserTests ? noticeFor(files, foundBrowser) : undefined
if (notice) process.stdout.write(`${notice}\n\n`)

// A hundred processes load the same source: compiled once, each saves a second of processor time.
const compiled = resolve('node_modules/.cache/waybill')
const isFirstRun = !existsSync(compiled)
enableCompileCache(compiled)

const lasting = tmpdir()
const building = ensurePages(join(lasting, 'waybill-test-pages'), () => {})
// A failure is told when the pages are needed; until then the database is prepared.
building.catch(() => {})

await using cleanUp = new AsyncDisposableStack()
const temporary = await makeFolder()
cleanUp.defer(() => rm(temporary, { recursive: true, force: true }))
process.env['TMPDIR'] = temporary
await makeCluster()
const database = await startDatabase()
cleanUp.defer(database.stop)
const template = await makeTemplate(database)
cleanUp.defer(template.drop)
const pages = await building
// The first tests kill servers, which would leave nothing compiled behind.
if (isFirstRun) await import('../main.ts').then(() => flushCompileCache())

const folder = await mkdtemp(join(tmpdir(), 'waybill-batches-'))
const batches = await makeBatches(files, folder)

// Two more than there are cores: many tests wait for a program to start or a clock to pass.
const tests = spawn(
  process.execPath,
  [
    `--import=${resolve('server/test/deadline.ts')}`,
    `--import=${resolve('server/test/untracked.ts')}`,
    ...roomyFlags,
    '--test',
    `--test-concurrency=${availableParallelism() + 2}`,
    // Ends what hangs, so no test has a limit of its own: beside other runs, each was too short once. The walk along the two walls has taken five minutes on cores shared with two other runs.
    '--test-timeout=600000',
    ...flags,
    ...batches,
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...template.environment,
      DATABASE_URL: '',
      NODE_COMPILE_CACHE: compiled,
      WAYBILL_TEST_PAGES: pages,
      WAYBILL_TEST_RUN: String(process.pid),
      // For the unpacked browser, which the next run uses again.
      WAYBILL_TEST_LASTING: lasting,
      // For servers in processes of their own; the events of a test are its own doing.
      WAYBILL_GEOCODER: 'off',
      WAYBILL_DATA: join(folder, 'data'),
      WAYBILL_UPDATE: options.includes('--update') ? '1' : '',
    },
  },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))
process.exitCode = await new Promise<number>((done) => tests.on('exit', (code) => done(code ?? 1)))
if (notice) process.stdout.write(`\n${notice}\n`)
