import { type Say, type Word, words } from '../words/words.ts'
import { WaybillError } from './client.ts'

interface Problem {
  code: string
  message: string
}

/** One sentence about what went wrong, in the language of the page. `instead` names better words for a code, here. */
export function problemText(error: unknown, say: Say, instead: Record<string, Word> = {}): string {
  if (error instanceof WaybillError)
    return instead[error.code] ? say(instead[error.code] as Word) : sentenceFor(error, say)
  return error instanceof Error ? error.message : say('wentWrong')
}

/** The same for one item of a bulk answer. */
export const itemProblem = (error: Problem | undefined, say: Say) =>
  error ? sentenceFor(error, say) : say('wentWrong')

const sentenceFor = ({ code, message }: Problem, say: Say) =>
  code in words ? say(code as Word, { message }) : say('wentWrong')
