import { Refusal, unknownInBody } from '../../../contract/errors.ts'
import type { OptimiseRoutesInput, RouteOfPlan, RoutesPlan } from '../../../contract/planning.ts'
import { sumTotals } from '../../../core/route-totals.ts'
import { settingsOf } from '../../../core/settings.ts'
import type { Context } from '../../context.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { forbiddenBySetting } from '../../organisations/refusals.ts'
import { boundsOfDay, type Clock, clockFor } from '../problem/clock.ts'
import { listDriversById, listPlannedDrivers, type PlannedDriver } from '../queries.ts'
import { linesLeft } from '../route/lines.ts'
import { optimiseRoute } from '../route/optimise.ts'
import { requireTeam } from './candidates.ts'
import { listBusyDrivers } from './queries.ts'

/** After this nothing new is begun: whoever asked still waits for the answer. */
const mostMs = 20_000

/** Optimises the routes of a day, one driver after the other, each as by itself. One that is refused does not hurt the others. */
export async function optimiseRoutes(
  context: Context,
  organisation: Organisation,
  input: OptimiseRoutesInput,
): Promise<RoutesPlan> {
  if (!settingsOf(organisation).enableRouteOptimization) throw forbiddenBySetting('enableRouteOptimization')
  const clock = clockFor(context.clock.now(), organisation.timezone, input.day)
  await requireTeam(context.db, organisation.id, input.teamId)
  const drivers = await findDrivers(context, organisation, input, clock)
  const begun = performance.now()
  const routes: RouteOfPlan[] = []
  const left: number[] = []
  for (const { id: driverId, name: driverName } of drivers) {
    if (routes.length > 0 && performance.now() - begun > mostMs) {
      left.push(driverId)
      continue
    }
    const { traffic = null, dryRun = false } = input
    const lines = linesLeft(routes.flatMap(({ route }) => route?.stops ?? []))
    const wanted = { day: clock.day, traffic, dryRun }
    const outcome = await optimiseRoute(context, organisation, driverId, wanted, lines).catch((error: unknown) => {
      if (error instanceof Refusal) return error
      throw error
    })
    if (outcome instanceof Refusal)
      routes.push({ driverId, driverName, success: false, error: { code: outcome.code, message: outcome.message } })
    else if (outcome.stops.length > 0) routes.push({ driverId, driverName, success: true, route: outcome })
  }
  return {
    day: clock.day,
    dryRun: input.dryRun ?? false,
    ...sumTotals(routes.flatMap(({ route }) => route ?? [])),
    routes,
    left,
  }
}

/** Those asked for who have something to do on the day. */
async function findDrivers(
  { db }: Context,
  { id }: Organisation,
  { teamId, driverIds }: OptimiseRoutesInput,
  clock: Clock,
): Promise<PlannedDriver[]> {
  const day = boundsOfDay(clock)
  const found = driverIds
    ? await listDriversById(db, id, driverIds, day)
    : await listPlannedDrivers(db, id, teamId, day)
  const missing = driverIds?.find((wanted) => !found.some((driver) => driver.id === wanted))
  if (missing !== undefined) throw unknownInBody('DRIVER_NOT_FOUND', 'driverIds', `Driver ${missing} not found`)
  const asked = teamId === undefined ? found : found.filter(({ team_ids }) => team_ids.includes(teamId))
  const ids = asked.map((driver) => driver.id)
  const busy = new Set((await listBusyDrivers(db, id, ids, day)).map((driver) => driver.id))
  return asked.filter((driver) => busy.has(driver.id))
}
