import type pg from 'pg'
import { connectAsOwner } from '../../../db/migrate.ts'
import { townsWithin } from '../../../outside/geocoders/embedded.ts'
import type { Maker } from '../../extract/elements.ts'
import { collect, createStages } from './collect.ts'
import { findStreetsOfHouses } from './loose-houses.ts'
import { spreadRows } from './numbered-rows.ts'
import { dropPartitions, makePartitions } from './partitions.ts'
import { createPlaces } from './places.ts'
import { groupStreets } from './streets.ts'
import { openRegisterWriter } from './write.ts'

/** What a register holds. */
export interface Counts {
  places: number
  streets: number
  houses: number
  postalCodes: number
}

export interface MakerOptions {
  signal?: AbortSignal
  /** How much of `finish` is done, from 0 to 1. */
  progress?: (share: number) => void
}

/**
 * Makes the register of an import, on a connection of its own: what is found waits in temporary tables, and in the end goes into
 * partitions that nobody looks for until the import is the current one.
 */
export function createRegisterMaker(url: string, registerId: number, options: MakerOptions = {}): Maker<Counts> {
  const places = createPlaces()
  const opening = open(url)
  // The first element that is added fails with it.
  opening.catch(() => {})
  let collecting: ReturnType<typeof collect> | undefined
  const ready = async () => (collecting ??= collect(await opening, places))

  return {
    node: (node) => (collecting ? collecting.node(node) : ready().then((one) => one.node(node))),
    way: (way) => (collecting ? collecting.way(way) : ready().then((one) => one.way(way))),
    area: (area) => (collecting ? collecting.area(area) : ready().then((one) => one.area(area))),
    relation: (relation) =>
      collecting ? collecting.relation(relation) : ready().then((one) => one.relation(relation)),
    async finish() {
      const client = await opening
      await (await ready()).flush()
      return finishRegister(client, places, registerId, options)
    },
    async dispose() {
      const client = await opening.catch(() => undefined)
      await client?.end().catch(() => {})
    },
  }
}

async function open(url: string): Promise<pg.Client> {
  const client = await connectAsOwner(url, 'waybill register')
  try {
    await client.query(`set work_mem = '64MB'; set lock_timeout = '10s'; set client_min_messages = 'warning'`)
    await createStages(client)
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

/** From what was collected to a register. */
async function finishRegister(
  client: pg.Client,
  places: ReturnType<typeof createPlaces>,
  registerId: number,
  { signal, progress = () => {} }: MakerOptions,
): Promise<Counts> {
  const step = (share: number) => {
    signal?.throwIfAborted()
    progress(share)
  }
  await client.query('analyze found_ways, found_houses, found_rows, found_members')
  const { rows } = await client.query<Record<'west' | 'south' | 'east' | 'north', number | null>>(
    `select min(lng) / 1e6::float8 as west, min(lat) / 1e6::float8 as south, max(lng) / 1e6::float8 as east, max(lat) / 1e6::float8 as north
     from (select lat, lng from found_ways union all select lat, lng from found_houses) everything`,
  )
  const { west, south, east, north } = rows[0]!
  if (west !== null) places.addTowns(await townsWithin([west, south!, east!, north!]))
  step(0.05)
  await spreadRows(client)
  const homes = places.settle()
  step(0.1)
  await findStreetsOfHouses(client)
  step(0.2)
  await makePartitions(client, registerId)
  const register = openRegisterWriter(client, registerId)
  await groupStreets(client, homes, register, (share) => step(0.2 + 0.6 * share))
  const counts = await register.finish(homes.all)
  step(1)
  return counts
}

/** What was made of an import, finished or not; nothing may be there. */
export async function removeRegister(url: string, registerId: number) {
  const client = await connectAsOwner(url, 'waybill register')
  try {
    await client.query(`set lock_timeout = '10s'; set client_min_messages = 'warning'`)
    await dropPartitions(client, [registerId])
  } finally {
    await client.end()
  }
}
