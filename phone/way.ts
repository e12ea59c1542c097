import type { PhoneTask } from '../contract/sync.ts'
import type { Point } from '../core/geo.ts'
import { stopsOf } from '../core/stop.ts'
import { type KnownLine, lacksLines, linesOf } from '../core/way.ts'
import type { KeptWay } from './kept.ts'
import type { Ports } from './ports.ts'
import { type Readable, readSession } from './store.ts'

/** Where a driver stops, in the order of these tasks. */
export const placesOnWay = (tasks: readonly Pick<PhoneTask, 'address'>[]): Point[] =>
  stopsOf(tasks, ({ address }) => address).flatMap(([first]) => {
    const { lat = null, lng = null } = first?.address ?? {}
    return lat === null || lng === null ? [] : [{ lat, lng }]
  })

const readWay = async ({ facts }: Pick<Readable, 'facts'>) => (await facts.get('way')) as KeptWay | undefined

/** The way along the roads, kept with the day. Only a map shows it, so nothing waits for it and nobody is told that it failed. */
export function createWay({ store, connect, news }: Ports) {
  let asking: Promise<void> | undefined

  async function ask() {
    const session = await store.read(readSession)
    if (!session?.token) return
    const { route } = await connect(session.token).getOwnRoute({ query: {} })
    await store.change(async (shelves) => {
      if ((await readSession(shelves))?.token !== session.token) return
      await shelves.facts.put({ day: route.day, lines: linesOf(route.start, route.stops) }, 'way')
    }, 'soon')
    news.tell()
  }

  const fetchLines = () => {
    asking ??= ask()
      .catch(() => {})
      .finally(() => {
        asking = undefined
      })
    return asking
  }

  return {
    readLines: async (): Promise<KnownLine[]> => (await store.read(readWay))?.lines ?? [],
    fetchLines,
    /** Asks the server if a line through these stops was never asked for, or that was on another day. */
    async completeLines(stops: readonly Point[], today: string) {
      const kept = await store.read(readWay)
      if (kept?.day !== today || lacksLines(stops, kept.lines)) await fetchLines()
    },
  }
}
