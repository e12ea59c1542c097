import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { importMap } from '../map/run.ts'
import { drawTown } from './extract.ts'

/** A hundred metres north and east of the middle of the town, so many times. */
export const at = (north: number, east: number): [lat: number, lng: number] => [
  45 + north * 0.0009,
  21 + east * 0.00127,
]

/** Dealu is a town with a village beside it, each with a Strada Morii. */
export function drawDealu() {
  const town = drawTown()
  town.node(at(0, 0), { place: 'town', name: 'Dealu', 'name:hu': 'Domb', population: '9000' })
  town.node(at(0, 0), { place: 'suburb', name: 'Sector 2' })
  town.node(at(60, 0), { place: 'village', name: 'Valea Mică', population: '300' })
  town.street('Strada Morii', [at(0, -5), at(0, 5)], { old_name: 'Strada Ilie Pintilie' })
  for (const [number, east] of [
    ['2', -4],
    ['4', -3],
    ['10', 0],
    ['12', 1],
    ['1', -4],
    ['3', -3],
  ] as const)
    town.house('Strada Morii', number, at(Number(number) % 2 === 0 ? 0.2 : -0.2, east), { 'addr:postcode': '330001' })
  for (const east of [-5, 5]) town.house('Strada Morii', '7', at(-0.2, east))
  town.street('Strada Morii', [at(60, -2), at(60, 2)])
  town.house('Strada Morii', '2', at(60.2, 0))
  town.street('Bulevardul Ion C. Brătianu', [at(3, -5), at(3, 5)])
  for (const number of [1, 3, 5, 7]) town.house('Bulevardul Ion C. Brătianu', String(number), at(3.2, number - 4))
  town.house('Bulevardul Ion C. Brătianu', '9A', at(3.2, 5))
  town.street('Strada 1 Decembrie 1918', [at(6, -5), at(6, 5)])
  for (const number of [5, 7, 18]) town.house('Strada 1 Decembrie 1918', String(number), at(6.2, number - 7))
  town.street('Aleea Florilor', [at(9, -2), at(9, 2)])
  town.house('Aleea Florilor', '1', at(9.1, 0))
  town.street('Strada Florilor', [at(-9, -2), at(-9, 2)])
  town.house('Strada Florilor', '1', at(-9.1, 0))
  town.node(at(-9.2, 1), { 'addr:housenumber': '3' })
  const [first, last] = [at(12, 0), at(12, 4)]
  town.street('Strada Lungă', [at(12.2, 0), at(12.2, 4)])
  town.house('Strada Lungă', '2', first)
  town.house('Strada Lungă', '10', last)
  town.node(at(120, 0), { place: 'village', name: 'Straja', population: '4000' })
  town.street('Strada Lungă', [at(120, 0), at(120, 4)])
  town.house('Strada Lungă', '6', at(120.2, 1))
  return town
}

/** This town is the map of a server, as `waybill map import` makes it while that runs. */
export async function importTown(
  { config }: { config: Pick<Config, 'databaseUrl' | 'dataFolder'> },
  town = drawDealu(),
) {
  const { databaseUrl = '', dataFolder } = config
  const folder = await mkdtemp(join(tmpdir(), 'waybill-town-'))
  try {
    const path = await town.write(join(folder, 'town.osm.pbf'))
    const { signal } = new AbortController()
    await importMap({ databaseUrl, dataFolder, store: undefined, path, name: 'Dealu', signal })
  } finally {
    await rm(folder, { recursive: true })
  }
}
