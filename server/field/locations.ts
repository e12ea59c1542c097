import type { LocationInput } from '../../contract/driver.ts'
import type { ErrorDetail } from '../../contract/errors.ts'
import { refusalOf } from '../../contract/schema.ts'
import { readTime } from '../../core/time.ts'
import type { Context } from '../context.ts'
import { type NewPosition, savePosition } from '../drivers/positions.ts'
import { announcePosition } from '../events/hints.ts'
import type { Organisation } from '../organisations/queries.ts'

/** Keeps the newest of the places a device has been to, if nothing newer is known. */
export async function reportLocations(
  { db, notices, clock }: Context,
  organisation: Organisation,
  driverId: number,
  locations: readonly LocationInput[],
) {
  const positions = readLocations(locations, organisation, clock.now())
  const newest = positions.reduce((best, other) => (other.occurred_at >= best.occurred_at ? other : best))
  const isNews = await savePosition(db, organisation.id, driverId, newest)
  const { lat, lng, heading, occurred_at } = newest
  if (isNews)
    announcePosition(notices, organisation.id, { driverId, lat, lng, heading, occurredAt: occurred_at.toISOString() })
}

function readLocations(
  locations: readonly LocationInput[],
  { timezone }: Organisation,
  now: Date,
): [NewPosition, ...NewPosition[]] {
  const problems: ErrorDetail[] = []
  const positions = locations.map((location, index): NewPosition => {
    const occurredAt = location.occurredAt ? readTime(location.occurredAt, timezone) : now
    const field = `locations.${index}.occurredAt`
    if (!occurredAt)
      problems.push({ field, code: 'INVALID_TIME', message: `${field} must look like 2026-11-15T09:30:00Z` })
    return {
      lat: location.lat,
      lng: location.lng,
      heading: location.heading ?? null,
      speed_metres_per_second: location.speedMetresPerSecond ?? null,
      accuracy_metres: location.accuracyMetres ?? null,
      occurred_at: notAfter(occurredAt ?? now, now),
    }
  })
  if (problems.length > 0) throw refusalOf(problems)
  return positions as [NewPosition, ...NewPosition[]]
}

/** A clock that goes fast would otherwise make everything that follows look old. */
const notAfter = (time: Date, now: Date) => (time > now ? now : time)
