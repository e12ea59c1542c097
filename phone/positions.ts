import { isRefused } from './answers.ts'
import { goesOnDuty, type KeptPosition } from './kept.ts'
import { type Ports, timeOf } from './ports.ts'
import { readSession } from './store.ts'

/** A shift at the usual pace has 2,000. If there are more, the oldest go: the office needs to know where the driver is. */
const mostKept = 5_000
/** The server takes 1,000. */
const mostAtOnce = 500

export type Positions = ReturnType<typeof createPositions>

export function createPositions({ store, connect, clock, alone }: Ports) {
  /** Sends what is kept, or what was measured before that time. */
  async function send(before = '9999') {
    for (;;) {
      const { session, kept, duty } = await store.read(async (shelves) => {
        const session = await readSession(shelves)
        const kept = await shelves.positions.first(mostAtOnce)
        // A duty they belong to is either here or known to the server, which takes nothing else.
        const ops = await shelves.ops.getAll()
        return { session, kept, duty: ops.find((one) => one.driverId === session?.driverId && goesOnDuty(one)) }
      })
      if (!session?.token) return
      const end = duty && duty.op.occurredAt < before ? duty.op.occurredAt : before
      const later = kept.findIndex(({ location }) => location.occurredAt >= end)
      const batch = later < 0 ? kept : kept.slice(0, later)
      const last = batch.at(-1)
      if (!last) return
      const locations = batch.filter(({ driverId }) => driverId === session.driverId).map(({ location }) => location)
      try {
        const deviceTime = timeOf(clock)
        if (locations.length > 0)
          await connect(session.token).reportDriverLocations({ body: { locations, deviceTime } })
      } catch (error) {
        if (!isRefused(error)) throw error
      }
      await store.change(({ positions }) => positions.deleteUntil(last.place), 'soon')
    }
  }

  return {
    send,

    /** Keeps where the driver is until it is sent. A full phone needs its room for work and photos. */
    async keep(position: Omit<KeptPosition, 'place'>) {
      try {
        await store.change(async ({ positions }) => {
          await positions.add(position)
          const tooMany = (await positions.count()) - mostKept
          const last = tooMany > 0 ? (await positions.first(tooMany)).at(-1) : undefined
          if (last) await positions.deleteUntil(last.place)
        }, 'soon')
      } catch (error) {
        if (!store.isFull(error)) throw error
      }
    },

    /** Sends what is kept now, unless something the driver did waits: the server has to know of the duty first. */
    report: (): Promise<boolean> =>
      alone(async () => {
        const isWaiting = await store.read(async ({ ops }) => (await ops.getAll()).length > 0)
        if (!isWaiting) await send()
        return !isWaiting
      }),
  }
}
