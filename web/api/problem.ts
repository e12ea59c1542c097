import { type Say, type Word, words } from '../words/words.ts'
import { WaybillError } from './client.ts'

/** One sentence for a person about what went wrong: in their language where we have it, else in the server's words. */
export function problemText(error: unknown, say: Say): string {
  if (error instanceof WaybillError) return error.code in words ? say(error.code as Word) : error.message
  return error instanceof Error ? error.message : say('wentWrong')
}

/** The same for one item of a bulk answer. */
export const itemProblem = (error: { code: string; message: string } | undefined, say: Say) =>
  error && error.code in words ? say(error.code as Word) : (error?.message ?? say('wentWrong'))
