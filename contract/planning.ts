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
  durationSeconds: Type.Integer({ description: 'From now, or the start of the shift, until the last task is done' }),
  travelSeconds: Type.Integer(),
  waitSeconds: Type.Integer({ description: 'Before the beginning of a time window' }),
  lateSeconds: Type.Integer({ description: 'After the end of time windows, all tasks together' }),
  overtimeSeconds: Type.Integer({ description: 'After the end of the shift' }),
})
export type Totals = Static<typeof Totals>

/** What a plan has to say beside its order. */
export const planWarnings = {
  WITHOUT_PLACE: 'These tasks have no coordinates, so they go last',
  APPROXIMATE_PLACE: 'Only the street or the city of these tasks is known; their place in the route is a guess',
  FAR_AWAY: 'These tasks are very far from everything else',
  MAYBE_SWAPPED: 'Latitude and longitude of these tasks look as if they were swapped',
  WINDOW_PAST: 'The time window of these tasks has passed; they are late already',
  SHIFT_OVER: 'The shift is over; everything that is left is overtime',
  OVERTIME: 'Not everything fits into the shift',
  LUNCH_TOO_LONG: 'The lunch break takes the whole shift, so it is left out of account',
  TOO_MANY_TASKS: 'There are more tasks than can be planned at once; these stay behind the others as they were',
  TRAVEL_TIMES: 'Travel times are not as good as they could be',
} as const
export type PlanWarningCode = keyof typeof planWarnings

export const PlanWarning = Type.Object(
  {
    code: Type.Unsafe<PlanWarningCode>({ type: 'string', enum: Object.keys(planWarnings) }),
    message: Type.String(),
    awbs: Type.Array(Type.String(), { description: 'The tasks it speaks of' }),
  },
  { title: 'PlanWarning' },
)
export type PlanWarning = Static<typeof PlanWarning>

export const TravelSource = Type.Object(
  {
    source: Type.String({ enum: ['estimate', 'osrm', 'valhalla'] }),
    isEstimate: Type.Boolean({ description: 'No road was looked at' }),
  },
  { title: 'TravelSource' },
)

/** What optimising did: the present order against the new one. */
export const RouteSummary = Type.Object(
  {
    traffic: Type.String({ description: 'The traffic that was assumed' }),
    travel: TravelSource,
    before: Totals,
    after: Totals,
    late: Type.Array(Type.String(), { description: 'Awbs of tasks that will be late' }),
    withoutPlace: Type.Array(Type.String(), { description: 'Awbs of tasks without coordinates, which go last' }),
    approximate: Type.Array(Type.String(), { description: 'Awbs of tasks whose coordinates are only approximate' }),
    warnings: Type.Array(PlanWarning),
  },
  { title: 'RouteSummary' },
)
export type RouteSummary = Static<typeof RouteSummary>
