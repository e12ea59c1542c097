import type { Point } from '../../../core/geo.ts'
import type { Travel, TravelRequest, TravelTimes } from '../../outside/travel/travel.ts'

/** The trips between places, one of which is "nowhere": trips from and to it are unknown and take no time. */
export interface Ways {
  placeCount: number
  nowhere: number
  seconds: Int32Array
  metres: Int32Array
  times: Pick<TravelTimes, 'source' | 'isEstimate' | 'warnings'>
}

export async function findWays(travel: Travel, request: TravelRequest): Promise<Ways> {
  const { seconds, metres, source, isEstimate, warnings } = await travel.times(request)
  const size = request.places.length
  return {
    placeCount: size + 1,
    nowhere: size,
    seconds: withNowhere(seconds, size),
    metres: withNowhere(metres, size),
    times: { source, isEstimate, warnings },
  }
}

/** Only what is needed to visit these places in this order, by their index: the other trips take no time. */
export async function findWaysAlong(travel: Travel, request: TravelRequest, order: readonly number[]): Promise<Ways> {
  const size = request.places.length
  const places = order.map((place) => request.places[place] as Point)
  const { seconds, metres, source, isEstimate, warnings } = await travel.steps({ ...request, places })
  const ways = { placeCount: size + 1, nowhere: size, times: { source, isEstimate, warnings } }
  const table = { seconds: new Int32Array((size + 1) ** 2), metres: new Int32Array((size + 1) ** 2) }
  for (const [step, place] of order.slice(0, -1).entries()) {
    const trip = place * (size + 1) + (order[step + 1] as number)
    table.seconds[trip] = seconds[step] as number
    table.metres[trip] = metres[step] as number
  }
  return { ...ways, ...table }
}

function withNowhere(table: Int32Array, size: number): Int32Array {
  const wider = new Int32Array((size + 1) ** 2)
  for (let row = 0; row < size; row += 1) wider.set(table.subarray(row * size, (row + 1) * size), row * (size + 1))
  return wider
}
