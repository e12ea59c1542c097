import type { Changed } from '../../../contract/event.ts'
import type { PhoneChanges } from '../../../contract/sync.ts'
import type { Db } from '../../db/db.ts'
import type { Notices } from '../../db/notices.ts'
import { lookEveryMs, shareFollower } from '../../events/follow.ts'
import { getLastEventId } from '../../events/tail.ts'
import { hints, newEvents } from '../../topics.ts'
import { listSignedIn } from '../devices/queries.ts'
import { mostEvents } from '../sync/changes.ts'
import { listConcernedDrivers } from '../sync/queries.ts'

/*
 * Which of the devices with an open stream have to sync. One look for all devices of an organisation, and only the ones
 * concerned are woken: what happens to one driver costs the others nothing.
 */

export interface SyncingDevice {
  driverId: number
  deviceId: number
}

interface Reader extends SyncingDevice {
  /** Something changed that a sync would tell. */
  call(): void
  /** It may have been signed out. */
  check(): void
}

interface Watched extends Reader {
  driverChangedMs?: number
}

/** What happens within this time is looked at together. */
const collectMs = 100
/** After a look that failed, because the database is away. */
const retryMs = 1_000
/** Devices are called one after the other if everyone has to sync: 500 in a second. */
const betweenCallsMs = 2

/** What a sync tells every driver of an organisation alike, by the notice that says it has changed. */
type OfOneDriver = 'full' | 'more' | 'tasks' | 'removed' | 'order' | 'user' | 'settled' | 'payments'
const toldToEveryone: Record<Exclude<keyof PhoneChanges, OfOneDriver>, Changed> = {
  settings: 'company',
  forms: 'forms',
  reasons: 'reasons',
}
const forEveryone: readonly unknown[] = Object.values(toldToEveryone)

/** From when it resolves on, the device is called for whatever changes. Returns how to stop. */
export async function watchDevice(db: Db, notices: Notices, organisationId: number, reader: Reader) {
  const watched: Watched = { ...reader }
  const { follower, leave } = watch(db, notices, organisationId, watched)
  try {
    await follower.join(watched)
    return leave
  } catch (error) {
    leave()
    throw error
  }
}

const watch = shareFollower(openWatch)

function openWatch(db: Db, notices: Notices, organisationId: number, devices: ReadonlySet<Watched>) {
  let lastId: number | undefined
  let isStopped = false
  /** Set while a look is coming or under way. */
  let timer: NodeJS.Timeout | undefined
  let due: { events?: boolean | undefined; drivers?: boolean | undefined } = {}

  async function lookAtEvents() {
    const endId = await getLastEventId(db, organisationId)
    const fromId = lastId ?? endId
    if (endId - fromId > mostEvents) callEveryone()
    else if (endId > fromId) {
      const concerned = await listConcernedDrivers(db, organisationId, fromId, endId)
      const byDriver = Map.groupBy(concerned, ({ user_id }) => user_id)
      for (const { driverId, deviceId, call } of devices)
        if (byDriver.get(driverId)?.some(({ synced_by }) => synced_by !== deviceId)) call()
    }
    lastId = endId
  }

  async function lookAtDrivers(looked: Watched[]) {
    const ids = looked.map(({ deviceId }) => deviceId)
    const found = new Map((await listSignedIn(db, organisationId, ids)).map((one) => [one.id, one.driver_changed_at]))
    for (const device of looked) {
      const changedMs = found.get(device.deviceId)?.getTime()
      if (changedMs === undefined) device.check()
      else if (device.driverChangedMs !== undefined && device.driverChangedMs !== changedMs) device.call()
      if (changedMs !== undefined) device.driverChangedMs = changedMs
    }
  }

  function callEveryone() {
    let waitMs = 0
    for (const device of devices) {
      setTimeout(() => devices.has(device) && device.call(), waitMs).unref()
      waitMs += betweenCallsMs
    }
  }

  async function look() {
    const { events, drivers } = due
    due = {}
    let againMs = collectMs
    try {
      if (events) await lookAtEvents()
      if (drivers) await lookAtDrivers([...devices])
    } catch {
      due = { events, drivers, ...due }
      againMs = retryMs
    }
    if (isStopped) return
    timer = due.events || due.drivers ? setTimeout(look, againMs).unref() : undefined
  }
  function lookSoon(what: 'events' | 'drivers') {
    due[what] = true
    timer ??= setTimeout(look, collectMs).unref()
  }

  const stops = [
    notices.onRing(newEvents, (id) => {
      if (id === undefined || id === organisationId) lookSoon('events')
    }),
    notices.onTold(hints, organisationId, (hint) => {
      if (hint?.kind === 'position' || hint?.kind === 'arrival') return
      if (!hint || hint.about === 'drivers') lookSoon('drivers')
      if (!hint || forEveryone.includes(hint.about)) callEveryone()
    }),
  ]
  const clock = setInterval(() => lookSoon('events'), lookEveryMs).unref()

  return {
    async join(device: Watched) {
      if (lastId === undefined) await lookAtEvents()
      await lookAtDrivers([device])
    },
    stop() {
      isStopped = true
      for (const stop of stops) stop()
      clearInterval(clock)
      clearTimeout(timer)
    },
  }
}
