import type { DriverRefusalCode } from '../../../contract/planning.ts'
import type { Plannable } from '../problem/stops.ts'
import type { Ways } from '../problem/trips.ts'
import type { FleetDriver, Rules } from './drivers.ts'

const usualDistanceMetres = 150_000

/** A driver, and the places where they will be whatever they take: where they start, and the stops they have. */
export type PlacedDriver = Pick<FleetDriver, 'driver'> & { places: readonly number[] }

/** Which drivers may take which candidate, regardless of their day. */
export function judgePairs(
  vehicles: readonly PlacedDriver[],
  candidates: readonly { task: Pick<Plannable, 'team_id'>; place: number }[],
  ways: Ways,
  { maxDistanceMetres = usualDistanceMetres }: Rules,
) {
  const isFar = (from: readonly number[], to: number) =>
    from.length > 0 && from.every((place) => (ways.metres[place * ways.placeCount + to] ?? 0) > maxDistanceMetres)
  const forbidden = (candidate: number, vehicle: number): DriverRefusalCode | undefined => {
    const { task, place } = candidates[candidate] as (typeof candidates)[number]
    const { driver, places } = vehicles[vehicle] as PlacedDriver
    if (task.team_id !== null && !driver.team_ids.includes(task.team_id)) return 'TEAM'
    return isFar(places, place) ? 'DISTANCE' : undefined
  }
  const allowed = (candidate: number) => [...vehicles.keys()].filter((vehicle) => !forbidden(candidate, vehicle))
  return { forbidden, allowed }
}
