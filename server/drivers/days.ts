import { mostReportDays } from '../../contract/limits.ts'
import { addDays } from '../../core/day-range.ts'
import { timeStops } from '../../core/stop-time.ts'
import { readDay } from '../../core/time.ts'
import { type Context, contextOf, type Service, system } from '../context.ts'
import { type Claim, claimDays, type DriverDayRow, endClaim, listEnded, listTracked, saveDay } from './day-queries.ts'
import { readTrack } from './track.ts'

/*
 * What drivers did on days that are over: how long their stops took and how far they drove. Each day is counted when it is over, and once
 * more with the next, because phones without a network send later.
 */

/** A new installation has no past; one that is updated counts its year in a few rounds. */
const daysInARound = 60

/** One round over the organisations that are due. */
export async function countDays(service: Service, stopping: AbortSignal) {
  for (let left = daysInARound; left > 0 && !stopping.aborted; ) {
    const claim = await claimDays(service.database.everyone, mostReportDays)
    if (!claim) return
    const context = contextOf(service, claim.organisation.id, system)
    left -= await countDaysOf(context, claim, left, stopping)
    await endClaim(context.db, claim)
  }
}

/** Counts days from the last one that was counted on, and says how many. */
async function countDaysOf(context: Context, claim: Claim, most: number, stopping: AbortSignal): Promise<number> {
  let count = 0
  for (let day = claim.last_day ?? claim.first_day; day <= claim.yesterday; day = addDays(day, 1)) {
    if (count === most || stopping.aborted) break
    count += 1
    if (!(await saveDay(context.db, claim, day, await countDay(context, claim, day)))) break
  }
  return Math.max(1, count)
}

async function countDay({ db }: Context, { organisation }: Claim, day: string): Promise<DriverDayRow[]> {
  const span = readDay(day, organisation.timezone)
  if (!span) return []
  const ended = Map.groupBy(await listEnded(db, organisation.id, span), ({ driver_id }) => driver_id)
  const driven = new Map<number, number>()
  for (const { id } of await listTracked(db, organisation.id, span)) {
    const { metres } = await readTrack(db, organisation.id, id, span.start, span.end)
    driven.set(id, Math.round(metres))
  }
  return [...new Set([...ended.keys(), ...driven.keys()])].map((driver_id) => {
    const { stops, seconds } = timeStops(ended.get(driver_id) ?? [])
    return { driver_id, stops, stop_seconds: seconds, driven_metres: driven.get(driver_id) ?? null }
  })
}
