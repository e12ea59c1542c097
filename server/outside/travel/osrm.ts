import type { Point } from '../../../core/geo.ts'
import type { Transport } from '../../../core/travel.ts'
import type { Outside } from '../fetch.ts'
import { type Engine, mostBytes, nonsense, readJson, readWays, type Way } from './engine.ts'

/* OSRM's table service: https://project-osrm.org/docs/v5.24.0/api/#table-service */

const profiles: Record<Transport, string> = {
  foot: 'walking',
  bicycle: 'cycling',
  motorcycle: 'driving',
  car: 'driving',
  van: 'driving',
  truck: 'driving',
}

/** OSRM moves a place to the nearest known road, however far: with a map of Berlin, all of Bucharest is one point. */
const farthestRoadMetres = 5_000

/** An OSRM server has one profile but accepts any; so unless the URL names each profile, it is used for cars only. */
export const osrm = (outside: Outside, url: string): Engine => ({
  name: 'osrm',
  profileOf(transport) {
    const profile = profiles[transport]
    return profile === 'driving' || url.includes('{profile}') ? profile : undefined
  },
  async ask({ profile, from, to, timeoutMs, signal }) {
    const base = `${url.replace('{profile}', profile)}/table/v1/${profile}`
    const places = [...from, ...to].map(({ lat, lng }) => `${lng},${lat}`).join(';')
    const sources = from.map((_, index) => index).join(';')
    const destinations = to.map((_, index) => from.length + index).join(';')
    const query = `annotations=duration,distance&generate_hints=false&sources=${sources}&destinations=${destinations}`
    const answer = await outside.send({
      method: 'GET',
      url: `${base}/${places}?${query}`,
      timeoutMs,
      signal,
      maxBytes: mostBytes,
    })
    const body = readJson(answer)
    if (body['code'] !== 'Ok') throw nonsense(`${answer.status} ${String(body['code']).slice(0, 40)}`)
    const ways = readWays(body['durations'], body['distances'], from.length, to.length)
    const [fromRoad, toRoad] = [areOnRoads(body['sources'], from), areOnRoads(body['destinations'], to)]
    return ways.map((row, start) => row.map((way, end): Way => (fromRoad[start] && toRoad[end] ? way : null)))
  },
})

function areOnRoads(waypoints: unknown, places: readonly Point[]): boolean[] {
  if (!Array.isArray(waypoints) || waypoints.length !== places.length) throw nonsense('without its waypoints')
  return waypoints.map((waypoint) => !(Number(waypoint?.distance) > farthestRoadMetres))
}
