import { type Static, Type } from 'typebox'

/** Where a task stands in the route of the day, in `task.route`. */
export interface PlannedStop {
  position: number
  arrivalTime: string
  distanceMetres: number
  waitSeconds: number
  lateSeconds: number
}

const Totals = Type.Object({
  distanceMetres: Type.Integer(),
  durationSeconds: Type.Integer(),
  lateSeconds: Type.Integer(),
})

/** What optimising did: the present order against the new one. */
export const RouteSummary = Type.Object(
  {
    traffic: Type.String({ description: 'The traffic that was assumed' }),
    before: Totals,
    after: Totals,
    late: Type.Array(Type.String(), { description: 'Awbs of tasks that will be late' }),
    withoutPlace: Type.Array(Type.String(), { description: 'Awbs of tasks without coordinates, which go last' }),
  },
  { title: 'RouteSummary' },
)
export type RouteSummary = Static<typeof RouteSummary>
