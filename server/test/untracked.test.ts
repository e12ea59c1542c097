import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

test('a file of tests that cannot be loaded, or throws beside its tests, fails the run', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-untracked-'))
  t.after(() => rm(folder, { recursive: true }))
  const files = { broken: `import './nothing.mjs'`, stray: `setTimeout(() => { throw new Error('stray') })`, fine: '' }
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, `${name}.mjs`)
    await writeFile(file, text)
    const loader = `--import=${join(import.meta.dirname, 'untracked.ts')}`
    const { status, stdout } = spawnSync(process.execPath, [loader, '--test', file], { env, encoding: 'utf8' })
    assert.equal(status, name === 'fine' ? 0 : 1, `${name}: ${stdout}`)
  }
})
