import { Refusal } from '../../contract/errors.ts'
import type { Track, TrackQuery } from '../../contract/location.ts'
import { createTrack, type Fix, thin } from '../../core/track.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import type { Organisation } from '../organisations/queries.ts'
import { isDriver } from '../tasks/read/drivers.ts'
import { readSpan } from '../tasks/time-span.ts'
import { type LocationRow, listLocations } from './positions.ts'

const longestHours = 48
const mostPoints = 1_000
/** A phone may report every second, so positions are read in parts. */
const partSize = 5_000

type Seen = Fix & { row: LocationRow }

/** Where a driver drove in that time: few points for drawing, and how far. */
export async function findTrack(
  { db, clock }: Context,
  { id: organisationId, timezone }: Organisation,
  driverId: number,
  query: TrackQuery,
): Promise<Track> {
  if (!(await isDriver(db, organisationId, driverId))) throw new Refusal('DRIVER_NOT_FOUND')
  const { from, to } = readSpan(query, timezone, clock.now(), longestHours)
  const track = await readTrack(db, organisationId, driverId, from, to)
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    metres: Math.round(track.metres),
    locations: thin(track.steps, mostPoints).map(({ row }) => ({
      lat: row.lat,
      lng: row.lng,
      occurredAt: row.occurred_at.toISOString(),
      heading: row.heading,
      speedMetresPerSecond: row.speed_metres_per_second,
    })),
  }
}

/** Goes through all positions of a driver in that time, a part after the other. */
export async function readTrack(db: Db, organisationId: number, driverId: number, from: Date, to: Date) {
  const { track, add } = createTrack<Seen>()
  for (let after = new Date(from.getTime() - 1); ; ) {
    const part = await listLocations(db, organisationId, driverId, after, to, partSize)
    add(part.map((row) => ({ ...row, at: row.occurred_at, accuracyMetres: row.accuracy_metres, row })))
    if (part.length < partSize) return track
    after = (part.at(-1) as LocationRow).occurred_at
  }
}
