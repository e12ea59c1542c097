import { type ErrorDetail, Refusal } from '../../../contract/errors.ts'
import type { Estimate, EstimateInput } from '../../../contract/planning.ts'
import { refusalOf } from '../../../contract/read/refusal.ts'
import { isToCheck } from '../../../core/certainty.ts'
import type { Context } from '../../context.ts'
import { lookUpNow } from '../../geocoding/look-up.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { type Address, draftAddress } from '../../tasks/address.ts'
import { readWindow, requireOrderedWindow } from '../../tasks/time-window.ts'
import { clockFor } from '../problem/clock.ts'
import { limitsFor } from '../problem/search-limits.ts'
import type { Plannable } from '../problem/stops.ts'
import { warn } from '../warnings.ts'
import { requireTeam } from './candidates.ts'
import { findFleet, readRules } from './drivers.ts'
import { judgeQuotes } from './explain.ts'
import { layOutFleet } from './problem.ts'

/** Who could take a task that does not exist yet, and when, if the routes stay as they are. Nothing is written. */
export async function estimateTask(
  context: Context,
  organisation: Organisation,
  input: EstimateInput,
): Promise<Estimate> {
  const clock = clockFor(context.clock.now(), organisation.timezone, input.day)
  const rules = readRules(input)
  const draft = readTask(input, organisation)
  const address = readAddress(input, organisation)
  await requireTeam(context.db, organisation.id, input.teamId)
  const { precisionDetail, ...place } = await findPlace(context, organisation, address)
  const task = { ...draft, address: { ...address, ...place } }
  const drivers = await findFleet(context.db, organisation.id, input.teamId, rules, clock)
  const fleet = await layOutFleet(context, drivers, [{ task, point: place }], rules, clock)
  const quotes =
    fleet.vehicles.length > 0
      ? (await context.solvers.run('quote', fleet.problem, limitsFor([]))).get(fleet.firstCandidate)
      : []
  const { offers, compromises, refused } = judgeQuotes(fleet, 0, quotes ?? [])
  const { source, isEstimate, warnings } = fleet.ways.times
  return {
    traffic: rules.traffic,
    travel: { source, isEstimate },
    place,
    offers: offers.map(({ offer }) => offer),
    compromises,
    refused,
    warnings: [
      ...(isToCheck({ ...place, precisionDetail }) ? [warn('APPROXIMATE_PLACE', [], approximate)] : []),
      ...warnings.map((sentence) => warn('TRAVEL_TIMES', [], sentence)),
    ],
  }
}

const approximate = 'Only the street or the city of this address was found; the times are rough estimates'

function readAddress({ address }: EstimateInput, { country }: Organisation): Address {
  const problems: ErrorDetail[] = []
  const read = draftAddress(address, country, problems)
  if (problems.length > 0) throw refusalOf(problems)
  return read
}

/** Where the task would be. An address that was not found cannot be visited. */
async function findPlace(context: Context, organisation: Organisation, address: Address) {
  const { lat, lng } = address
  if (lat !== null && lng !== null) return { lat, lng, precision: 'exact', precisionDetail: null } as const
  const found = await lookUpNow(context, organisation, address)
  if (typeof found !== 'string')
    return { lat: found.lat, lng: found.lng, precision: found.precision, precisionDetail: found.detail }
  throw new Refusal('VALIDATION_FAILED', { field: 'address', message: `${found}; give lat and lng` })
}

function readTask(input: EstimateInput, organisation: Organisation): Plannable {
  const problems: ErrorDetail[] = []
  const { after = null, before = null } = readWindow(input, organisation, problems)
  if (problems.length > 0) throw refusalOf(problems)
  requireOrderedWindow(after, before)
  return {
    id: 0,
    awb: '',
    complete_after: after,
    complete_before: before,
    service_minutes: input.serviceTime ?? null,
    priority: input.priority ?? 0,
    team_id: null,
    dependencies: [],
  }
}
