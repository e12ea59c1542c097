import type { Point, Traffic } from '../../../core/geo.ts'
import type { Transport } from '../../../core/travel.ts'
import type { Travel, TravelTimes } from '../../outside/travel/travel.ts'

/** The trips between places, one of which is "nowhere": trips from and to it are unknown and take no time. */
export interface Ways {
  placeCount: number
  nowhere: number
  seconds: Int32Array
  metres: Int32Array
  times: Pick<TravelTimes, 'source' | 'isEstimate' | 'warnings'>
}

export async function findWays(
  travel: Travel,
  places: readonly Point[],
  traffic: Traffic,
  transport: Transport,
): Promise<Ways> {
  const { seconds, metres, source, isEstimate, warnings } = await travel.times({ places, traffic, transport })
  const size = places.length
  return {
    placeCount: size + 1,
    nowhere: size,
    seconds: withNowhere(seconds, size),
    metres: withNowhere(metres, size),
    times: { source, isEstimate, warnings },
  }
}

function withNowhere(table: Int32Array, size: number): Int32Array {
  const wider = new Int32Array((size + 1) ** 2)
  for (let row = 0; row < size; row += 1) wider.set(table.subarray(row * size, (row + 1) * size), row * (size + 1))
  return wider
}
