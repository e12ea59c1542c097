import type { Point } from '../../../core/geo.ts'
import type { Transport } from '../../../core/travel.ts'
import { createWayCache, metresIn, pack, secondsIn } from './cache.ts'
import type { Roads, RoadTable } from './roads.ts'

/*
 * The steps of routes, as the roads have them. Arrivals follow many drivers, each along the same stops from another place
 * every ten seconds: so all but the first step is known from before, and a driver costs two places instead of a table of all.
 */

const mostSteps = 100_000
/** A search that still had the roads of an older import is not believed for longer than this. */
const freshMs = 10 * 60_000

export function createStepCache(roads: Roads, mapId: () => Promise<number | undefined>) {
  const cache = createWayCache(mostSteps, freshMs)

  return {
    /** -1 where no way by road is known. */
    async find(transport: Transport, places: readonly Point[]): Promise<RoadTable> {
      const count = Math.max(0, places.length - 1)
      const [seconds, metres] = [new Float64Array(count).fill(-1), new Float64Array(count).fill(-1)]
      const map = await mapId()
      const names = places.map(({ lat, lng }) => `${lat},${lng}`)
      const starts = names.map((name) => `${map} ${transport} ${name}`)
      const keep = (step: number, packed: number) => {
        if (packed === noWay) return
        seconds[step] = secondsIn(packed) / thousandths
        metres[step] = metresIn(packed)
      }
      const unknown = [...seconds.keys()].filter((step) => {
        const packed = cache.get(starts[step] as string, names[step + 1] as string)
        if (packed !== undefined) keep(step, packed)
        return packed === undefined
      })
      for (const run of runsOf(unknown)) {
        const [first, last] = [run[0] as number, (run.at(-1) as number) + 1]
        const table = await roads.table(transport, places.slice(first, last + 1))
        // Without roads nothing is learned that holds for longer than now.
        if (!table) break
        const size = last - first + 1
        for (const [at, step] of run.entries()) {
          const trip = at * size + at + 1
          const [took, far] = [table.seconds[trip] as number, table.metres[trip] as number]
          const packed = took < 0 ? noWay : pack(Math.round(took * thousandths), Math.round(far))
          cache.set(starts[step] as string, names[step + 1] as string, packed)
          keep(step, packed)
        }
      }
      return { seconds, metres }
    },
  }
}

const noWay = -1
/** As exact as the search: traffic multiplies it, and a route is the same whoever adds it up. */
const thousandths = 1_000
/** A table of more places than this costs more than several small ones. */
const longestRun = 50

/** Steps that follow each other, together. */
function runsOf(steps: readonly number[]): number[][] {
  const runs: number[][] = []
  for (const step of steps) {
    const run = runs.at(-1)
    if (run && run.at(-1) === step - 1 && run.length < longestRun) run.push(step)
    else runs.push([step])
  }
  return runs
}
