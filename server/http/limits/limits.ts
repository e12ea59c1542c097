import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { Refusal } from '../../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { type Buckets, createBuckets, createMemory } from './buckets.ts'
import { networkOf } from './networks.ts'

/*
 * How many requests one organisation may make, and how many wrong secrets one network may send, across all processes
 * that share a database. A secret made by us has 128 random bits or more: nobody guesses one, however often they try, so
 * whoever brings the right one gets in, whatever else comes from the same address (docs/decisions/0041).
 */

/** How many different wrong secrets a network may send at once, and how many more per minute. The next are not told more. */
const wrongAtOnce = 300
const wrongAMinute = 60

/** A key that is shorter was chosen by a person, and could be guessed. Of those a network may try this many. */
const shortestRandom = 40
const guessesAMinute = 20

export type Limits = ReturnType<typeof createLimits>

export function createLimits(requestsASecond: number, db?: Db) {
  const requests = createBuckets({ kind: 'requests', capacity: requestsASecond, perSecond: requestsASecond, db })
  const wrong = createBuckets({ kind: 'wrong', capacity: wrongAtOnce, perSecond: wrongAMinute / 60, db })
  const guesses = createBuckets({ kind: 'failures', capacity: guessesAMinute, perSecond: guessesAMinute / 60, db })
  /** Wrong secrets that were counted: an old link that is opened again and again is one. */
  const counted = createMemory<true>()
  const known = createMemory<true>()

  /** False if the network has sent too many. */
  async function countWrong(buckets: Buckets, network: string, secret: string) {
    const name = `${network} ${createHash('sha256').update(secret).digest('base64url')}`
    if (counted.get(name)) return true
    const isAllowed = await buckets.settleAndTake(network)
    if (isAllowed) counted.set(name, true)
    return isAllowed
  }

  async function refuseGuess(network: string) {
    await guesses.settle(network)
    if (guesses.level(network) < 1)
      throw tooMany(guesses.secondsToNext(network), 'Too many wrong keys from this address')
  }

  async function count<Result>(
    address: string,
    tellSecret: () => string,
    attempt: () => Promise<Result>,
    buckets = wrong,
  ) {
    try {
      return await attempt()
    } catch (error) {
      const network = networkOf(address)
      // A wrong token in a path is as much of a guess as a wrong one in a header.
      const isWrong = error instanceof Refusal && (error.status === 401 || error.status === 404)
      if (!isWrong || (await countWrong(buckets, network, tellSecret()))) throw error
      throw tooMany(buckets.secondsToNext(network), 'Too many wrong keys, links or codes from this address')
    }
  }

  return {
    /** Counts one request of the organisation; the headers say what is left. */
    async countRequest(organisationId: number, reply: FastifyReply) {
      if (requestsASecond === 0) return
      const name = String(organisationId)
      const isAllowed = await requests.settleAndTake(name)
      // Whoever is refused is told of nothing left, though a token may have come back since.
      const left = isAllowed ? Math.max(0, requests.level(name)) : 0
      const secondsToFull = Math.ceil((requestsASecond - left) / requestsASecond)
      reply.header('ratelimit-policy', `"organisation";q=${requestsASecond};w=1`)
      reply.header('ratelimit', `"organisation";r=${Math.floor(left)};t=${secondsToFull}`)
      if (!isAllowed) throw tooMany(requests.secondsToNext(name), 'This organisation sends too many requests')
    },

    /** Lets a caller try a secret made by us. The right one always works; different wrong ones are counted. */
    tryRandom: <Result>(address: string, tellSecret: () => string, attempt: () => Promise<Result>) =>
      count(address, tellSecret, attempt),

    /**
     * Lets a caller try a key, unless people chose it and too many wrong ones like it came from their address. One that
     * worked before is always tried: there may be a hundred callers behind one address, one of them with an old key.
     */
    async tryKey<Result>(address: string, key: string, attempt: () => Promise<Result>) {
      if (key.length >= shortestRandom) return count(address, () => key, attempt)
      if (!known.get(key)) await refuseGuess(networkOf(address))
      const result = await count(address, () => key, attempt, guesses)
      known.set(key, true)
      return result
    },
  }
}

export const tooMany = (seconds: number, message: string) =>
  new Refusal('RATE_LIMITED', { message, retryAfterSeconds: Math.max(1, Math.ceil(seconds)) })
