import assert from 'node:assert/strict'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sayIn, type Words, words } from './words.ts'

type Message = Words[string][number]
const forms = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message))
const placesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

test('no two parts of the pages use one word for two messages', async () => {
  const seen = new Map<string, string>()
  for await (const file of glob('*.ts', { cwd: import.meta.dirname })) {
    if (['words.ts', 'words.test.ts', 'settings.ts'].includes(file)) continue
    const exported = Object.values<Words>(await import(join(import.meta.dirname, file)))
    for (const word of exported.flatMap((part) => Object.keys(part))) {
      assert.equal(seen.get(word), undefined, `"${word}" of ${file} is also in ${seen.get(word)}`)
      seen.set(word, file)
    }
  }
  assert.equal(seen.size, Object.keys(words).length, 'every file is part of the catalogue')
})

test('both languages say the same values', () => {
  for (const [word, [english, romanian]] of Object.entries<Words[string]>(words))
    assert.deepEqual(new Set(forms(romanian).flatMap(placesIn)), new Set(forms(english).flatMap(placesIn)), word)
})

test('a message that counts follows the rules of its language', () => {
  assert.equal(sayIn('en')('tasks', { n: 1 }), '1 task')
  assert.equal(sayIn('ro')('tasks', { n: 3 }), '3 taskuri')
  assert.equal(sayIn('ro')('tasks', { n: 21 }), '21 de taskuri')
})
