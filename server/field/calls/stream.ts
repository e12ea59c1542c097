import { type Changed, callNames } from '../../../contract/live.ts'
import type { PhoneChanges } from '../../../contract/sync.ts'
import { createCalls } from '../../events/calls.ts'
import { listSignedIn } from '../devices/queries.ts'
import { listConcernedDrivers } from '../sync/change-queries.ts'
import { mostEvents } from '../sync/changes.ts'

/* A stream says nothing but "sync now": what changed stands in the answer to the sync, in one place. */

const syncNow = `event: ${callNames.sync}\ndata: {}\n\n`

interface SyncingDevice {
  driverId: number
  deviceId: number
}

/** What a sync tells every driver of an organisation alike, by the notice that says it has changed. */
type OfOneDriver = 'full' | 'more' | 'tasks' | 'removed' | 'erased' | 'order' | 'user' | 'settled' | 'payments' | 'cash'
const toldToEveryone: Record<Exclude<keyof PhoneChanges, OfOneDriver>, Changed> = {
  settings: 'company',
  forms: 'forms',
  reasons: 'reasons',
}
const forEveryone: readonly unknown[] = Object.values(toldToEveryone)
/** What has no event of a task, and is told to one driver: whom, is read. */
const changesOneDriver: readonly unknown[] = ['drivers', 'cash'] satisfies Changed[]

/** Of a driver: themselves, and what was counted of their cash. */
const knownOf = (row: Awaited<ReturnType<typeof listSignedIn>>[number]) =>
  `${row.driver_changed_at.getTime()} ${row.counted_id}`

/** Calls a device at once, because it may have missed something while it was away, and whenever something changes for it. */
export const streamCalls = createCalls<SyncingDevice & { known?: string }>({
  opening: `retry: 2000\n${syncNow}`,
  call: syncNow,
  collectMs: 100,
  mostEvents,
  // 500 devices in a second.
  betweenCallsMs: 2,

  async learn({ db, organisationId }, devices) {
    const ids = devices.map(({ deviceId }) => deviceId)
    const found = new Map((await listSignedIn(db, organisationId, ids)).map((one) => [one.id, knownOf(one)]))
    for (const device of devices) {
      const known = found.get(device.deviceId)
      if (known === undefined) device.check()
      else if (device.known !== undefined && device.known !== known) device.call()
      if (known !== undefined) device.known = known
    }
  },

  async callConcerned({ db, organisationId, readers: devices }, afterId, lastId) {
    const concerned = await listConcernedDrivers(db, organisationId, afterId, lastId)
    const byDriver = Map.groupBy(concerned, ({ user_id }) => user_id)
    for (const { driverId, deviceId, call } of devices)
      if (byDriver.get(driverId)?.some(({ synced_by }) => synced_by !== deviceId)) call()
  },

  hear({ callEveryone, learnSoon }, hint) {
    if (hint?.kind === 'position' || hint?.kind === 'arrival') return
    if (!hint || changesOneDriver.includes(hint.about)) learnSoon()
    if (!hint || forEveryone.includes(hint.about)) callEveryone()
  },
})
