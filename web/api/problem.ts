import type { FieldRule } from '../../contract/errors.ts'
import type { Say as SayOf } from '../../core/words/say.ts'
import { WaybillError } from '../../sdk/calls.ts'
import type { Say, Word } from '../words/shared.ts'

interface Problem {
  code: string
  message: string
  rule?: string | undefined
  limit?: number | undefined
}

/** What can be wrong with a field, in better words than the server's. */
const fieldWords: Partial<Record<FieldRule, Word>> = {
  required: 'fieldRequired',
  minLength: 'fieldRequired',
  maxLength: 'fieldTooLong',
  minimum: 'fieldTooSmall',
  maximum: 'fieldTooLarge',
  wholeNumber: 'wholeNumberNeeded',
  decimals: 'tooManyDecimals',
  email: 'fieldNotEmail',
}

/** Whether a part of the program could not be loaded: its script, or its style sheet. */
export const isNotLoaded = (error: unknown) =>
  (error instanceof TypeError && /import|module/i.test(error.message)) ||
  (error instanceof Error && error.message.startsWith('Unable to preload'))

/** Whether it may succeed later: the server was not reached, or could not answer. */
export const isPassing = (error: unknown) =>
  isNotLoaded(error) || (error instanceof WaybillError && (error.status === 0 || error.status >= 500))

/** One sentence about what went wrong, in the language of the page. `instead` has better words for a code. */
export function problemText<Own extends string = never>(
  error: unknown,
  say: SayOf<Own | Word>,
  instead: Record<string, Own | Word> = {},
): string {
  // What a browser says is in its own words.
  if (!(error instanceof WaybillError)) return say(isNotLoaded(error) ? 'networkDown' : 'wentWrong')
  const better = instead[error.code]
  return better ? say(better, { message: error.message }) : itemProblem(error, say)
}

/** The same for one field, or for one item of a bulk response. */
export function itemProblem(error: Problem | undefined, say: Say): string {
  if (!error) return say('wentWrong')
  const { code, message, rule, limit = 0 } = error
  const known = code === 'VALIDATION_FAILED' ? fieldWords[rule as FieldRule] : undefined
  const word = rule === 'decimals' && limit === 0 ? 'decimalsOff' : known
  return word ? say(word, { n: limit }) : (say.known(code, { message }) ?? say('wentWrong'))
}
