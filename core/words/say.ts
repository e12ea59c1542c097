import { lazy } from '../lazy.ts'

/** A message with a number: the plural rules of the language choose the form. English has two, Romanian three. */
export type Counted = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>
export type Message = string | Counted
/** `docs/words.md` says which terms to use. */
export type Texts = Readonly<Record<string, Message>>
/** The same texts in another language: none may be missing, and none may be made up. */
export type Translation<English extends Texts> = Readonly<Record<keyof English, Message>>

type Values = Readonly<Record<string, string | number>>

/** Says a text by its name, which is one of those that are loaded. */
export interface Say<Word extends string> {
  (word: Word, values?: Values): string
  /** For names that come from outside: undefined if there is no such text. */
  known: (word: string, values?: Values) => string | undefined
}

/** Replaces each `{name}` for which there is a value. */
export const fill = (text: string, giveValue: (name: string) => string | undefined) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => giveValue(name) ?? whole)

/** How texts are said in a language: `{name}` is replaced by a value, and `n` chooses the plural form. */
export function makeSay<Word extends string>(language: string, texts: Readonly<Record<Word, Message>>): Say<Word> {
  const plural = lazy(() => new Intl.PluralRules(language))
  const number = lazy(() => new Intl.NumberFormat(language))
  const write = (value: string | number = '') => (typeof value === 'number' ? number().format(value) : value)
  const say = (word: Word, values: Values = {}) => {
    const message: Message = texts[word]
    const text =
      typeof message === 'string' ? message : (message[plural().select(Number(values['n'] ?? 0))] ?? message.other)
    return fill(text, (name) => write(values[name]))
  }
  const known = (word: string, values?: Values) => (Object.hasOwn(texts, word) ? say(word as Word, values) : undefined)
  return Object.assign(say, { known })
}
