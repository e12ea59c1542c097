import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ProofName, proofs } from './proofs.ts'

const root = join(import.meta.dirname, '../..')

for (const [name, { files, amounts, ...given }] of Object.entries(proofs))
  test(`the tests of "${name}" that run by night exist, and ask how much they have to prove`, async () => {
    const patterns = files.map((file) => (file.endsWith('.ts') ? file : `${file}/*.ts`))
    const texts = await Array.fromAsync(glob(patterns, { cwd: root }), (file) => readFile(join(root, file), 'utf8'))
    assert.ok(texts.length >= files.length)
    const text = texts.join('\n')
    // A pattern that matches nothing would be a part that always passes.
    const wanted = 'only' in given ? given.only.split('|') : []
    for (const words of wanted) assert.ok(new RegExp(`test\\(\\s*'[^']*${words}`).test(text), `a test about "${words}"`)
    assert.ok(text.includes(`amountsOf('${name satisfies string as ProofName}')`))
    for (const [what, { gate, night }] of Object.entries(amounts))
      assert.ok(what.startsWith('ms ') ? night < gate : night > gate, `more ${what} by night`)
  })
