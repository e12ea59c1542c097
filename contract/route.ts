import type { Static } from 'typebox'
import { day, Line, PlanWarning, TravelSource } from './planning.ts'
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
    start: Nullable(
      Type.Object(
        { lat: Latitude, lng: Longitude },
        { description: 'Where the driver is, or on another day the hub; null if nobody knows' },
      ),
    ),
    stops: Type.Array(RouteStop),
    travel: TravelSource,
    warnings: Type.Array(PlanWarning),
  },
  { title: 'DriverRoute' },
)
export type DriverRoute = Static<typeof DriverRoute>
export type RouteStop = Static<typeof RouteStop>

export const RouteQuery = Type.Object({ day })
