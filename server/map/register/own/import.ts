import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type pg from 'pg'
import { locks } from '../../../db/locks.ts'
import { connectAsOwner } from '../../../db/migrate.ts'
import { createStages } from '../make/collect.ts'
import { metresBetween } from '../make/geometry.ts'
import { dropPartitions, listPartitioned, makePartitions } from '../make/partitions.ts'
import { createPlaces, type Home, type Place } from '../make/places.ts'
import { openWriter, readRows } from '../make/stage.ts'
import { groupStreets } from '../make/streets.ts'
import { openRegisterWriter } from '../make/write.ts'
import { keyOf, readPlaceName, readStreetName } from '../names.ts'
import { readNumbers, writeNumber } from '../numbers.ts'
import type { Field, OwnPlace } from './columns.ts'
import { readFile, UnreadablePlaces } from './read.ts'

/*
 * The operator's own places: kept as they came, by what makes them the same, so that a file may come again and again; and searched in
 * a register made of all of them, which takes the place of the one before in one transaction.
 */

export interface PlacesImport {
  databaseUrl: string
  path: string
  columns: Partial<Record<Field, string>>
  signal: AbortSignal
  onProgress?: (progress: { does: string; part: number; rows: number }) => void
}

export interface ImportedPlaces {
  read: number
  added: number
  /** How many there are now, with those of earlier files. */
  places: number
  streets: number
  broken: number
  /** The first of them: which line, and why. */
  brokenLines: { line: number; problem: string }[]
}

const mostBrokenLines = 10

export const importPlaces = (given: PlacesImport): Promise<ImportedPlaces> =>
  withLock(given.databaseUrl, async (client) => {
    const { signal, onProgress = () => {} } = given
    const read = await stage(client, given)
    signal.throwIfAborted()
    onProgress({ does: 'sorting addresses', part: 0.6, rows: read.read })
    return { ...read, ...(await make(client, given)) }
  })

/** All of them. Returns how many; undefined if there were none. */
export const removePlaces = (databaseUrl: string): Promise<number | undefined> =>
  withLock(databaseUrl, async (client) => {
    await client.query('begin')
    const { rows } = await client.query<{ places: number }>('delete from register_own returning places')
    await client.query('truncate register_own_places')
    await client.query('commit')
    await dropPartitions(
      client,
      (await listPartitioned(client)).filter((id) => id < 0),
    )
    return rows[0] && Number(rows[0].places)
  })

async function withLock<Result>(databaseUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await connectAsOwner(databaseUrl, 'waybill places')
  client.on('error', () => {})
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      locks.ownPlaces,
    ])
    if (!rows[0]?.locked)
      throw new UnreadablePlaces('Another import of places is running on this database: wait until it ends, or stop it')
    await client.query(`set work_mem = '64MB'; set lock_timeout = '10s'; set client_min_messages = 'warning'`)
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** The file, into a temporary table. */
async function stage(client: pg.Client, { path, columns, signal, onProgress = () => {} }: PlacesImport) {
  await client.query(`create temp table given_places (line bigint, key bytea, street text, number text, city text, area text,
    postal_code text, country text, lat int, lng int)`)
  const writer = openWriter(
    client,
    'given_places',
    'line, key, street, number, city, area, postal_code, country, lat, lng',
  )
  const { size } = await stat(path)
  let part = 0
  let broken = 0
  const brokenLines: ImportedPlaces['brokenLines'] = []
  const onBytes = (bytes: number) => {
    part = size > 0 ? bytes / size : 1
  }
  for await (const { line, place } of readFile(path, columns, onBytes)) {
    signal.throwIfAborted()
    if (typeof place === 'string') {
      broken += 1
      if (brokenLines.length < mostBrokenLines) brokenLines.push({ line, problem: place })
      continue
    }
    const { street, number, city, area, postalCode, country, lat, lng } = place
    const [north, east] = [Math.round(lat * 1e6), Math.round(lng * 1e6)]
    await writer.add(line, `\\x${keyOfPlace(place)}`, street, number, city, area, postalCode, country, north, east)
    onProgress({ does: 'reading', part: 0.6 * part, rows: writer.count() })
  }
  await writer.flush()
  if (writer.count() === 0) throw new UnreadablePlaces('The file has no row that is a place; nothing was changed')
  return { read: writer.count(), broken, brokenLines }
}

/** The same for the same place, however it is written. One without a town is told from others by where it is. */
function keyOfPlace({ street, number, city, area, postalCode, country, lat, lng }: OwnPlace): string {
  const town = city ? readPlaceName(city).join(' ') : `${postalCode ?? ''} ${lat.toFixed(2)} ${lng.toFixed(2)}`
  const numbers =
    readNumbers(number ?? '')
      .map(writeNumber)
      .join(' ') ||
    (number ?? '')
  const words = [
    country ?? '',
    area ? readPlaceName(area).join(' ') : '',
    town,
    keyOf(readStreetName(street ?? '')),
    numbers,
  ]
  return createHash('sha256').update(words.join('\n')).digest('hex').slice(0, 32)
}

const columns = 'key, street, number, city, area, postal_code, country, lat, lng'

async function make(client: pg.Client, { signal, onProgress = () => {} }: PlacesImport) {
  await createStages(client)
  // What came last counts.
  await client.query(`
    create temp table all_places as
    select distinct on (key) ${columns} from (
      select ${columns}, line as at from given_places
      union all
      select ${columns}, -1 from register_own_places
    ) everything order by key, at desc`)
  const { rows } = await client.query<{ next: number; before: number | null; places: number; added: number }>(`
    select coalesce((select min(register_id) from register_own), 0) as before, (select count(*) from all_places) as places,
      (select count(*) from all_places a where not exists (select from register_own_places o where o.key = a.key)) as added`)
  const { before, places: count, added } = rows[0]!
  const known = (await listPartitioned(client)).filter((id) => id < 0)
  // Left behind by one that was killed.
  await dropPartitions(
    client,
    known.filter((id) => id !== Number(before)),
  )
  const registerId = Math.min(0, Number(before), ...known) - 1
  await client.query(`insert into found_houses (osm, street, city, number, postal_code, lat, lng)
    select null, street, concat_ws(e'\\x1f', coalesce(city, ''), coalesce(area, ''), coalesce(country, '')), number, postal_code, lat, lng
    from all_places where street is not null`)
  await client.query(`insert into found_houses (osm, place, city, number, postal_code, lat, lng)
    select null, city, concat_ws(e'\\x1f', city, coalesce(area, ''), coalesce(country, '')), number, postal_code, lat, lng
    from all_places where street is null`)
  const homes = await townsOf(client)
  await makePartitions(client, registerId)
  try {
    const register = openRegisterWriter(client, registerId)
    await groupStreets(client, homes, register, (share) => {
      signal.throwIfAborted()
      onProgress({ does: 'sorting addresses', part: 0.6 + 0.3 * share, rows: Number(count) })
    })
    const { streets } = await register.finish(homes.all)
    signal.throwIfAborted()
    await client.query('begin')
    await client.query(`
      insert into register_own_places as known (${columns}) select ${columns} from all_places
      on conflict (key) do update set street = excluded.street, number = excluded.number, city = excluded.city, area = excluded.area,
        postal_code = excluded.postal_code, country = excluded.country, lat = excluded.lat, lng = excluded.lng
      where known.* is distinct from excluded.*`)
    await client.query(
      `insert into register_own (register_id, places) values ($1, $2)
       on conflict (is_only) do update set register_id = excluded.register_id, places = excluded.places, imported_at = now()`,
      [registerId, count],
    )
    await client.query('commit')
    if (Number(before) < 0) await dropPartitions(client, [Number(before)])
    return { places: Number(count), added: Number(added), streets }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    await dropPartitions(client, [registerId]).catch(() => {})
    throw error
  }
}

/** Rows say which town they are in; it is where its rows are. Those that do not belong to the nearest that is named. */
async function townsOf(client: pg.Client) {
  const all: Place[] = []
  const byName = new Map<string, Home>()
  const areas = new Map<string, Place>()
  const add = (
    name: string,
    kind: string,
    lat: number,
    lng: number,
    country: string | null,
    inside: number[],
  ): Place => {
    const place = { id: all.length + 1, name, otherNames: [], kind, population: 0, lat, lng, country, areas: inside }
    all.push(place)
    return place
  }
  const towns = readRows<{ city: string; lat: number; lng: number; houses: number }>(
    client,
    `select city, avg(lat)::int as lat, avg(lng)::int as lng, count(*)::int as houses from found_houses group by city order by city`,
  )
  for await (const { city: written, lat, lng, houses } of towns) {
    const [city = '', area = '', country = ''] = written.split('\u001f')
    if (!city && !area) continue
    const code = country || null
    const county = area ? (areas.get(`${area} ${country}`) ?? add(area, 'area', lat, lng, code, [])) : undefined
    if (county) areas.set(`${area} ${country}`, county)
    const kind = houses > 20_000 ? 'city' : houses > 3_000 ? 'town' : 'village'
    const place = city ? add(city, kind, lat, lng, code, county ? [county.id] : []) : (county as Place)
    byName.set(written, { place, alsoIn: [], area: county })
  }
  const named = [...byName.values()]
  const fallback = createPlaces().settle()
  return {
    all,
    find(lat: number, lng: number, city?: string | null): Home | undefined {
      const said = city ? byName.get(city) : undefined
      if (said) return said
      let [nearest, least] = [undefined as Home | undefined, 30_000]
      for (const home of named) {
        const metres = metresBetween(home.place, lat, lng)
        if (metres < least) [nearest, least] = [home, metres]
      }
      return nearest ?? fallback.find(lat, lng)
    },
    findSaid: () => undefined,
  }
}
