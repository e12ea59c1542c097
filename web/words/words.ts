import { createContext, useContext } from 'react'
import { lazy } from '../../core/lazy.ts'
import type { accessWords } from './access.ts'
import { adminWords } from './admin.ts'
import type { auditWords } from './audit.ts'
import { conflictWords } from './conflicts.ts'
import { dispatchWords } from './dispatch.ts'
import type { driverWords } from './driver.ts'
import { errorWords } from './errors.ts'
import { formWords } from './forms.ts'
import type { importWords } from './import.ts'
import { listWords } from './lists.ts'
import { mapWords } from './map.ts'
import type { messageWords } from './messages.ts'
import { paymentWords } from './payments.ts'
import type { phoneWords } from './phone.ts'
import { planningWords } from './planning.ts'
import type { proofWords } from './proof.ts'
import { reasonWords } from './reasons.ts'
import { sharedWords } from './shared.ts'
import type { statisticsWords } from './statistics.ts'
import { taskWords } from './tasks.ts'

/** A message with a number: the plural rules of the language choose the form. English has two, Romanian three. */
interface Counted {
  one: string
  other: string
}
interface CountedRo extends Counted {
  few: string
}
type Message = string | Counted | CountedRo
/** Every message in English and Romanian. `docs/words.md` says which terms to use. */
export type Words = Record<string, readonly [en: string | Counted, ro: string | CountedRo]>

export const languages = { en: 'English', ro: 'Română' } as const
export type Language = keyof typeof languages

/** The texts that every app loads. One file per part of the pages, each line in both languages. */
const loaded = {
  ...adminWords,
  ...conflictWords,
  ...dispatchWords,
  ...errorWords,
  ...formWords,
  ...listWords,
  ...mapWords,
  ...paymentWords,
  ...planningWords,
  ...reasonWords,
  ...sharedWords,
  ...taskWords,
} as const satisfies Words
export type Word =
  | keyof typeof loaded
  | keyof typeof accessWords
  | keyof typeof auditWords
  | keyof typeof driverWords
  | keyof typeof importWords
  | keyof typeof messageWords
  | keyof typeof phoneWords
  | keyof typeof proofWords
  | keyof typeof statisticsWords

/** All texts. Those that only one app or one large dialog needs are there once it has added them. */
export const words = loaded as Record<Word, Words[string]>
export const addWords = (more: Words) => void Object.assign(words, more)

type Values = Record<string, string | number>
export type Say = (word: Word, values?: Values) => string

/** A message in a language: `{name}` is replaced by a value, and `n` chooses the plural form. */
export function sayIn(language: Language): Say {
  const plural = lazy(() => new Intl.PluralRules(language))
  const number = lazy(() => new Intl.NumberFormat(language))
  return (word, values = {}) => {
    const message: Message = words[word][language === 'en' ? 0 : 1]
    const form = typeof message === 'string' ? message : pick(message, plural().select(Number(values['n'] ?? 0)))
    return form.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? ''
      return typeof value === 'number' ? number().format(value) : value
    })
  }
}

const pick = (message: Counted | CountedRo, form: Intl.LDMLPluralRule) =>
  form === 'one' ? message.one : form === 'few' && 'few' in message ? message.few : message.other

const stored = () => {
  try {
    return localStorage.getItem('waybill.language')
  } catch {
    return null
  }
}

/** The language chosen before in this browser, or the first of the browser's languages that we have. */
export function preferredLanguage(): Language {
  const wanted = [stored(), ...navigator.languages].map((one) => one?.slice(0, 2))
  return wanted.find((one): one is Language => one !== undefined && one in languages) ?? 'en'
}

export interface Speech {
  language: Language
  say: Say
  speak: (language: Language) => void
}
export const SpeechContext = createContext<Speech>({ language: 'en', say: sayIn('en'), speak: () => {} })

/** How a page says something: `const say = useSay()`, then `say('newTask')`. */
export const useSay = () => useContext(SpeechContext).say
export const useSpeech = () => useContext(SpeechContext)
