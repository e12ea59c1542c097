import type { Point } from '../../../core/geo.ts'
import type { Transport } from '../../../core/travel.ts'
import type { Outside } from '../fetch.ts'
import { type Engine, mostBytes, nonsense, readJson, readWays } from './engine.ts'

/* Valhalla's matrix service: https://valhalla.github.io/valhalla/api/matrix/api-reference/ */

const costings: Record<Transport, string> = {
  foot: 'pedestrian',
  bicycle: 'bicycle',
  motorcycle: 'motorcycle',
  car: 'auto',
  van: 'auto',
  truck: 'truck',
}

const placeOf = ({ lat, lng }: Point) => ({ lat, lon: lng })

export const valhalla = (outside: Outside, url: string): Engine => ({
  name: 'valhalla',
  profileOf: (transport) => costings[transport],
  async ask({ profile, from, to, timeoutMs, signal }) {
    const question = { sources: from.map(placeOf), targets: to.map(placeOf), costing: profile, units: 'kilometers' }
    const answer = await outside.send({
      method: 'POST',
      url: `${url.replace('{profile}', profile)}/sources_to_targets`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...question, verbose: true }),
      timeoutMs,
      signal,
      maxBytes: mostBytes,
    })
    const body = readJson(answer)
    if (answer.status !== 200) throw nonsense(`${answer.status} (error ${Number(body['error_code'])})`)
    if (body['units'] !== undefined && body['units'] !== 'kilometers') throw nonsense('in units we did not ask for')
    const rows = body['sources_to_targets']
    return readWays(cellsOf(rows, 'time'), cellsOf(rows, 'distance'), from.length, to.length)
  },
})

/** One value of every cell; distances, which come in kilometres, in metres. */
function cellsOf(rows: unknown, name: 'time' | 'distance'): unknown {
  if (!Array.isArray(rows)) return undefined
  return rows.map((row) => (Array.isArray(row) ? row.map((cell) => inMetres(cell?.[name], name)) : row))
}

const inMetres = (value: unknown, name: string) =>
  name === 'distance' && typeof value === 'number' ? value * 1_000 : value
