import type { Task } from '../../contract/task.ts'
import { type Client, WaybillError } from '../../sdk/client.ts'
import { chanceOf, happens, pick } from './chance.ts'
import { type Pace, patiently } from './pace.ts'
import * as words from './words.ts'

/** Some customers say how it was, on their tracking page. */
export async function rate(
  client: Client,
  { uuid, awb }: Task,
  isDelivered: boolean,
  pace: Pick<Pace, 'seed' | 'signal'>,
) {
  const random = chanceOf(pace.seed, `feedback ${awb}`)
  if (!happens(random, 0.4)) return
  const [rating, comment] = pick(random, isDelivered ? words.praise : words.blame)
  const body = { rating, ...(happens(random, 0.6) && { comment }) }
  await patiently(() => client.giveFeedback({ params: { uuid }, body }), pace).catch(giveUpIfRefused)
}

/** The task went another way, or the organisation wants no feedback. */
function giveUpIfRefused(error: unknown) {
  if (!(error instanceof WaybillError) || error.status >= 500) throw error
}
