import assert from 'node:assert/strict'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { auditKinds } from '../../contract/audit.ts'
import { type ErrorCode, errors } from '../../contract/errors.ts'
import { causeNames, causes } from '../message-rules/causes.ts'
import { type Setting, type SettingName, settings } from '../settings.ts'
import { loadTexts } from './apps.ts'
import { cashWords } from './en/cash.ts'
import { consoleWords } from './en/console.ts'
import { dayWords } from './en/days.ts'
import { driverWords } from './en/driver.ts'
import { errorWords } from './en/errors.ts'
import { firstStepWords } from './en/first-steps.ts'
import { importWords } from './en/import.ts'
import { partnerWords } from './en/partners.ts'
import { recordWords } from './en/records.ts'
import type { sharedWords } from './en/shared.ts'
import { chooseLanguage, isLanguage, languageCodes } from './languages.ts'
import { type Message, makeSay, type Say, type Texts } from './say.ts'
import { serverTexts } from './server.ts'

/** Everything that is said with `say`, by the part of the program that says it. */
async function readParts(language: (typeof languageCodes)[number]): Promise<[part: string, texts: Texts][]> {
  const { pages, tracking, proof, messages } = serverTexts[language]
  return [
    ['console', await loadTexts('console', language)],
    ['import', await loadTexts('import', language)],
    ['records', await loadTexts('records', language)],
    ['cash', await loadTexts('cash', language)],
    ['partners', await loadTexts('partners', language)],
    ['days', await loadTexts('days', language)],
    ['firstSteps', await loadTexts('firstSteps', language)],
    ['driver', await loadTexts('driver', language)],
    ...Object.entries({ pages, tracking, proof, messages }),
  ]
}
const parts = await Promise.all(languageCodes.map(async (language) => ({ language, parts: await readParts(language) })))
const all = parts.flatMap(({ language, parts }) =>
  parts.flatMap(([part, texts]) =>
    Object.entries(texts).map(([word, message]) => ({ language, message, name: `${language} ${part} ${word}` })),
  ),
)
const forms = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message))
const placesIn = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).filter((name) => name !== 'message')

test('a key is used for one message only, even across files, and keys differ by more than letter case', async () => {
  for (const [app, files, catalogue] of [
    // Its pages say all of them.
    [
      'console',
      ['{console,records,days}/*.ts', 'cash.ts', 'first-steps.ts', 'import.ts', 'partners.ts'],
      {
        ...consoleWords,
        ...cashWords,
        ...importWords,
        ...recordWords,
        ...dayWords,
        ...firstStepWords,
        ...partnerWords,
      },
    ],
    ['driver', ['driver/*.ts'], driverWords],
  ] as const) {
    const seen = new Map<string, string>()
    for await (const file of glob([...files, 'shared.ts', 'errors.ts'], {
      cwd: join(import.meta.dirname, 'en'),
    })) {
      const exported = Object.values<Texts>(await import(join(import.meta.dirname, 'en', file)))
      for (const word of exported.flatMap((part) => Object.keys(part))) {
        const key = word.toLowerCase()
        assert.equal(seen.get(key), undefined, `"${word}" of ${file} is also in ${seen.get(key)}`)
        seen.set(key, file)
      }
    }
    assert.equal(seen.size, Object.keys(catalogue).length, `every file is part of the catalogue of the ${app}`)
  }
  for (const [part, texts] of parts[0]?.parts ?? [])
    assert.equal(new Set(Object.keys(texts).map((key) => key.toLowerCase())).size, Object.keys(texts).length, part)
})

test('every language has the same files', async () => {
  const filesOf = async (language: string) =>
    (await Array.fromAsync(glob('**/*.ts', { cwd: join(import.meta.dirname, language) }))).sort()
  for (const language of languageCodes) assert.deepEqual(await filesOf(language), await filesOf('en'), language)
})

/** Romanian would have to decline the name. */
const withoutName = ['privacy', 'pickupPrivacy']

test('every language uses the same placeholders', () => {
  const [english, ...others] = parts
  for (const { language, parts } of others)
    for (const [at, [part, texts]] of parts.entries())
      for (const [word, message] of Object.entries(texts)) {
        const original = english?.parts[at]?.[1][word] as Message
        if (withoutName.includes(word)) continue
        const name = `${language} ${part} ${word}`
        assert.deepEqual(new Set(forms(message).flatMap(placesIn)), new Set(forms(original).flatMap(placesIn)), name)
      }
})

test('a message with a number has a form for each plural of its language', () => {
  for (const { language, message, name } of all) {
    if (typeof message === 'string') continue
    const plurals = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    assert.deepEqual(Object.keys(message).sort(), plurals.toSorted(), name)
  }
})

test('a message with a number follows the plural rules of its language', async () => {
  const english = makeSay('en', await loadTexts('console', 'en'))
  const romanian = makeSay('ro', { ...(await loadTexts('console', 'ro')), ...(await loadTexts('records', 'ro')) })
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

test('a text from outside is said if there is one', () => {
  const say = makeSay('en', { hello: 'Hello {name}' })
  assert.equal(say('hello', { name: 'Ana' }), 'Hello Ana')
  assert.equal(say('hello'), 'Hello ')
  assert.equal(say.known('hello', { name: '{name}' }), 'Hello {name}')
  assert.equal(say.known('toString'), undefined)
})

test('a text that an app does not load is a type error', async () => {
  const driver = makeSay('en', await loadTexts('driver', 'en'))
  const shared: Say<keyof typeof sharedWords | keyof typeof errorWords> = driver
  assert.equal(shared('retry'), driver('retry'))
  // @ts-expect-error: only the console imports tables
  assert.throws(() => driver('importTitle'))
  // @ts-expect-error: only the driver's app has it, so no shared room can say it
  assert.equal(shared('allSent'), driver('allSent'))
})

test('the first language that is wanted and that we have is chosen', () => {
  for (const [wanted, expected] of [
    [['ro'], 'ro'],
    [['RO-md'], 'ro'],
    [['hu-HU', 'ro', 'en'], 'ro'],
    [['roa', ''], 'en'],
    [['constructor'], 'en'],
    [[], 'en'],
  ] as const)
    assert.equal(chooseLanguage(wanted), expected, String(wanted))
})

const romanian = all.filter(({ language }) => language === 'ro')

test('from 20 on Romanian has "de" between a number and its noun, and nothing else changes', () => {
  for (const { message, name } of romanian) {
    if (typeof message === 'string' || message.few === message.other) continue
    assert.equal(message.other, message.few?.replace('{n} ', '{n} de '), name)
  }
})

test('Romanian is written with comma below and with its own quotes', () => {
  for (const { message, name } of romanian)
    for (const text of forms(message)) assert.doesNotMatch(text, /[şţŞŢ"“]/, name)
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
    seen.filter((code) => !(code in errorWords)),
    [],
  )
  assert.deepEqual(
    neverSeen.filter((code) => code in errorWords),
    [],
  )
})

test('a message is called the same in the log and in the settings', async () => {
  for (const language of languageCodes) {
    const [texts, names] = [await loadTexts('settings', language), await loadTexts('console', language)]
    for (const cause of causeNames)
      assert.equal(texts[causes[cause].setting].name, names[`cause_${cause}`], `${language} ${cause}`)
  }
})

test('what a setting does has the same numbers in every language, and no names of the API', async () => {
  const english = await loadTexts('settings', 'en')
  // Written out in one language and as a digit in another is the same number.
  const numbersIn = (text: string) => text.match(/\d+/g)?.sort() ?? []
  for (const language of languageCodes) {
    const texts = await loadTexts('settings', language)
    for (const name of Object.keys(settings) as SettingName[]) {
      const { effect, choices } = texts[name]
      assert.deepEqual(numbersIn(effect), numbersIn(english[name].effect), `${language} ${name}`)
      assert.doesNotMatch(effect, /`|[a-z]\.[a-z]|[a-z][A-Z]/, `${language} ${name}`)
      const { choices: values = [], suggests = [] } = settings[name] as Setting
      for (const value of [...values, ...suggests])
        assert.ok(isLanguage(value) || choices?.[value], `${language} ${name} ${value}`)
    }
  }
})

test('every kind of the audit log has its words', () => {
  assert.deepEqual(
    Object.keys(auditKinds).filter((kind) => !(kind in recordWords)),
    [],
  )
})
