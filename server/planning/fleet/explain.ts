import {
  type AssignedTask,
  type Compromise,
  type DriverRefusal,
  type DriverRefusalCode,
  driverRefusals,
  type Offer,
  type UnassignedTask,
} from '../../../contract/planning.ts'
import type { Quote, Quotes } from '../../../core/quote.ts'
import type { FleetDriver } from './drivers.ts'
import { type Candidate, type Fleet, isOverdue } from './problem.ts'

/** What one task would mean for every driver, grouped by outcome. */
export interface Verdicts {
  /** By vehicle, all drivers who can take it on time. */
  offers: { vehicle: number; offer: Offer; quote: Quote }[]
  compromises: Compromise[]
  refused: DriverRefusal[]
}

const noRefusals = { capacity: 'CAPACITY', dependency: 'DEPENDENCY', 'not allowed': 'TEAM' } as const

export function judgeQuotes(fleet: Fleet, candidate: number, quotes: Quotes): Verdicts {
  const verdicts: Verdicts = { offers: [], compromises: [], refused: [] }
  const { task } = fleet.candidates[candidate] as Candidate
  for (const quote of quotes) {
    const { driver } = fleet.vehicles[quote.vehicle] as FleetDriver
    const name = { driverId: driver.id, driverName: driver.name }
    if ('refusal' in quote) {
      const reason = fleet.forbidden(candidate, quote.vehicle) ?? noRefusals[quote.refusal]
      verdicts.refused.push({ ...name, reason })
      continue
    }
    const reason = obstacleIn(quote, isOverdue(task, fleet.clock))
    const offer = { ...name, ...offerOf(quote, fleet) }
    if (!reason) verdicts.offers.push({ vehicle: quote.vehicle, offer, quote })
    else {
      verdicts.refused.push({ ...name, reason })
      verdicts.compromises.push({
        ...offer,
        reason,
        lateSeconds: quote.lateSeconds,
        othersLateSeconds: Math.max(0, quote.othersLateSeconds),
        overtimeSeconds: Math.max(0, quote.addedOvertimeSeconds),
        lunchLateSeconds: Math.max(0, quote.lunchLateSeconds),
      })
    }
  }
  verdicts.offers.sort((one, other) => one.offer.cost - other.offer.cost)
  verdicts.compromises.sort((one, other) => one.cost - other.cost)
  verdicts.refused.push(...fleet.refused.map(refusalOf))
  return verdicts
}

const refusalOf = ({ driver, refusal }: FleetDriver): DriverRefusal => ({
  driverId: driver.id,
  driverName: driver.name,
  reason: refusal as DriverRefusalCode,
})

/** The obstacle, if there is one. */
function obstacleIn(quote: Quote, isLateAnyway: boolean): DriverRefusalCode | undefined {
  if ((quote.lateSeconds > 0 && !isLateAnyway) || quote.othersLateSeconds > 0) return 'WINDOW'
  if (quote.addedOvertimeSeconds > 0) return 'SHIFT'
  return quote.lunchLateSeconds > 0 ? 'LUNCH' : undefined
}

const offerOf = (quote: Quote, { clock }: Fleet) => ({
  arrivalTime: new Date(clock.now.getTime() + quote.arrival * 1000).toISOString(),
  addedTravelSeconds: quote.addedTravelSeconds,
  cost: Math.round(quote.cost),
})

export function explainAssigned(fleet: Fleet, candidate: number, vehicle: number, quotes: Quotes): AssignedTask {
  const { offers, compromises, refused } = judgeQuotes(fleet, candidate, quotes)
  const { task } = fleet.candidates[candidate] as Candidate
  const { driver } = fleet.vehicles[vehicle] as FleetDriver
  const own = quotes[vehicle] as Quote
  const runnerUp = offers.find((other) => other.vehicle !== vehicle)?.offer ?? compromises.find(isOther(driver.id))
  return {
    taskId: task.id,
    awb: task.awb,
    driverId: driver.id,
    driverName: driver.name,
    ...offerOf(own, fleet),
    lateSeconds: isOverdue(task, fleet.clock) ? 0 : own.lateSeconds,
    ...(runnerUp && { runnerUp: onlyOffer(runnerUp) }),
    refused: refused.filter(isOther(driver.id)),
  }
}

const isOther =
  (driverId: number) =>
  (other: { driverId: number }): boolean =>
    other.driverId !== driverId

const onlyOffer = ({ driverId, driverName, arrivalTime, addedTravelSeconds, cost }: Offer): Offer => ({
  driverId,
  driverName,
  arrivalTime,
  addedTravelSeconds,
  cost,
})

export function explainUnassigned(fleet: Fleet, candidate: number, quotes: Quotes): UnassignedTask {
  const { compromises, refused } = judgeQuotes(fleet, candidate, quotes)
  const { task } = fleet.candidates[candidate] as Candidate
  const [best] = compromises
  const reason = best?.reason ?? refused[0]?.reason
  return {
    taskId: task.id,
    awb: task.awb,
    ...(reason
      ? { reason, message: driverRefusals[reason] }
      : { reason: 'NO_DRIVER', message: 'No driver can take it' }),
    refused,
    ...(best && { ifSomethingGave: best }),
  }
}
