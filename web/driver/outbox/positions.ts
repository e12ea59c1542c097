import { currentSession, database, goesOnDuty, isFull, type KeptPosition } from '../store/database.ts'
import { isRefused, serverFor } from './server.ts'

/** A shift at the usual pace has 2,000. If there are more, the oldest go: the office needs to know where the driver is. */
const mostKept = 5_000
/** The server takes 1,000. */
const mostAtOnce = 500

/** Keeps where the driver is until it is sent. A full phone needs its room for work and photos. */
export async function keepPosition(position: Omit<KeptPosition, 'place'>) {
  const db = await database()
  try {
    await db.add('positions', position)
  } catch (error) {
    if (isFull(error)) return
    throw error
  }
  const tooMany = (await db.count('positions')) - mostKept
  if (tooMany <= 0) return
  const oldest = await db.getAllKeys('positions', null, tooMany)
  await db.delete('positions', IDBKeyRange.upperBound(oldest.at(-1)))
}

/** Sends what is kept now, unless something the driver did waits: the server has to know of the duty first. */
export const reportPositions = (): Promise<boolean> =>
  navigator.locks.request('waybill-driver', async () => {
    if ((await (await database()).count('ops')) > 0) return false
    await sendPositions()
    return true
  })

/** Sends what is kept, or what was measured before that time. */
export async function sendPositions(before = '9999') {
  for (;;) {
    const session = await currentSession()
    if (!session?.token) return
    const db = await database()
    const kept = (await db.getAll('positions', null, mostAtOnce)) as KeptPosition[]
    // Read after the positions: a duty they belong to is either here or known to the server, which takes nothing else.
    const duty = (await db.getAll('ops')).find((one) => one.driverId === session.driverId && goesOnDuty(one))
    const end = duty && duty.op.occurredAt < before ? duty.op.occurredAt : before
    const later = kept.findIndex(({ location }) => location.occurredAt >= end)
    const batch = later < 0 ? kept : kept.slice(0, later)
    const last = batch.at(-1)
    if (!last) return
    const locations = batch.filter(({ driverId }) => driverId === session.driverId).map(({ location }) => location)
    try {
      const deviceTime = new Date().toISOString()
      if (locations.length > 0)
        await serverFor(session.token).reportDriverLocations({ body: { locations, deviceTime } })
    } catch (error) {
      if (!isRefused(error)) throw error
    }
    await db.delete('positions', IDBKeyRange.upperBound(last.place))
  }
}
