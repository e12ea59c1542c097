import type { FastifyReply } from 'fastify'
import ipaddr from 'ipaddr.js'
import { Refusal } from '../../contract/errors.ts'

/*
 * How much one organisation, or one stranger, may ask. The counts live in this process: with several processes each of
 * them allows the full rate. Whoever wants one count for all replaces `createBuckets`.
 */

/** So many wrong keys or codes may come from one address at once, and so many more in every minute. */
const failuresAMinute = 20

export type Limits = ReturnType<typeof createLimits>

export function createLimits(requestsASecond: number) {
  const requests = createBuckets(requestsASecond, requestsASecond)
  const failures = createBuckets(failuresAMinute, failuresAMinute / 60)
  const known = createMemory<true>(mostNames)

  return {
    /** Counts one request of the organisation, and tells in the headers what is left. */
    countRequest(organisationId: number, reply: FastifyReply) {
      if (requestsASecond === 0) return
      const name = String(organisationId)
      const isAllowed = requests.take(name)
      const left = requests.level(name)
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

/** Buckets that hold so many tokens and fill by so many a second; one that nobody took from is full. */
function createBuckets(capacity: number, perSecond: number) {
  const buckets = createMemory<{ tokens: number; at: number }>(mostNames)

  function level(name: string) {
    const bucket = buckets.get(name)
    if (!bucket) return capacity
    return Math.min(capacity, bucket.tokens + (now() - bucket.at) * perSecond)
  }

  return {
    level,
    secondsToNext: (name: string) => Math.max(0, 1 - level(name)) / perSecond,
    /** False if there is no whole token left. */
    take(name: string): boolean {
      const tokens = level(name)
      if (tokens < 1) return false
      buckets.set(name, { tokens: tokens - 1, at: now() })
      return true
    },
  }
}

const now = () => performance.now() / 1_000

const mostNames = 20_000

/**
 * Remembers what was set last and forgets the rest: at most so many names, at least half of them. In two halves,
 * because a Map whose first entries are deleted one by one gets slow (16 µs each at 10,000 names).
 */
export function createMemory<Value>(most: number) {
  let recent = new Map<string, Value>()
  let older = new Map<string, Value>()
  return {
    get: (name: string) => recent.get(name) ?? older.get(name),
    set(name: string, value: Value) {
      recent.set(name, value)
      if (recent.size < most / 2) return
      older = recent
      recent = new Map()
    },
    delete(name: string) {
      recent.delete(name)
      older.delete(name)
    },
  }
}

/** Whoever has one IPv6 address has the 2^64 of its network. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64)
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}
