import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Config } from '../config.ts'
import { makers } from '../map/makers.ts'
import { importMap, removeMap } from '../map/run.ts'
import { cleanUpOf } from './clean-up.ts'
import { drawTown } from './extract.ts'
import { at } from './river-town.ts'

const numbers = [0, 1, 2, 3, 4]

/** An extract of the town on the river, with its one bridge. */
function drawExtract(path: string) {
  const town = drawTown()
  const street = (name: string, corners: { lat: number; lng: number }[]) =>
    town.street(
      name,
      corners.map(({ lat, lng }) => [lat, lng]),
    )
  for (const strada of numbers) {
    const corners = numbers.map((calea) => at(calea, strada))
    const banks = strada === 2 ? [corners] : [corners.slice(0, 3), corners.slice(3)]
    for (const bank of banks) street(`Strada ${strada}`, bank)
  }
  for (const calea of numbers)
    street(
      `Calea ${calea}`,
      numbers.map((strada) => at(calea, strada)),
    )
  return town.write(path)
}

/** Imports the roads of that town beside a running server. Returns what removes them. */
export async function importRoads(t: TestContext, { config }: { config: Pick<Config, 'databaseUrl' | 'dataFolder'> }) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-roads-test-'))
  const { databaseUrl = '', dataFolder } = config
  const place = { databaseUrl, dataFolder, store: undefined }
  cleanUpOf(t).defer(async () => {
    await removeMap(place)
    await rm(folder, { recursive: true, force: true })
  })
  const path = await drawExtract(join(folder, 'town.osm.pbf'))
  const { found, roads } = makers
  const { signal } = new AbortController()
  await importMap({ ...place, path, name: 'Town', signal, makers: { found, roads } })
  return () => removeMap(place)
}
