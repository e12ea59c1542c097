import { parseRetryAfter } from '../../../core/retry.ts'
import { OutsideError } from '../fault.ts'
import type { Answer, Outside, OutsideRequest } from '../fetch.ts'
import type { Handed } from './channel.ts'

/** A proxy answers so if it does not know what the service behind it did. */
const answersOfProxies = [502, 504]

/**
 * Makes a request that sends a message, once. `judge` says what a good answer means, `explain` more about a bad one. A connection is used for one
 * message only: on one that is kept, it would be unknown whether a message was still read.
 */
export async function requestOnce(
  outside: Outside,
  request: OutsideRequest,
  judge: (answer: Answer) => Handed,
  explain: (answer: Answer) => { error?: string; isFinal?: true } = () => ({}),
): Promise<Handed> {
  try {
    const answer = await outside.send({ ...request, headers: { ...request.headers, connection: 'close' } })
    const { status, headers } = answer
    if (status >= 200 && status <= 299) return judge(answer)
    const error = `The provider answered ${status}`
    if (answersOfProxies.includes(status)) return { outcome: 'unknown', error }
    const retryAfterSeconds = parseRetryAfter(headers['retry-after'], Date.now())
    return { outcome: 'refused', error, retryAfterSeconds, ...explain(answer) }
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    return error.wasOnItsWay
      ? { outcome: 'unknown', error: 'The provider did not answer' }
      : { outcome: 'refused', error: 'The provider cannot be reached' }
  }
}
