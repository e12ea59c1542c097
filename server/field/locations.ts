import { type ErrorCode, Refusal } from '../../contract/errors.ts'
import type { LocationInput, LocationReport, LocationsKept } from '../../contract/location.ts'
import { clockOffsetMs, toleratedMs } from '../../core/device-clock.ts'
import { wasOnDuty } from '../../core/duty.ts'
import { readTime } from '../../core/time.ts'
import type { Context } from '../context.ts'
import { listDuties, type NewLocation, saveLocations } from '../drivers/positions.ts'
import { announcePosition } from '../events/hints.ts'
import { createGatherer } from '../gather.ts'
import type { Organisation } from '../organisations/queries.ts'
import { noteBatteries } from './devices/queries.ts'
import { readOwnTime } from './sync/op.ts'

/** The device of a driver. */
export interface Reporter {
  driverId: number
  deviceId: number
}

/** Keeps the places a device has been to, and says which it did not keep, and why. A bad one never hurts another. */
export async function reportLocations(
  context: Context,
  organisation: Organisation,
  reporter: Reporter,
  { locations, deviceTime }: LocationReport,
): Promise<LocationsKept> {
  const { clock, config } = context
  const { timezone } = organisation
  const now = clock.now()
  const offsetMs = deviceTime ? clockOffsetMs(readOwnTime(deviceTime, 'deviceTime', timezone), now) : 0
  const oldest = new Date(now.getTime() - config.locationDays * 24 * 3_600_000)
  const read = locations.map((location) =>
    readLocation(location, reporter.driverId, { timezone, offsetMs, now, oldest }),
  )
  const good = read.filter((one): one is NewLocation => !(one instanceof Refusal))
  const offDuty =
    good.length > 0
      ? await gather(context, String(organisation.id), { organisationId: organisation.id, reporter, good })
      : new Set()
  const leftOut = read.flatMap((one, index) => {
    const refusal = one instanceof Refusal ? one : offDuty.has(one) ? new Refusal('OFF_DUTY') : undefined
    return refusal ? [explain(refusal, index + 1)] : []
  })
  return { kept: locations.length - leftOut.length, leftOut }
}

const explain = ({ code, message, field }: Refusal, item: number) => ({
  item,
  code,
  message,
  ...(field !== undefined && { field }),
})

interface Times {
  timezone: string
  /** How far the clock of the device is ahead of ours. */
  offsetMs: number
  now: Date
  oldest: Date
}

function readLocation(
  location: LocationInput | Refusal,
  driverId: number,
  { timezone, offsetMs, now, oldest }: Times,
): NewLocation | Refusal {
  if (location instanceof Refusal) return location
  const { lat, lng, occurredAt, heading = null, battery, accuracyMetres = null, speedMetresPerSecond = null } = location
  const told = occurredAt ? readTime(occurredAt, timezone) : new Date(now.getTime() + offsetMs)
  if (!told) return refuseTime('INVALID_TIME', 'occurredAt must look like 2026-11-15T09:30:00Z')
  const ms = told.getTime() - offsetMs
  if (ms > now.getTime() + toleratedMs) return refuseTime('LOCATION_IN_FUTURE')
  if (ms < oldest.getTime()) return refuseTime('LOCATION_TOO_OLD')
  return {
    driver_id: driverId,
    // A clock that goes a little fast must not make what follows look old.
    occurred_at: new Date(Math.min(ms, now.getTime())),
    lat,
    lng,
    accuracy_metres: inHundredths(accuracyMetres),
    speed_metres_per_second: inHundredths(speedMetresPerSecond),
    heading: heading && Math.round(heading),
    battery: typeof battery === 'number' && battery >= 0 && battery <= 100 ? Math.round(battery) : null,
  }
}

const refuseTime = (code: ErrorCode, message?: string) =>
  new Refusal(code, { field: 'occurredAt', ...(message && { message }) })

/** What a device can know. PostgreSQL refuses numbers too close to zero for four bytes. */
const inHundredths = (value: number | null) => value && Math.round(value * 100) / 100

interface Batch {
  organisationId: number
  reporter: Reporter
  good: NewLocation[]
}

/** Batches of one organisation share statements: a phone sends few positions at a time, and there are many phones. */
const gather = createGatherer<Batch, ReadonlySet<NewLocation>>({
  mostAtOnce: 2,
  largestSet: 5_000,
  sizeOf: ({ good }) => good.length,
  write: keepBatches,
})

/** Returns for each batch what was left out because the driver was off duty. */
async function keepBatches({ db, notices }: Context, batches: Batch[]): Promise<ReadonlySet<NewLocation>[]> {
  const { organisationId } = batches[0] as Batch
  const driverIds = [...new Set(batches.map(({ reporter }) => reporter.driverId))]
  const rows = await listDuties(db, organisationId, driverIds)
  const duties = new Map(
    rows.map(({ id, in_shift, duty_started_at, duty_ended_at }) => [
      id,
      { isOnDuty: in_shift, startedAt: duty_started_at, endedAt: duty_ended_at },
    ]),
  )
  const kept = batches.map(({ reporter, good }) => {
    const duty = duties.get(reporter.driverId)
    return duty ? good.filter(({ occurred_at }) => wasOnDuty(duty, occurred_at)) : []
  })
  const all = kept.flat()
  const devices = batches.map(({ reporter }, index) => ({
    id: reporter.deviceId,
    battery: kept[index]?.at(-1)?.battery ?? null,
  }))
  const [movedIds] = await Promise.all([
    all.length > 0 ? saveLocations(db, organisationId, all) : [],
    noteBatteries(db, organisationId, devices),
  ])
  announce(notices, organisationId, all, movedIds)
  return batches.map(({ good }, index) => new Set(good).difference(new Set(kept[index])))
}

function announce(notices: Context['notices'], organisationId: number, kept: NewLocation[], movedIds: number[]) {
  const newest = new Map<number, NewLocation>()
  for (const one of kept) {
    const other = newest.get(one.driver_id)
    if (!other || one.occurred_at > other.occurred_at) newest.set(one.driver_id, one)
  }
  for (const driverId of movedIds) {
    const { lat, lng, heading, occurred_at } = newest.get(driverId) as NewLocation
    announcePosition(notices, organisationId, { driverId, lat, lng, heading, occurredAt: occurred_at.toISOString() })
  }
}
