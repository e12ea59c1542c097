import type { ErrorDetail } from '../../contract/errors.ts'
import type { Estimate, EstimateInput } from '../../contract/planning.ts'
import { refusalOf } from '../../contract/schema.ts'
import type { Context } from '../context.ts'
import type { Organisation } from '../organisations/queries.ts'
import { readWindow, requireOrderedWindow } from '../tasks/draft.ts'
import { findFleet, readRules, requireTeam } from './assign.ts'
import { judgeQuotes } from './explain.ts'
import { layOutFleet } from './fleet.ts'
import { limitsFor } from './limits.ts'
import type { Plannable } from './model.ts'
import { warn } from './warnings.ts'

/** Who could take a task that does not exist yet, and when, if the routes stay as they are. Nothing is written. */
export async function estimateTask(
  context: Context,
  organisation: Organisation,
  input: EstimateInput,
): Promise<Estimate> {
  const clock = { now: new Date(), timezone: organisation.timezone }
  const rules = readRules(input)
  const task = readTask(input, organisation)
  await requireTeam(context.db, organisation.id, input.teamId)
  const drivers = await findFleet(context.db, organisation.id, input.teamId, rules, clock)
  const fleet = await layOutFleet(context, drivers, [{ task, point: input.address }], rules, clock)
  const quotes =
    fleet.vehicles.length > 0
      ? (await context.solvers.run('quote', fleet.problem, limitsFor([]))).get(fleet.firstCandidate)
      : []
  const { offers, compromises, refused } = judgeQuotes(fleet, 0, quotes ?? [])
  const { source, isEstimate, warnings } = fleet.ways.times
  return {
    traffic: rules.traffic,
    travel: { source, isEstimate },
    offers: offers.map(({ offer }) => offer),
    compromises,
    refused,
    warnings: warnings.map((sentence) => warn('TRAVEL_TIMES', [], sentence)),
  }
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
