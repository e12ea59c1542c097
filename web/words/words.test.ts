import assert from 'node:assert/strict'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ErrorCode, errors } from '../../contract/errors.ts'
import { accessWords } from './access.ts'
import { auditWords } from './audit.ts'
import { driverWords } from './driver.ts'
import { importWords } from './import.ts'
import { messageWords } from './messages.ts'
import { notificationWords } from './notification.ts'
import { phoneWords } from './phone.ts'
import { proofWords } from './proof.ts'
import { statisticsWords } from './statistics.ts'
import { addWords, sayIn, type Words, words } from './words.ts'

addWords(accessWords)
addWords(auditWords)
addWords(driverWords)
addWords(importWords)
addWords(notificationWords)
addWords(messageWords)
addWords(phoneWords)
addWords(proofWords)
addWords(statisticsWords)

type Message = Words[string][number]
const messages = Object.entries<Words[string]>(words)
const forms = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message))
const placesIn = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).filter((name) => name !== 'message')

test('a key is used for one message only, even across files', async () => {
  const seen = new Map<string, string>()
  for await (const file of glob('*.ts', { cwd: import.meta.dirname })) {
    if (['words.ts', 'words.test.ts', 'settings.ts', 'chosen.ts'].includes(file)) continue
    const exported = Object.values<Words>(await import(join(import.meta.dirname, file)))
    for (const word of exported.flatMap((part) => Object.keys(part))) {
      assert.equal(seen.get(word), undefined, `"${word}" of ${file} is also in ${seen.get(word)}`)
      seen.set(word, file)
    }
  }
  assert.equal(seen.size, Object.keys(words).length, 'every file is part of the catalogue')
})

test('both languages use the same placeholders', () => {
  for (const [word, [english, romanian]] of messages)
    assert.deepEqual(new Set(forms(romanian).flatMap(placesIn)), new Set(forms(english).flatMap(placesIn)), word)
})

test('a message with a number follows the plural rules of its language', () => {
  const [english, romanian] = [sayIn('en'), sayIn('ro')]
  const counted = [0, 1, 2, 19, 20, 101, 120, 1234].map((n) => romanian('tasks', { n }))
  assert.deepEqual(counted, [
    '0 comenzi',
    '1 comandă',
    '2 comenzi',
    '19 comenzi',
    '20 de comenzi',
    '101 comenzi',
    '120 de comenzi',
    '1.234 de comenzi',
  ])
  assert.deepEqual([english('tasks', { n: 1 }), english('tasks', { n: 0 })], ['1 task', '0 tasks'])
  assert.equal(romanian('rotateLead', { n: 24 }), 'Se creează o cheie nouă. Cea veche mai funcționează 24 de ore.')
})

test('from 20 on Romanian has "de" between a number and its noun, and nothing else changes', () => {
  for (const [word, [, romanian]] of messages) {
    if (typeof romanian === 'string' || romanian.few === romanian.other) continue
    assert.equal(romanian.other, romanian.few.replace('{n} ', '{n} de '), word)
  }
})

test('Romanian is written with comma below and with its own quotes', () => {
  for (const [word, [, romanian]] of messages)
    for (const text of forms(romanian)) assert.doesNotMatch(text, /[şţŞŢ"“]/, word)
})

/** Errors only a program can cause; a page shows them as "something went wrong". */
const neverSeen: readonly ErrorCode[] = [
  'INVALID_JSON',
  'BAD_REQUEST',
  'UNSUPPORTED_MEDIA_TYPE',
  'METHOD_NOT_ALLOWED',
  'KEY_EXPIRED',
  'IDEMPOTENCY_MISMATCH',
  'IDEMPOTENCY_IN_PROGRESS',
]

test('every refusal a person can get is shown in the language of the page', () => {
  const seen = Object.keys(errors).filter((code) => !neverSeen.includes(code as ErrorCode))
  assert.deepEqual(
    seen.filter((code) => !(code in words)),
    [],
  )
  assert.deepEqual(
    neverSeen.filter((code) => code in words),
    [],
  )
})
