import { WaybillError } from '../../sdk/calls.ts'
import { type Say, type Word, words } from '../words/words.ts'

interface Problem {
  code: string
  message: string
}

/** What can be wrong with a field, recognised by the sentence from `contract/schema`. */
const fieldRules: readonly [says: RegExp, word: Word][] = [
  [/ (is required|must not be empty)$/, 'fieldRequired'],
  [/ must be at most (\d+) characters long$/, 'fieldTooLong'],
  [/ must be at least ([\d.]+)$/, 'fieldTooSmall'],
  [/ must be at most ([\d.]+)$/, 'fieldTooLarge'],
  [/ must be a whole number$/, 'wholeNumberNeeded'],
  [/ must be an email address /, 'fieldNotEmail'],
]

/** One sentence about what went wrong, in the language of the page. `instead` has better words for a code. */
export function problemText(error: unknown, say: Say, instead: Record<string, Word> = {}): string {
  if (error instanceof WaybillError) return say(instead[error.code] ?? wordFor(error), valuesOf(error))
  return error instanceof Error ? error.message : say('wentWrong')
}

/** The same for one field, or for one item of a bulk response. */
export const itemProblem = (error: Problem | undefined, say: Say) =>
  error ? say(wordFor(error), valuesOf(error)) : say('wentWrong')

const ruleOf = ({ code, message }: Problem) =>
  code === 'VALIDATION_FAILED' ? fieldRules.find(([says]) => says.test(message)) : undefined

function wordFor(problem: Problem): Word {
  return ruleOf(problem)?.[1] ?? (problem.code in words ? (problem.code as Word) : 'wentWrong')
}

const valuesOf = (problem: Problem) => ({
  message: problem.message,
  n: Number(ruleOf(problem)?.[0].exec(problem.message)?.[1] ?? 0),
})
