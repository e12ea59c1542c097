import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isUpdating } from './documents.ts'

const lockFile = join(import.meta.dirname, '../../package-lock.json')

interface Lock {
  packages: Record<string, { engines?: unknown }>
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
