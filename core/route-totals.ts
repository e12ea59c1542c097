/** What a route takes. */
export interface RouteTotals {
  distanceMetres: number
  durationSeconds: number
  travelSeconds: number
  waitSeconds: number
  lateSeconds: number
  overtimeSeconds: number
}

const nothing: RouteTotals = {
  distanceMetres: 0,
  durationSeconds: 0,
  travelSeconds: 0,
  waitSeconds: 0,
  lateSeconds: 0,
  overtimeSeconds: 0,
}

const add = (one: RouteTotals, other: RouteTotals): RouteTotals => ({
  distanceMetres: one.distanceMetres + other.distanceMetres,
  durationSeconds: one.durationSeconds + other.durationSeconds,
  travelSeconds: one.travelSeconds + other.travelSeconds,
  waitSeconds: one.waitSeconds + other.waitSeconds,
  lateSeconds: one.lateSeconds + other.lateSeconds,
  overtimeSeconds: one.overtimeSeconds + other.overtimeSeconds,
})

/** What several routes take together, before and after. */
export const sumTotals = (routes: readonly { before: RouteTotals; after: RouteTotals }[]) => ({
  before: routes.map(({ before }) => before).reduce(add, nothing),
  after: routes.map(({ after }) => after).reduce(add, nothing),
})
