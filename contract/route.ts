import type { Static } from 'typebox'
import { day, Line, PlanWarning, RouteStart, TravelSource } from './planning.ts'
import { Id, Latitude, Longitude, Nullable, Time } from './schema.ts'
import { Type } from './type.ts'

const RouteStop = Type.Object(
  {
    position: Type.Integer({ description: 'Its number in the route, from 1' }),
    taskIds: Type.Array(Id(), { description: 'Tasks within 25 m of each other, one after the other, are one stop' }),
    awbs: Type.Array(Type.String()),
    lat: Nullable(Latitude),
    lng: Nullable(Longitude),
    arrivalTime: Nullable(Time('When the driver is expected; null if nobody knows where it is')),
    distanceMetres: Nullable(Type.Integer({ description: 'From the stop before, or from where the route starts' })),
    line: Line('The way there from the stop before, or from where the route starts'),
  },
  { title: 'RouteStop' },
)

/** What a driver still has to do on a day, stop by stop, as planning computes it now. */
export const DriverRoute = Type.Object(
  {
    driverId: Id(),
    day: Type.String({ description: 'YYYY-MM-DD' }),
    start: RouteStart,
    stops: Type.Array(RouteStop),
    travel: TravelSource,
    warnings: Type.Array(PlanWarning),
  },
  { title: 'DriverRoute' },
)
export type DriverRoute = Static<typeof DriverRoute>
export type RouteStop = Static<typeof RouteStop>

export const RouteQuery = Type.Object({ day })

export const DriverRouteQuery = Type.Object({
  day,
  tasks: Type.Optional(
    Type.String({
      pattern: '^\\d+(,\\d+)*$',
      maxLength: 10_000,
      'x-rule': 'must be task ids separated by commas, such as 17,18',
      description:
        'Only these of the driver’s tasks, ids separated by commas: the route as it would be without the others',
    }),
  ),
})
