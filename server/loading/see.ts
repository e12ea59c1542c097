import type { Load, Parcel, Scan } from '../../contract/scan.ts'
import { countLoad, type LoadDay, listLoad } from '../../core/loading.ts'
import { dayOf } from '../../core/task-day.ts'
import { readDay } from '../../core/time.ts'
import type { Context } from '../context.ts'
import type { Organisation } from '../organisations/queries.ts'
import { refuseDay } from './actions.ts'
import { carriedOf } from './positions.ts'
import { presentScan } from './present.ts'
import { listDriverNames, listForeign, listLoads, type RouteRow } from './queries.ts'

/** How many scans that do not belong are shown. */
const mostForeign = 100

/** What every driver of a day has to load, and what was scanned and does not belong. */
export async function seeLoads(
  { db, clock }: Context,
  { id, timezone }: Organisation,
  wanted: { day?: string | null; userId?: number },
): Promise<{ day: string; loads: Load[]; foreign: Scan[] }> {
  const today = dayOf(clock.now(), timezone)
  const day = wanted.day?.trim() || today
  const refusal = refuseDay(day, today, timezone)
  if (refusal) throw refusal
  const bounds = readDay(day, timezone) as { start: Date; end: Date }
  const driverId = wanted.userId ?? null
  const rows = await listLoads(db, id, driverId, { ...bounds, isToday: day === today })
  const scans = (await listForeign(db, id, day, driverId, 10 * mostForeign)).map(presentScan)

  const ofDay: LoadDay = { day, today, timezone }
  const routes = Map.groupBy(rows, ({ user_id }) => user_id as number)
  const foreignOf = Map.groupBy(scans, ({ userId }) => userId)
  const names = new Map(rows.map(({ user_id, driver_name }) => [user_id as number, driver_name]))
  const others = [...foreignOf.keys()].filter((one): one is number => one !== null && !names.has(one))
  for (const { id: other, name } of await listDriverNames(db, id, others)) names.set(other, name)

  const loads = [...names].map(([driverId, name]): Load => {
    const load = listLoad((routes.get(driverId) ?? []).map(carriedOf), ofDay)
    const parcels = load.map(({ task, position, missing }) => presentParcel(task, position, missing))
    const foreign = (foreignOf.get(driverId) ?? []).slice(0, mostForeign)
    return { driver: { id: driverId, name }, ...countLoad(load.map(({ task }) => task)), parcels, foreign }
  })
  return {
    day,
    loads: loads
      .filter(({ parcels, foreign }) => parcels.length > 0 || foreign.length > 0)
      .sort((one, other) => one.driver.name.localeCompare(other.driver.name) || one.driver.id - other.driver.id),
    foreign: (foreignOf.get(null) ?? []).slice(0, mostForeign),
  }
}

const presentParcel = ({ row }: { row: RouteRow }, position: Parcel['position'], missing: boolean): Parcel => ({
  id: row.id,
  awb: row.awb,
  statusId: row.status_id,
  address: row.address,
  atHubAt: row.at_hub_at?.toISOString() ?? null,
  loadedAt: row.loaded_at?.toISOString() ?? null,
  position,
  missing,
})
