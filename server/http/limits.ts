import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import ipaddr from 'ipaddr.js'
import { Refusal } from '../../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { createBuckets, createMemory } from './buckets.ts'

/* How many requests one organisation or one unknown caller may make, across all processes that share a database. */

/** How many wrong keys or codes one address may send at once, and how many more per minute. */
const failuresAMinute = 20

/** How many wrong passwords may be tried on one account at once, and again every quarter of an hour. */
const guessesOfAnAccount = 10
const guessesOverSeconds = 15 * 60

export type Limits = ReturnType<typeof createLimits>

export function createLimits(requestsASecond: number, db?: Db) {
  const requests = createBuckets({ kind: 'requests', capacity: requestsASecond, perSecond: requestsASecond, db })
  const failures = createBuckets({ kind: 'failures', capacity: failuresAMinute, perSecond: failuresAMinute / 60, db })
  const known = createMemory<true>()

  async function requireTries(from: string) {
    await failures.settle(from)
    if (failures.level(from) < 1)
      throw tooMany(failures.secondsToNext(from), 'Too many wrong keys or codes from this address')
  }

  return {
    /** Counts one request of the organisation; the headers say what is left. */
    async countRequest(organisationId: number, reply: FastifyReply) {
      if (requestsASecond === 0) return
      const name = String(organisationId)
      const isAllowed = await requests.settleAndTake(name)
      const left = Math.max(0, requests.level(name))
      const secondsToFull = Math.ceil((requestsASecond - left) / requestsASecond)
      reply.header('ratelimit-policy', `"organisation";q=${requestsASecond};w=1`)
      reply.header('ratelimit', `"organisation";r=${Math.floor(left)};t=${secondsToFull}`)
      if (!isAllowed) throw tooMany(requests.secondsToNext(name), 'This organisation sends too many requests')
    },

    /**
     * Lets a caller try a credential, unless too many wrong ones came from their address. One that worked before is
     * always tried: there may be a hundred callers behind one address, one of them with an old key. It counts per kind
     * of operation: a key that works for operations with keys opens nothing that takes a driver's token.
     */
    async signIn<Result>(
      address: string,
      tried: { kind: string; credential: string } | undefined,
      attempt: () => Promise<Result>,
    ) {
      const credential = tried && `${tried.kind} ${tried.credential}`
      const isKnown = credential !== undefined && known.get(credential) === true
      if (!isKnown) await requireTries(networkOf(address))
      try {
        const result = await attempt()
        if (credential !== undefined) known.set(credential, true)
        return result
      } catch (error) {
        // A wrong token in a path is as much of a guess as a wrong one in a header.
        if (error instanceof Refusal && (error.status === 401 || error.status === 404)) {
          failures.take(networkOf(address))
          if (credential !== undefined) known.delete(credential)
        }
        throw error
      }
    },
  }
}

/**
 * Lets a caller try the password of an account, from any address, unless there were too many wrong ones. An attempt
 * counts as wrong until it is checked: a hundred at once get no more guesses than a hundred in a row.
 */
export function createAccountLimit(db?: Db) {
  const perSecond = guessesOfAnAccount / guessesOverSeconds
  const failures = createBuckets({ kind: 'accounts', capacity: guessesOfAnAccount, perSecond, db })
  const running = new Map<string, number>()

  return async <Result>(account: string, attempt: () => Promise<Result>): Promise<Result> => {
    // Who has an account here is private, so the name is not stored.
    const name = createHash('sha256').update(account.trim().toLowerCase()).digest('base64url')
    await failures.settle(name)
    const others = running.get(name) ?? 0
    if (failures.level(name) - others < 1)
      throw tooMany(failures.secondsToNext(name), 'Too many wrong passwords for this account')
    running.set(name, others + 1)
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof Refusal && (error.status === 401 || error.code === 'WRONG_PASSWORD')) failures.take(name)
      throw error
    } finally {
      const left = (running.get(name) as number) - 1
      if (left > 0) running.set(name, left)
      else running.delete(name)
    }
  }
}
export type AccountLimit = ReturnType<typeof createAccountLimit>

const tooMany = (seconds: number, message: string) =>
  new Refusal('RATE_LIMITED', { message, retryAfterSeconds: Math.max(1, Math.ceil(seconds)) })

/** A client with one IPv6 address has all 2^64 of its network. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64)
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}
