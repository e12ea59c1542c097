import type { FastifyReply } from 'fastify'
import ipaddr from 'ipaddr.js'
import { Refusal } from '../../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { createBuckets, createMemory } from './buckets.ts'

/* How much one organisation, or one stranger, may ask: of all processes together, if they meet in a database. */

/** So many wrong keys or codes may come from one address at once, and so many more in every minute. */
const failuresAMinute = 20

export type Limits = ReturnType<typeof createLimits>

export function createLimits(requestsASecond: number, db?: Db) {
  const requests = createBuckets({ kind: 'requests', capacity: requestsASecond, perSecond: requestsASecond, db })
  const failures = createBuckets({ kind: 'failures', capacity: failuresAMinute, perSecond: failuresAMinute / 60, db })
  const known = createMemory<true>()

  return {
    /** Counts one request of the organisation, and tells in the headers what is left. */
    async countRequest(organisationId: number, reply: FastifyReply) {
      if (requestsASecond === 0) return
      const name = String(organisationId)
      await requests.settle(name)
      const isAllowed = requests.take(name)
      const left = Math.max(0, requests.level(name))
      const secondsToFull = Math.ceil((requestsASecond - left) / requestsASecond)
      reply.header('ratelimit-policy', `"organisation";q=${requestsASecond};w=1`)
      reply.header('ratelimit', `"organisation";r=${Math.floor(left)};t=${secondsToFull}`)
      if (!isAllowed) throw tooMany(requests.secondsToNext(name), 'This organisation sends more requests than it may')
    },

    /**
     * Lets somebody try a credential, unless too many wrong ones came from their address. One that was good before is
     * always tried: behind one address there may be a hundred callers, and one of them with an old key.
     */
    async signIn<Result>(address: string, credential: string | undefined, attempt: () => Promise<Result>) {
      const from = networkOf(address)
      const isKnown = credential !== undefined && known.get(credential) === true
      if (!isKnown) await failures.settle(from)
      if (!isKnown && failures.level(from) < 1)
        throw tooMany(failures.secondsToNext(from), 'Too many wrong keys or codes came from this address')
      try {
        const result = await attempt()
        if (credential !== undefined) known.set(credential, true)
        return result
      } catch (error) {
        if (error instanceof Refusal && error.status === 401) {
          failures.take(from)
          if (credential !== undefined) known.delete(credential)
        }
        throw error
      }
    },
  }
}

const tooMany = (seconds: number, message: string) =>
  new Refusal('RATE_LIMITED', { message, retryAfterSeconds: Math.max(1, Math.ceil(seconds)) })

/** Whoever has one IPv6 address has the 2^64 of its network. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64)
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}
