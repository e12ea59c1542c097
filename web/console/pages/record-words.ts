import { useMemo } from 'react'
import type { AppTexts } from '../../../core/words/apps.ts'
import { makeSay, type Say as SayOf } from '../../../core/words/say.ts'
import { useSpeech, type Word as WordOfConsole } from '../../words/console.ts'
import { usePageTexts } from './page-texts.ts'

export type Word = WordOfConsole | keyof AppTexts['records']
export type Say = SayOf<Word>

/** How the pages of the audit log and of privacy say something: with what the console says, and with texts of their own. */
export function useSay(): Say {
  const { language, say } = useSpeech()
  const texts = usePageTexts('records')
  return useMemo(() => {
    const own = makeSay(language, texts)
    const known: Say['known'] = (word, values) => own.known(word, values) ?? say.known(word, values)
    return Object.assign((word: Word, values?: Parameters<Say>[1]) => known(word, values) ?? word, { known })
  }, [language, say, texts])
}
