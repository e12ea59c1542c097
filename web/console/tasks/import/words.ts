import type { AppTexts } from '../../../../core/words/apps.ts'
import type { Say as SayOf } from '../../../../core/words/say.ts'
import type { Word as WordOfConsole } from '../../../words/console.ts'
import { useLaterSay } from '../../../words/later.ts'

export type Word = WordOfConsole | keyof AppTexts['import']
export type Say = SayOf<Word>

/** How the import says something: its texts travel when it is first opened. */
export const useSay = (): Say => useLaterSay('import')
