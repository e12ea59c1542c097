import { type Carried, type LoadDay, type PlaceInVehicle, placeInVehicle } from '../../core/loading.ts'
import type { RouteRow } from './queries.ts'

/** A row as the rules of loading see it. */
export const carriedOf = (row: RouteRow): Carried & { row: RouteRow } => ({
  id: row.id,
  statusId: row.status_id,
  pickupTask: row.pickup_task,
  atHubAt: row.at_hub_at,
  loadedAt: row.loaded_at,
  completeAfter: row.complete_after,
  completeBefore: row.complete_before,
  plannedFor: row.route?.arrivalTime ?? null,
  address: { address: row.address, city: row.city, lat: row.lat, lng: row.lng, precision: row.precision },
  row,
})

/** Where in the vehicle the tasks of one driver belong, by their ids; given in the order of the route. */
export const placeRows = (rows: readonly RouteRow[], day: LoadDay): Map<number, PlaceInVehicle> =>
  placeInVehicle(rows.map(carriedOf), day)
