import type { DriverRefusalCode } from '../../../contract/planning.ts'
import type { Ways } from '../problem/trips.ts'
import type { FleetDriver, Rules } from './drivers.ts'
import type { Candidate } from './problem.ts'

const usualDistanceMetres = 150_000

/** Which drivers may take which candidate, regardless of their day. */
export function judgePairs(
  vehicles: readonly FleetDriver[],
  starts: readonly (number | undefined)[],
  routes: readonly { place: number | undefined }[][],
  candidates: readonly Candidate[],
  candidatePlaces: readonly number[],
  ways: Ways,
  { maxDistanceMetres = usualDistanceMetres }: Rules,
) {
  const known = routes.map((route, vehicle) =>
    [starts[vehicle], ...route.map(({ place }) => place)].filter((place) => place !== undefined),
  )
  const isFar = (candidate: number, vehicle: number) => {
    const from = known[vehicle] as number[]
    const to = candidatePlaces[candidate] as number
    return (
      from.length > 0 && from.every((place) => (ways.metres[place * ways.placeCount + to] ?? 0) > maxDistanceMetres)
    )
  }
  const forbidden = (candidate: number, vehicle: number): DriverRefusalCode | undefined => {
    const teamId = candidates[candidate]?.task.team_id ?? null
    if (teamId !== null && !vehicles[vehicle]?.driver.team_ids.includes(teamId)) return 'TEAM'
    return isFar(candidate, vehicle) ? 'DISTANCE' : undefined
  }
  const allowed = (candidate: number) => [...vehicles.keys()].filter((vehicle) => !forbidden(candidate, vehicle))
  return { forbidden, allowed }
}
