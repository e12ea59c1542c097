import { type StdioOptions, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { access, constants, copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { worldPath } from '../contract/pages.ts'
import { readConfig } from '../server/config.ts'
import type { Verb } from './command.ts'
import { packFiles } from './pack.ts'

const checkout = resolve(import.meta.dirname, '..')
/** Records from which sources a folder of pages was built. */
const mark = 'built-from'

export const build: Verb = {
  does: 'Builds the console ahead of the first start',
  run: async () => {
    requireTools()
    const place = await placeToBuild(readConfig(process.env).dataFolder)
    return `Console built in ${await buildPages(place, fingerprint(), 'inherit')}`
  },
}

/**
 * The folder of the built console. Built now if it is missing or older than its sources. If that fails, one sentence
 * says so; the full output is for people who run the build themselves.
 */
export async function ensurePages(dataFolder: string, say: (sentence: string) => void): Promise<string> {
  const sources = fingerprint()
  const built = await findBuilt(dataFolder, sources)
  if (built) return built
  requireTools()
  say('Building the console (once after an install or upgrade)')
  return buildPages(await placeToBuild(dataFolder), sources, 'ignore').catch((cause) => {
    throw new Error('The console could not be built; "npm run build" shows why', { cause })
  })
}

const places = (dataFolder: string) => [join(checkout, 'web/dist'), join(dataFolder, 'console')]

/** A package without sources or build tools is used as it is. */
async function findBuilt(dataFolder: string, sources: string): Promise<string | undefined> {
  for (const folder of places(dataFolder)) {
    const from = await readFile(join(folder, mark), 'utf8').catch(() => undefined)
    if (from !== undefined && (from === sources || !canBuild())) return folder
  }
  return undefined
}

function canBuild() {
  try {
    return existsSync(createRequire(import.meta.url).resolve('vite/package.json'))
  } catch {
    return false
  }
}

function requireTools() {
  if (!canBuild())
    throw new Error(
      'The console is not built and its build tools are not installed: run "npm ci" with development packages',
    )
}

/** Next to the sources, or in the data folder if those are read-only. */
async function placeToBuild(dataFolder: string): Promise<string> {
  const [here, there] = places(dataFolder) as [string, string]
  return access(join(checkout, 'web'), constants.W_OK).then(
    () => here,
    () => there,
  )
}

const lockFile = 'package-lock.json'

const isSource = (path: string) =>
  /\.(ts|tsx|css|html|svg|png|json|webmanifest)$/.test(path) && !/^web.(dist|test)\b/.test(path)

/** What makes the world that every map shows. The packages it is made from are in the lock file. */
const worldPlaces = ['server/map/world']

/** Everything that can change the pages. */
const fingerprint = () => fingerprintOf(['web', 'phone', 'core', 'contract', 'sdk', ...worldPlaces])

/** Every start computes this: five hundred promises would take six times as long. */
function fingerprintOf(folders: readonly string[]): string {
  const places = folders.filter((folder) => existsSync(join(checkout, folder)))
  const files = places
    .flatMap((folder) =>
      readdirSync(join(checkout, folder), { recursive: true }).map((name) => join(folder, `${name}`)),
    )
    .filter(isSource)
  if (existsSync(join(checkout, lockFile))) files.push(lockFile)
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(checkout, file)))
  return hash.digest('hex')
}

/** Builds in another folder and swaps, so that a server starting in between finds either the old or the new pages. */
async function buildPages(folder: string, sources: string, stdio: StdioOptions): Promise<string> {
  const aside = `${folder}.${process.pid}`
  await mkdir(aside, { recursive: true })
  const leave = new AbortController()
  const world = makeWorld(folder, `${aside}.world`, stdio, leave.signal)
  // The build below may fail first; this one's failure is told after it.
  world.catch(() => {})
  try {
    await runVite(['build', 'web', '--outDir', aside, '--emptyOutDir', '--logLevel', 'error'], stdio)
    await packFiles(aside)
    await world
    for (const name of worldFiles) await rename(join(`${aside}.world`, name), join(aside, name))
    await writeFile(join(aside, mark), sources)
    await rm(folder, { recursive: true, force: true })
    await rename(aside, folder)
    return folder
  } finally {
    // Who still writes into a folder brings it back while it is removed.
    leave.abort()
    await world.catch(() => {})
    for (const one of [aside, `${aside}.world`]) await rm(one, { recursive: true, force: true })
  }
}

const worldFiles = [basename(worldPath), 'world-made-from']

/**
 * The world goes beside the pages. It takes as long as they do and changes with its packages alone, so that of the last build is
 * used again.
 */
async function makeWorld(old: string, target: string, stdio: StdioOptions, signal: AbortSignal) {
  const [file, mark] = worldFiles as [string, string]
  const sources = fingerprintOf(worldPlaces)
  await mkdir(target, { recursive: true })
  const isThere = (await readFile(join(old, mark), 'utf8').catch(() => undefined)) === sources
  if (isThere) await copyFile(join(old, file), join(target, file))
  else await run([join(checkout, 'server/map/world/main.ts'), join(target, file)], stdio, signal)
  await writeFile(join(target, mark), sources)
}

async function runVite(options: string[], stdio: StdioOptions) {
  const vite = join(checkout, 'node_modules/vite/bin/vite.js')
  await run([vite, ...options, '--configLoader', 'native'], stdio)
}

/** When the signal comes it is ended, and has ended. */
async function run(script: readonly string[], stdio: StdioOptions, signal?: AbortSignal) {
  signal?.throwIfAborted()
  const child = spawn(process.execPath, script, { cwd: checkout, stdio })
  const end = () => child.kill()
  signal?.addEventListener('abort', end)
  const [code] = await once(child, 'exit')
  signal?.removeEventListener('abort', end)
  if (code !== 0) throw new Error('The console could not be built')
}
