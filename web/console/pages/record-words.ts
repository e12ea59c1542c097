import type { AppTexts } from '../../../core/words/apps.ts'
import type { Say as SayOf } from '../../../core/words/say.ts'
import type { Word as WordOfConsole } from '../../words/console.ts'
import { useLaterSay } from '../../words/later.ts'

export type Word = WordOfConsole | keyof AppTexts['records']
export type Say = SayOf<Word>

/** How the pages whose texts are loaded with them say something: with what the console says, and with texts of their own. */
export const useSay = (): Say => useLaterSay('records')
