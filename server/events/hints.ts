import { type Changed, changes, type LiveArrival, type LiveMessages, type LivePosition } from '../../contract/live.ts'
import { lackingScopes, type Scope } from '../../contract/scopes.ts'
import type { Notices } from '../db/notices.ts'
import { hints } from '../topics.ts'

/*
 * What a stream sends besides events: driver positions and arrivals, and notices that something other than a task has changed. They
 * have no number and are not logged, so a reader that was away fetches what it shows again. Only the last message about
 * a thing counts, and a slow reader gets only the latest. Changes are announced by `announceChanges` in topics.
 */

/** The message carries the data itself, so that no query is needed. */
export const announcePosition = (notices: Notices, organisationId: number, position: LivePosition) =>
  notices.tell(hints, { organisationId, kind: 'position', about: position.driverId, data: position })

/** The same for arrivals that moved without an event. */
export const announceArrival = (notices: Notices, organisationId: number, arrival: LiveArrival) =>
  notices.tell(hints, { organisationId, kind: 'arrival', about: arrival.taskId, data: arrival })

const positionsEveryMs = 1_000
const changesEveryMs = 250

export interface Hints {
  /** What was collected since and the scopes allow, as server-sent events. */
  take(scopes: readonly string[]): string[]
  stop(): void
}

/** Collects for one stream, and wakes it when it is time to send. */
export function collectHints(notices: Notices, organisationId: number, wake: () => void): Hints {
  const positions = createBatch<LivePosition>(positionsEveryMs, wake)
  const arrivals = createBatch<LiveArrival>(positionsEveryMs, wake)
  const changed = createBatch<Changed>(changesEveryMs, wake)
  const stopListening = notices.onTold(hints, organisationId, (hint) => {
    if (hint?.kind === 'position') positions.add(hint.about, hint.data as LivePosition)
    else if (hint?.kind === 'arrival') arrivals.add(hint.about, hint.data as LiveArrival)
    else if (hint) changed.add(hint.about, hint.about as Changed)
    // Some may have been lost, and it is unknown which.
    else for (const what of Object.keys(changes) as Changed[]) changed.add(what, what)
  })
  return {
    take(scopes) {
      const maySee = (scope: Scope) => lackingScopes(scopes, [scope]).length === 0
      const told = changed.take().filter((what) => maySee(changes[what]))
      const seen = positions.take()
      const expected = arrivals.take()
      return [
        ...told.map((what) => asEvent('changed', { what })),
        ...(seen.length > 0 && maySee(changes.drivers) ? [asEvent('position', { positions: seen })] : []),
        ...(expected.length > 0 && maySee('tasks:read') ? [asEvent('arrival', { arrivals: expected })] : []),
      ]
    },
    stop() {
      stopListening()
      positions.stop()
      arrivals.stop()
      changed.stop()
    },
  }
}

const asEvent = <Name extends keyof LiveMessages>(name: Name, data: LiveMessages[Name]) =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** The first one is sent at once; those that follow wait until the interval is over and are sent together. */
export function createBatch<Item>(everyMs: number, wake: () => void) {
  let items = new Map<string | number, Item>()
  let timer: NodeJS.Timeout | undefined
  let isDue = false
  let freeAt = 0
  return {
    add(key: string | number, item: Item) {
      items.set(key, item)
      timer ??= setTimeout(
        () => {
          isDue = true
          wake()
        },
        Math.max(0, freeAt - performance.now()),
      ).unref()
    },
    take(): Item[] {
      if (!isDue) return []
      const taken = [...items.values()]
      items = new Map()
      timer = undefined
      isDue = false
      freeAt = performance.now() + everyMs
      return taken
    },
    stop: () => clearTimeout(timer),
  }
}
