import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isUpdating } from './documents.ts'

const root = join(import.meta.dirname, '../..')
const lockFile = join(root, 'package-lock.json')

interface Lock {
  packages: Record<
    string,
    { engines?: unknown; integrity?: string; inBundle?: boolean; license?: string; dev?: boolean }
  >
}

/**
 * npm leaves out an optional package whose `engines` do not suit the Node that npm itself runs on, and what builds the
 * console consists of such packages. They are used by our own Node, so what the outer one is must not matter: Debian 12
 * and Ubuntu 24.04 come with Node 18. `npm ci` goes by the lock file alone, so it is enough that the lock file is silent.
 */
test('npm installs the same packages whichever Node it runs on', async () => {
  const text = await readFile(lockFile, 'utf8')
  const lock: Lock = JSON.parse(text)
  for (const [path, entry] of Object.entries(lock.packages)) if (path !== '') delete entry.engines
  const silent = `${JSON.stringify(lock, null, 2)}\n`
  if (isUpdating && silent !== text) await writeFile(lockFile, silent)
  else assert.ok(text === silent, 'package-lock.json names engines of packages: run npm run update')
})

test('every package has a digest in the lock file, its own or that of the package it came in', async () => {
  const { packages }: Lock = JSON.parse(await readFile(lockFile, 'utf8'))
  const carrierOf = (path: string) => packages[path.slice(0, path.lastIndexOf('/node_modules/'))]
  const isProven = (path: string): boolean => {
    const { integrity, inBundle } = packages[path] ?? {}
    return integrity?.startsWith('sha512-') ?? (inBundle === true && carrierOf(path)?.integrity !== undefined)
  }
  const unproven = Object.keys(packages).filter((path) => path !== '' && !isProven(path))
  assert.deepEqual(unproven, [])
})

test('the decision about dependencies explains every package, and no removed one', async () => {
  const file = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const decision = await readFile(join(root, 'docs/decisions/0004-dependencies.md'), 'utf8')
  const used = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides'].flatMap((kind) =>
    Object.keys(file[kind] ?? {}),
  )
  const cells = Array.from(decision.matchAll(/^\| (`[^|]+) \|/gm), ([, cell]) => cell as string)
  const explained = cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name as string))
  assert.deepEqual(explained.toSorted(), used.toSorted())
})
