import { randomUUID } from 'node:crypto'
import type { LocationInput } from '../../contract/location.ts'
import { createMemoryStore } from '../../phone/memory.ts'
import { createNews } from '../../phone/news.ts'
import { openPhone } from '../../phone/phone.ts'
import type { Server } from '../../phone/ports.ts'
import { createTurns } from '../../phone/turns.ts'
import { type Client, WaybillError } from '../../sdk/client.ts'
import { type Pace, patiently } from './pace.ts'

/** What the network does while something is sent: carries it, breaks after the first request, or loses the first answer. */
const networks = { good: [], breaking: ['through', 'down'], losing: ['lost'] } as const
export type Network = keyof typeof networks

export type DemoPhone = Awaited<ReturnType<typeof openDemoPhone>>

/** More rounds than any of these networks needs. */
const mostRounds = 3

/** The phone of the app, kept in memory. It sends only when its driver reports, so that a morning takes some seconds. */
export async function openDemoPhone(
  connect: (token: string) => Client,
  given: { phone: string; code: string },
  pace: Pick<Pace, 'signal'>,
) {
  let isSending = false
  let requests: ('through' | 'down' | 'lost')[] = []
  /** What the server said last, unless that was an answer; the phone itself only tries again, when the server wants that. */
  let problem: unknown

  async function send<Result>(request: () => Promise<Result>): Promise<Result> {
    const outcome = isSending ? (requests.shift() ?? 'through') : 'down'
    const noNetwork = new WaybillError(0, { code: 'networkDown', message: 'There is no network' })
    if (outcome === 'down') throw noNetwork
    const answer = await request().catch((error) => {
      problem = error
      throw error
    })
    problem = undefined
    if (outcome === 'lost') throw noNetwork
    return answer
  }
  const serverOf = (client: Client): Server => ({
    ...client,
    syncDriver: (given) => send(() => client.syncDriver(given)),
    uploadFile: (given) => send(() => client.uploadFile(given)),
    reportDriverLocations: (given) => send(() => client.reportDriverLocations(given)),
  })

  const phone = openPhone({
    store: createMemoryStore(),
    connect: (token) => serverOf(connect(token ?? '')),
    clock: { nowMs: Date.now, later: () => () => {} },
    alone: createTurns(),
    news: createNews(),
    describe: () => ({ name: 'Demo' }),
    isOnMobileData: () => false,
    newId: randomUUID,
    forgetMap: async () => {},
    onBroken(error) {
      problem = error
    },
  })
  await patiently(() => phone.signIn(given), pace)
  const { driverId, token } = (await phone.screen.read()).session as { driverId: number; token: string }

  async function sendAll() {
    for (let round = 1; ; round += 1) {
      await phone.wake()
      const { ops, unsentFiles, isReachable } = await phone.screen.read()
      if (isReachable && ops.length + unsentFiles.length === 0) return
      if (problem || round === mostRounds) throw problem ?? new Error('A phone of the demo cannot send what it keeps')
    }
  }

  return {
    isOnline: true,
    keepDone: phone.keepDone,
    /** For what is not done with the app. */
    client: connect(token),

    /** The forms of the organisation, as it last said. */
    forms: async () => (await phone.screen.read()).day?.forms ?? [],

    keepPosition: (where: LocationInput) =>
      phone.keepPosition({ driverId, location: { ...where, occurredAt: new Date().toISOString() } }),

    async sendPositions() {
      isSending = true
      // What does not get through goes with the next.
      await phone.reportPositions().catch(() => false)
      isSending = false
    },

    /** Sends everything that waits. Answers the tasks as they are now, and whether everything was accepted. */
    async sync(network: Network = 'good') {
      isSending = true
      requests = [...networks[network]]
      await patiently(sendAll, pace).finally(() => {
        isSending = false
      })
      const { tasks, refused } = await phone.screen.read()
      const news = refused.filter(({ isRead }) => !isRead)
      await phone.dismissRefused(news)
      return { tasks, isAccepted: news.every(({ decision }) => decision) }
    },
  }
}
