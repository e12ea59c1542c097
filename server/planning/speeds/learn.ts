import { setImmediate as nextTurn } from 'node:timers/promises'
import { drivesOf, isSameWay, learnSpeed, type Pace } from '../../../core/learned-speed.ts'
import { hourOfWeek } from '../../../core/time.ts'
import { slowdownOf, transportOf } from '../../../core/travel.ts'
import { type Context, contextOf, type Service, system } from '../../context.ts'
import {
  claimLesson,
  type DriverDay,
  type Lesson,
  listDriverDays,
  listFixes,
  saveLesson,
  usualTransportation,
} from './queries.ts'

/*
 * How fast the drivers of an organisation really are, learned once a day from their tracks, all of it anew: nothing about a single
 * drive is kept (docs/decisions/0061).
 */

/** Work is bounded: of more days of drivers a sample is looked at. */
const mostDriverDays = 200
const days = 30
const everySeconds = 10
/** Of more drives in an hour the first ones are compared. */
const mostDrives = 20

/** So many organisations in one round; the others are due in the next one, too. */
const atOnce = 20

/** One round over the organisations that are due. */
export async function learnSpeeds(service: Service, stopping: AbortSignal) {
  for (let count = 0; count < atOnce && !stopping.aborted; count += 1) {
    const lesson = await claimLesson(service.database.everyone)
    if (!lesson) return
    await learnFrom(contextOf(service, lesson.organisation.id, system), lesson, stopping)
  }
}

async function learnFrom(context: Context, { organisation, claimed_at }: Lesson, stopping: AbortSignal) {
  const paces = new Map<number, Pace[]>()
  for (const driverDay of await listDriverDays(context.db, organisation, days, mostDriverDays)) {
    if (stopping.aborted) return
    const transportationId = driverDay.transportation_id ?? usualTransportation
    const found = await findPaces(context, organisation.id, organisation.timezone, driverDay)
    // Without roads there is nothing to compare with; what is known stays until there are some again.
    if (!found) return
    paces.set(transportationId, [...(paces.get(transportationId) ?? []), ...found])
    await nextTurn()
  }
  const learned = [...paces].map(([transportationId, own]) => ({ transportationId, ...learnSpeed(own) }))
  await saveLesson(
    context.db,
    organisation.id,
    claimed_at,
    learned.map(({ hours: _, ...seen }) => seen),
    learned.flatMap(({ transportationId, hours }) => hours.map((hour) => ({ transportationId, ...hour }))),
  )
}

/** How fast a driver was on a day, hour by hour; undefined if no roads are here. */
async function findPaces(
  { db, travel }: Context,
  organisationId: number,
  timezone: string,
  driverDay: DriverDay,
): Promise<Pace[] | undefined> {
  const transport = transportOf(driverDay.transportation_id)
  const drives = drivesOf(await listFixes(db, organisationId, driverDay, everySeconds))
  const byHour = Map.groupBy(drives, ({ from }) => hourOfWeek(from.at.getTime(), timezone))
  const slowdown = slowdownOf('best_guess', transport)
  const paces: Pace[] = []
  for (const [hour, all] of byHour) {
    const some = all.slice(0, mostDrives)
    const places = some.flatMap(({ from, to }) => [from, to])
    const table = await travel.byRoads({ places, transport })
    if (!table) return undefined
    let [seconds, expectedSeconds] = [0, 0]
    for (const [index, drive] of some.entries()) {
      const trip = 2 * index * places.length + 2 * index + 1
      const byRoads = table.seconds[trip] as number
      if (byRoads <= 0 || !isSameWay(drive.metres, table.metres[trip] as number)) continue
      seconds += drive.seconds
      expectedSeconds += byRoads * slowdown
    }
    if (expectedSeconds > 0)
      paces.push({ driverId: driverDay.driver_id, day: driverDay.day, hour, seconds, expectedSeconds })
  }
  return paces
}
