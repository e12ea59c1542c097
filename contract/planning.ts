import type { Static } from 'typebox'
import { longest, mostItems, mostLines, mostServiceMinutes } from './limits.ts'
import { Awb, Id, ItemError, Latitude, Longitude, Nullable, Text, Time, Whole } from './schema.ts'
import { AddressInput, PlannedStop } from './task.ts'
import { Type } from './type.ts'
import { undoId } from './undo.ts'

const Totals = Type.Object({
  distanceMetres: Type.Integer(),
  durationSeconds: Type.Integer({ description: 'From now, or the start of the shift, until the last task is done' }),
  travelSeconds: Type.Integer(),
  waitSeconds: Type.Integer({ description: 'Waiting for time windows to open' }),
  lateSeconds: Type.Integer({ description: 'After the end of time windows, all tasks together' }),
  overtimeSeconds: Type.Integer({ description: 'After the end of the shift' }),
})
export type Totals = Static<typeof Totals>

/** Warnings of a plan. */
export const planWarnings = {
  WITHOUT_PLACE: 'These tasks have no coordinates, so they go last',
  APPROXIMATE_PLACE: 'Only the street or city of these tasks was found; their position is approximate',
  FAR_AWAY: 'These tasks are very far from the other stops',
  MAYBE_SWAPPED: 'Latitude and longitude of these tasks look swapped',
  WINDOW_PAST: 'The time window of these tasks has passed; they are already late',
  OPEN_CONFLICT: 'These tasks have an open conflict, so they stay as they are until it is settled',
  SHIFT_OVER: 'The shift is over; all remaining stops are overtime',
  OVERTIME: 'Not everything fits into the shift',
  NO_SHIFT: 'The driver has no shift times, so the route begins at 08:00',
  DAY_OFF: 'The driver does not work on that day of the week',
  ABSENT: 'The driver is absent on that day',
  LUNCH_TOO_LONG: 'The lunch break is as long as the shift, so it is ignored',
  TOO_MANY_TASKS: 'Too many tasks to plan at once; these keep their order after the others',
  NOT_ORDERED: 'Some routes could not be optimised; try again',
  TRAVEL_TIMES: 'Some travel times are only estimates',
} as const
export type PlanWarningCode = keyof typeof planWarnings

export const PlanWarning = Type.Object(
  {
    code: Type.Unsafe<PlanWarningCode>({ type: 'string', enum: Object.keys(planWarnings) }),
    message: Type.String(),
    awbs: Type.Array(Type.String(), { description: 'The tasks this is about' }),
  },
  { title: 'PlanWarning' },
)
export type PlanWarning = Static<typeof PlanWarning>

export const TravelSource = Type.Object(
  {
    source: Type.String({
      enum: ['roads', 'osrm', 'valhalla', 'estimate'],
      description: 'Where most of the travel times come from; a warning names those from elsewhere',
    }),
    isEstimate: Type.Boolean({ description: 'Most are estimated from distance, not from roads' }),
  },
  { title: 'TravelSource' },
)

/** The way along the streets, as routing engines write it. */
export const Line = (way: string) =>
  Nullable(
    Type.String({
      description: `${way}: an encoded polyline with five decimals. Null where no road is known, and after the first ${mostLines} of an answer`,
    }),
  )

/** Where a route begins. */
export const RouteStart = Nullable(
  Type.Object(
    { lat: Latitude, lng: Longitude },
    { description: 'Where the driver is, or on another day the hub; null if nobody knows' },
  ),
)

const stop = Type.Integer({
  description: 'The number of its stop: tasks within 25 m of each other, one after the other, are one',
})
const before = { description: 'In the current order' }
/** What a page draws of a task in a route. */
const onTheMap = {
  lat: Nullable(Latitude),
  lng: Nullable(Longitude),
  line: Line('Only of the first task of a stop in a preview (`dryRun`), the way there from the stop before'),
  lineBefore: Line('The same in the current order'),
}

const PlannedTask = Type.Object(
  {
    taskId: Id(),
    awb: Type.String(),
    ...PlannedStop.properties,
    positionBefore: Type.Integer(before),
    stop,
    stopBefore: Type.Integer(before),
    ...onTheMap,
  },
  { title: 'PlannedTask' },
)

/** The effect of a new order, compared with the current one. */
export const RouteSummary = Type.Object(
  {
    traffic: Type.String({ description: 'The traffic assumed' }),
    travel: TravelSource,
    before: Totals,
    after: Totals,
    start: RouteStart,
    stops: Type.Array(PlannedTask, { description: 'The tasks of the day in the new order' }),
    late: Type.Array(Type.String(), { description: 'AWBs of tasks that will be late' }),
    withoutPlace: Type.Array(Type.String(), { description: 'AWBs of tasks without coordinates, which go last' }),
    approximate: Type.Array(Type.String(), { description: 'AWBs of tasks with approximate coordinates' }),
    warnings: Type.Array(PlanWarning),
  },
  { title: 'RouteSummary' },
)
export type RouteSummary = Static<typeof RouteSummary>

const Optional = Type.Optional

const traffic = Optional(
  Nullable(Text(50, { description: 'best_guess (the default), optimistic, pessimistic, none; light, normal, heavy' })),
)
const dryRun = Optional(Type.Boolean({ description: 'Only return what would be done' }))

/** In the body of what plans. */
export const day = Optional(
  Nullable(
    Text(10, {
      description:
        'YYYY-MM-DD in the organisation’s time zone, today (the default) or later. A later day begins at the hub, with the shift of that weekday',
    }),
  ),
)

/** In the body of what makes a plan and keeps it. */
const planning = { day, traffic, dryRun, undoId }
const ofTeam = Optional(Id('Only drivers of this team'))

export const OptimiseInput = Type.Object(planning, { title: 'OptimiseInput' })
export type OptimiseInput = Static<typeof OptimiseInput>

export const OptimiseRoutesInput = Type.Object(
  {
    teamId: ofTeam,
    driverIds: Optional(Type.Array(Id(), { maxItems: mostItems, description: 'Only these drivers' })),
    ...planning,
  },
  { title: 'OptimiseRoutesInput' },
)
export type OptimiseRoutesInput = Static<typeof OptimiseRoutesInput>

const RouteOfPlan = Type.Object(
  {
    driverId: Id(),
    driverName: Type.String(),
    success: Type.Boolean(),
    route: Optional(RouteSummary),
    error: Optional(ItemError),
  },
  { title: 'RouteOfPlan' },
)
export type RouteOfPlan = Static<typeof RouteOfPlan>

export const RoutesPlan = Type.Object(
  {
    day: Type.String({ description: 'YYYY-MM-DD' }),
    dryRun: Type.Boolean(),
    before: Totals,
    after: Totals,
    routes: Type.Array(RouteOfPlan, { description: 'One for each driver with open tasks on the day' }),
    left: Type.Array(Id(), {
      description: 'Drivers there was no time for within 20 seconds; ask again with these as `driverIds`',
    }),
  },
  { title: 'RoutesPlan' },
)
export type RoutesPlan = Static<typeof RoutesPlan>

export const OrderInput = Type.Object(
  {
    tasks: Type.Array(Id(), {
      maxItems: mostItems,
      description: 'Ids of the driver’s open tasks in the new order; tasks not listed follow in their current order',
    }),
    ...planning,
  },
  { title: 'OrderInput' },
)
export type OrderInput = Static<typeof OrderInput>

/** Where in a route tasks are put. */
export const placings = ['best', 'next', 'last'] as const
export type Placing = (typeof placings)[number]
const Placing = Type.Unsafe<Placing>({ type: 'string', enum: [...placings] })

/** In the body of what assigns tasks. */
export const position = Optional(
  Type.Unsafe<Placing>({
    ...Placing,
    description:
      'Where in the route of the day: where it costs least, directly after what is in transit, or at the end; the route is timed again. Without it they are appended, without a plan',
  }),
)

export const PlacesInput = Type.Object(
  { tasks: Type.Array(Id(), { maxItems: mostItems, description: 'Ids of the tasks to put into the route' }), day },
  { title: 'PlacesInput' },
)
export type PlacesInput = Static<typeof PlacesInput>

/** What putting tasks into a route would mean. */
export const PlaceEstimate = Type.Object(
  {
    position: Placing,
    place: Type.Integer({ description: 'Of the first of the tasks; 1 comes first' }),
    arrivalTime: Time('When the driver would be at the first of the tasks'),
    addedSeconds: Type.Integer({ description: 'How much later the driver would be done with everything' }),
    addedTravelSeconds: Type.Integer({ description: 'Additional driving time' }),
    addedOvertimeSeconds: Type.Integer({ description: 'How much longer the driver would work after the shift' }),
    late: Type.Array(Type.Object({ taskId: Id(), awb: Type.String(), lateSeconds: Type.Integer() }), {
      description: 'Tasks of the route, old and new, that would become late',
    }),
  },
  { title: 'PlaceEstimate' },
)
export type PlaceEstimate = Static<typeof PlaceEstimate>

/** Why a driver does not get a task. */
export const driverRefusals = {
  OFF_DUTY: 'The driver is off duty',
  DAY_OFF: 'The driver does not work on that day of the week',
  ABSENT: 'The driver is absent on that day',
  SHIFT: 'It would end after the shift',
  LUNCH: 'Lunch would start too late',
  WINDOW: 'This or another task of the driver would be late',
  CAPACITY: 'The driver has the maximum number of tasks',
  DISTANCE: 'It is too far away',
  TEAM: 'It belongs to another team',
  DEPENDENCY: 'It must go to the driver of the task it depends on',
} as const
export type DriverRefusalCode = keyof typeof driverRefusals

/** Why a task stays without a driver, if it is not because of the drivers. */
export const taskRefusals = {
  NO_DRIVER: 'No driver is available',
  WITHOUT_PLACE: 'It has no coordinates',
  NOT_WAITING: 'It is not waiting for a driver',
  OTHER_DAY: 'It is not meant for that day',
  OPEN_CONFLICT: 'It has an open conflict; settle that first',
  TOO_MANY_TASKS: 'Too many tasks to plan at once',
  CHANGED_MEANWHILE: 'It changed while the plan was being made',
} as const
export type TaskRefusalCode = keyof typeof taskRefusals | DriverRefusalCode

/** Why automatic assignment leaves a task alone: because of the task, or of the drivers. */
export const leftReasons = {
  ...taskRefusals,
  ...driverRefusals,
  DOUBTFUL_PLACE: 'Only its street or its city was found',
  UNASSIGNED_BEFORE: 'Somebody took it from a driver, and decides what becomes of it',
} as const
export type LeftReason = keyof typeof leftReasons

export const LeftTask = Type.Object(
  {
    taskId: Id(),
    awb: Type.String(),
    reason: Type.Unsafe<LeftReason>({ type: 'string', enum: Object.keys(leftReasons) }),
    message: Type.String(),
  },
  { title: 'LeftTask' },
)
export type LeftTask = Static<typeof LeftTask>

const RefusalCode = Type.Unsafe<DriverRefusalCode>({ type: 'string', enum: Object.keys(driverRefusals) })

const DriverRefusal = Type.Object(
  { driverId: Id(), driverName: Type.String(), reason: RefusalCode },
  { title: 'DriverRefusal' },
)
export type DriverRefusal = Static<typeof DriverRefusal>

const offer = {
  driverId: Id(),
  driverName: Type.String(),
  arrivalTime: Time('When the driver would arrive'),
  addedTravelSeconds: Type.Integer({ description: 'Additional driving time' }),
  cost: Type.Number({ description: 'What is compared: travel plus weighted delay, overtime and late lunch' }),
}
export const Offer = Type.Object(offer, { title: 'Offer' })
export type Offer = Static<typeof Offer>

const give = {
  reason: RefusalCode,
  lateSeconds: Type.Integer({ description: 'How late it would be' }),
  othersLateSeconds: Type.Integer({ description: 'How much later other tasks of the driver would be' }),
  overtimeSeconds: Type.Integer({ description: 'How much longer the shift would last' }),
  lunchLateSeconds: Type.Integer({ description: 'How much later lunch would be' }),
}

/** Who could take a task if something gave. */
export const Compromise = Type.Object({ ...offer, ...give }, { title: 'Compromise' })
export type Compromise = Static<typeof Compromise>

const maxTasksPerDriver = Optional(
  Whole({
    minimum: 1,
    maximum: mostItems,
    description: 'Most open tasks a driver may have on the day, including current ones',
  }),
)
const maxDistanceMetres = Optional(
  Whole({ description: 'By road, from the driver’s position or route; defaults to 150000' }),
)
const includeOffDuty = Optional(
  Type.Boolean({
    description:
      'Include drivers who are off duty, from the start of their shift. On a later day all drivers with a shift are included',
  }),
)

/** In the body of what looks for drivers. */
const choosing = { includeOffDuty, maxTasksPerDriver, maxDistanceMetres }

export const AssignInput = Type.Object(
  {
    tasks: Optional(
      Type.Array(Id(), {
        maxItems: mostItems,
        description: 'Task ids; without these and `awbs`, all waiting tasks of the day',
      }),
    ),
    awbs: Optional(Type.Array(Awb, { maxItems: mostItems })),
    teamId: Optional(Id('Only drivers of this team; if no tasks are named, only tasks of this team or without one')),
    order: Optional(Type.Boolean({ description: 'Optimise the routes that got tasks afterwards; defaults to true' })),
    ...choosing,
    ...planning,
  },
  { title: 'AssignInput' },
)
export type AssignInput = Static<typeof AssignInput>

const AssignedTask = Type.Object(
  {
    taskId: Id(),
    awb: Type.String(),
    ...offer,
    lateSeconds: Type.Integer(),
    runnerUp: Optional(Offer),
    refused: Type.Array(DriverRefusal),
  },
  { title: 'AssignedTask' },
)
export type AssignedTask = Static<typeof AssignedTask>

const UnassignedTask = Type.Object(
  {
    taskId: Id(),
    awb: Type.String(),
    reason: Type.Unsafe<TaskRefusalCode>({
      type: 'string',
      enum: [...Object.keys(taskRefusals), ...Object.keys(driverRefusals)],
    }),
    message: Type.String(),
    refused: Type.Array(DriverRefusal),
    ifSomethingGave: Optional(Compromise),
  },
  { title: 'UnassignedTask' },
)
export type UnassignedTask = Static<typeof UnassignedTask>

const DriverOfPlan = Type.Object(
  {
    driverId: Id(),
    driverName: Type.String(),
    tasksBefore: Type.Integer(),
    tasksAfter: Type.Integer(),
    reason: Optional(RefusalCode),
  },
  { title: 'DriverOfPlan' },
)
export type DriverOfPlan = Static<typeof DriverOfPlan>

const PreviewedTask = Type.Object(
  {
    taskId: Id(),
    awb: Type.String(),
    position: Type.Integer({ description: 'In the route with the new tasks' }),
    positionBefore: Nullable(Type.Integer({ description: 'In the current order; null if it is new in the route' })),
    stop,
    stopBefore: Nullable(Type.Integer(before)),
    ...onTheMap,
  },
  { title: 'PreviewedTask' },
)

const PreviewedRoute = Type.Object(
  {
    driverId: Id(),
    driverName: Type.String(),
    start: RouteStart,
    stops: Type.Array(PreviewedTask, { description: 'The tasks of the day in the order of the plan' }),
  },
  { title: 'PreviewedRoute' },
)
export type PreviewedRoute = Static<typeof PreviewedRoute>

export const AssignPlan = Type.Object(
  {
    dryRun: Type.Boolean(),
    traffic: Type.String({ description: 'The traffic assumed' }),
    travel: TravelSource,
    assigned: Type.Array(AssignedTask),
    unassigned: Type.Array(UnassignedTask),
    drivers: Type.Array(DriverOfPlan, { description: 'With a reason if the driver could not take any task' }),
    routes: Type.Array(PreviewedRoute, {
      description: 'Only in a preview (`dryRun`): of each driver who gets tasks, the route now and with them',
    }),
    warnings: Type.Array(PlanWarning),
  },
  { title: 'AssignPlan' },
)
export type AssignPlan = Static<typeof AssignPlan>

export const EstimateInput = Type.Object(
  {
    address: AddressInput,
    completeAfter: Optional(Nullable(Text(longest.time))),
    completeBefore: Optional(Nullable(Text(longest.time))),
    serviceTime: Optional(Nullable(Whole({ maximum: mostServiceMinutes, description: 'Minutes' }))),
    priority: Optional(Whole()),
    teamId: ofTeam,
    day,
    traffic,
    ...choosing,
  },
  { title: 'EstimateInput' },
)
export type EstimateInput = Static<typeof EstimateInput>

export const Estimate = Type.Object(
  {
    traffic: Type.String({ description: 'The traffic assumed' }),
    travel: TravelSource,
    place: Type.Object(
      { lat: Latitude, lng: Longitude, precision: Type.String({ enum: ['exact', 'approximate'] }) },
      { description: 'The coordinates: as given, or as found for the address' },
    ),
    offers: Type.Array(Offer, { description: 'Drivers who could take it without making anyone late, best first' }),
    compromises: Type.Array(Compromise, { description: 'Drivers who could take it at a cost, best first' }),
    refused: Type.Array(DriverRefusal),
    warnings: Type.Array(PlanWarning),
  },
  { title: 'Estimate' },
)
export type Estimate = Static<typeof Estimate>
