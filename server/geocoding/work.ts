import type { Point } from '../../core/geo.ts'
import { contextOf, type Service, system } from '../context.ts'
import type { Db } from '../db/db.ts'
import { locate } from '../outside/geocoders/geocoder.ts'
import type { Geocoders } from '../outside/geocoders/geocoders.ts'
import { findLearned } from '../tasks/learned/places.ts'
import { type Placed, placeFoundCustomers, placeTasks } from './actions.ts'
import { type Failure, lookUp, mostAttempts, type Outcome, type Source, sourceOf } from './look-up.ts'
import {
  type Claimed,
  claimDue,
  forgetGeocodings,
  postponeDue,
  type Queue,
  type Result,
  settleClaimed,
  type Whose,
} from './queries.ts'

/*
 * Finds the coordinates of addresses in the background: pending lookups are in the database, so a restart loses
 * nothing. Two lanes, so that organisations with a key of their own do not wait for the others.
 */

const forgetEveryMs = 10 * 60_000
/** A slow geocoder does not keep a batch beyond its lease, nor what it has found from the tasks. */
const batchMs = 20_000
/** After this many failures in a row the geocoder is the problem, not the address. */
const manyFailures = 3
/** Before the next attempt, by how many there were. */
const retrySeconds = [10, 60, 300, 1_800]

/** A round of one lane: everything due, and sometimes deleting what is too old. */
export function createGeocoding(service: Service, whose: Whose) {
  let forgottenAt = performance.now()
  return async (stopping: AbortSignal) => {
    const work = createLane(service, service.geocoders, whose, stopping)
    while (!stopping.aborted && (await work()));
    if (performance.now() - forgottenAt <= forgetEveryMs) return
    forgottenAt = performance.now()
    await forgetGeocodings(service.database.everyone, 10_000)
  }
}

/** Where a driver has to go comes first; customers are looked up once no task waits. */
const queues = ['addresses', 'customers'] as const satisfies Queue[]

/** One batch of a lane; answers whether there may be more. */
function createLane(service: Service, geocoders: Geocoders, whose: Whose, stopping: AbortSignal) {
  const db = service.database.everyone
  const hasKey = whose === 'with key'
  const perSecond = hasKey ? geocoders.withKeyPerSecond : geocoders.usualPerSecond
  const isFast = !hasKey && geocoders.usual === geocoders.embedded
  const size = isFast ? 200 : Math.ceil(2 * perSecond)
  const leaseSeconds = 60 + (isFast ? 0 : Math.ceil((2 * size) / perSecond))

  return async () => {
    for (const queue of queues) if (await workOff(queue)) return true
    return false
  }

  async function workOff(queue: Queue) {
    const claimed = await claimDue(db, queue, whose, size, leaseSeconds)
    // What goes wrong with the key of one organisation is nothing to another.
    const groups = hasKey ? Map.groupBy(claimed, ({ organisation_id }) => organisation_id).values() : [claimed]
    for (const group of groups) {
      const { found, results, trouble } = await lookUpAll(group)
      if (trouble) {
        service.log.warn({ problem: trouble.problem }, 'The geocoder failed; waiting addresses are retried later')
        const organisationId = hasKey ? (group[0] as Claimed).organisation_id : null
        const waits = retrySeconds.map((_, attempts) => waitSeconds(attempts + 1, trouble.retryAfterSeconds))
        for (const each of queues) await postponeDue(db, each, whose, organisationId, waits, trouble.problem)
      }
      if (results.length > 0) await settleClaimed(db, queue, results)
      await place(service, queue, found)
    }
    return claimed.length === size
  }

  /** One after the other. As soon as it is clear that the geocoder does not work, the rest counts as tried. */
  async function lookUpAll(group: readonly Claimed[]) {
    const found: Placed[] = []
    const results: Result[] = []
    const deadline = performance.now() + batchMs
    let failures = 0
    let trouble: Failure | undefined
    const learned = await findAllLearned(db, group)
    for (const address of group) {
      const known = learned.get(address)
      if (known) {
        service.metrics.lookUps.inc({ outcome: 'found' })
        found.push({ claimed: address, located: locate(known, 'learned') })
        continue
      }
      if (trouble || stopping.aborted || performance.now() > deadline) {
        results.push(trouble ? resultOf(address, trouble) : releaseOf(address))
        continue
      }
      const outcome = await lookUp(db, sourceOf(geocoders, address.organisation) as Source, address, stopping)
      service.metrics.lookUps.inc({ outcome: outcome.kind })
      if (outcome.kind === 'found') found.push({ claimed: address, located: outcome.located })
      else results.push(stopping.aborted ? releaseOf(address) : resultOf(address, outcome))
      failures = outcome.kind === 'failed' ? failures + 1 : 0
      if (outcome.kind === 'failed' && (outcome.isBusy || failures >= Math.min(manyFailures, size))) trouble = outcome
    }
    return { found, results, trouble: stopping.aborted ? undefined : trouble }
  }
}

/** What organisations have learned of their addresses comes before what any geocoder says. */
async function findAllLearned(db: Db, group: readonly Claimed[]) {
  const learned = new Map<Claimed, Point>()
  for (const [organisationId, own] of Map.groupBy(group, ({ organisation_id }) => organisation_id)) {
    const points = await findLearned(db, organisationId, own)
    for (const [index, point] of points.entries()) if (point) learned.set(own[index] as Claimed, point)
  }
  return learned
}

const waitSeconds = (attempts: number, retryAfterSeconds = 0) =>
  Math.max(retrySeconds[Math.min(attempts, retrySeconds.length) - 1] as number, retryAfterSeconds)

/** Tried again later, or given up: what does not exist today will not exist tomorrow. */
function resultOf(claimed: Claimed, outcome: Exclude<Outcome, { kind: 'found' }>): Result {
  const attempts = claimed.geocode_attempts + 1
  if (outcome.kind === 'unknown') return { claimed, waitSeconds: null, attempts, problem: outcome.problem }
  // The last attempt only uses the embedded gazetteer, so it can be made immediately.
  const seconds = attempts >= mostAttempts ? 0 : waitSeconds(attempts, outcome.retryAfterSeconds)
  return { claimed, waitSeconds: seconds, attempts, problem: outcome.problem }
}

const releaseOf = (claimed: Claimed): Result => ({
  claimed,
  waitSeconds: 0,
  attempts: claimed.geocode_attempts,
  problem: claimed.geocode_problem,
})

/** The whole of what was found, an organisation at a time. */
async function place(service: Service, queue: Queue, found: Placed[]) {
  const placeAll = queue === 'addresses' ? placeTasks : placeFoundCustomers
  const byOrganisation = Map.groupBy(found, ({ claimed }) => claimed.organisation_id)
  for (const placed of byOrganisation.values()) {
    const { organisation } = (placed[0] as Placed).claimed
    await placeAll(contextOf(service, organisation.id, system), organisation, placed)
  }
}
