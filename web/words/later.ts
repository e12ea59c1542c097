import { use, useMemo } from 'react'
import { type AppTexts, loadTexts } from '../../core/words/apps.ts'
import type { Language } from '../../core/words/languages.ts'
import { makeSay, type Say, type Texts } from '../../core/words/say.ts'
import { useSpeech, type Word as WordOfConsole } from './console.ts'

const loading = new Map<string, Promise<unknown>>()

type Later = Exclude<keyof AppTexts, 'console' | 'driver'>

/**
 * Texts of few pages, loaded when one of them is first opened. If they do not come, that stays so until the page is loaded
 * again: React draws what failed once more, and with a new request each time that would never end.
 */
export function usePageTexts<Name extends Later>(name: Name): AppTexts[Name] {
  const { language } = useSpeech()
  return use(load(name, language))
}

function load<Name extends Later>(name: Name, language: Language): Promise<AppTexts[Name]> {
  const key = keyOf(name, language)
  const known = loading.get(key) as Promise<AppTexts[Name]> | undefined
  const texts = known ?? loadTexts(name, language)
  loading.set(key, texts)
  return texts
}

const keyOf = (name: Later, language: Language) => `${name} ${language}`

/** Loads them before anybody needs them. If that fails, whoever needs them tries again. */
export const loadEarly = (name: Later, language: Language) =>
  load(name, language).catch(() => loading.delete(keyOf(name, language)))

/** How a page says something that is opened later: with what the console says, and with texts of its own. */
export function useLaterSay<Name extends Exclude<Later, 'settings'>>(
  name: Name,
): Say<WordOfConsole | (keyof AppTexts[Name] & string)> {
  const { language, say } = useSpeech()
  const texts = usePageTexts(name)
  return useMemo(() => {
    type Both = Say<WordOfConsole | (keyof AppTexts[Name] & string)>
    const own = makeSay<string>(language, texts as Texts)
    const known: Both['known'] = (word, values) => own.known(word, values) ?? say.known(word, values)
    const speak = (word: string, values?: Parameters<Both>[1]) => known(word, values) ?? word
    return Object.assign(speak, { known }) as Both
  }, [language, say, texts])
}
