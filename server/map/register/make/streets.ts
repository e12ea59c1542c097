import type pg from 'pg'
import { keyOf, readStreetName } from '../names.ts'
import { type House, readNumbers } from '../numbers.ts'
import { metresBetween } from './geometry.ts'
import type { Home, Place } from './places.ts'
import { openWriter, readRows } from './stage.ts'
import type { Street } from './street.ts'
import type { RegisterWriter } from './write.ts'

/*
 * From ways and houses to streets: all of one name near each other within one place are one street. The database sorts them, and
 * here is one name of one place at a time.
 */

/** Ends of one street that are not nearer than this are two streets of the same name. */
const sameStreetMetres = 600
/** A house further away from all streets of its name is on one that is not mapped. */
const farthestHouseMetres = 800
const mostHouses = 5_000
/** Entrances of one house are not further apart. */
const samePlaceMetres = 150

interface Placed {
  place_id: number
  words: string
  is_house: boolean
  kind: string
  name: string
  other_names: string[]
  also_in: number[]
  area_id: number | null
  postal_code: string | null
  lat: number
  lng: number
  line: string | null
  number: string | null
  is_guess: boolean
}

const columns =
  'place_id, words, is_house, kind, name, other_names, also_in, area_id, postal_code, lat, lng, line, number, is_guess'

interface Finder {
  all: readonly Place[]
  /** With what its address calls the town, where that is known. */
  find(lat: number, lng: number, city?: string | null): Home | undefined
  findSaid(said: string, home: Home | undefined, lat: number, lng: number): Place | undefined
}

export async function groupStreets(
  client: pg.Client,
  homes: Finder,
  register: RegisterWriter,
  progress: (share: number) => void,
) {
  await client.query(`
    create temp table placed (place_id int, words text collate "C", is_house boolean, kind text collate "C", name text, other_names text[],
      also_in int[], area_id int, postal_code text, lat int, lng int, line text, number text, is_guess boolean)`)
  const placed = openWriter(client, 'placed', columns)
  const place = (at: { lat: number; lng: number }, name: string, city?: string | null) => {
    const home = homes.find(at.lat, at.lng, city)
    const street = readStreetName(name)
    const [words = '', kind = ''] = keyOf(street).split('|')
    return home && words ? { home, words, kind } : undefined
  }

  const ways = readRows<Placed>(client, 'select name, other_names, postal_code, lat, lng, line from found_ways')
  for await (const { name, other_names, postal_code, lat, lng, line } of ways) {
    const found = place({ lat, lng }, name)
    if (!found) continue
    const { home, words, kind } = found
    const alsoIn = home.alsoIn.map(({ id }) => id)
    const areaId = home.area?.id ?? null
    await placed.add(
      home.place.id,
      words,
      false,
      kind,
      name,
      other_names,
      alsoIn,
      areaId,
      postal_code,
      lat,
      lng,
      line,
      null,
      false,
    )
  }

  const houses = readRows<Placed & { osm: string; street: string | null; place: string | null; city: string | null }>(
    client,
    `select h.osm, coalesce(h.street, m.street) as street, h.place, h.city, h.number, h.postal_code, h.lat, h.lng
     from found_houses h left join (select osm, min(street) as street from found_members group by osm) m on m.osm = h.osm`,
  )
  for await (const { osm, street, place: hamlet, city, number, postal_code, lat, lng } of houses) {
    const home = street || hamlet ? undefined : homes.find(lat, lng, city)
    // Where streets have no names, the village is the street.
    const name = street ?? hamlet ?? home?.place.name
    const found = name && place({ lat, lng }, name, city)
    if (!found) continue
    const said = city ? homes.findSaid(city, found.home, lat, lng) : undefined
    const alsoIn = [...found.home.alsoIn, ...(said ? [said] : [])].map(({ id }) => id)
    const areaId = found.home.area?.id ?? null
    await placed.add(
      found.home.place.id,
      found.words,
      true,
      found.kind,
      name,
      [],
      alsoIn,
      areaId,
      postal_code,
      lat,
      lng,
      null,
      number,
      osm === '~',
    )
  }
  await placed.flush()

  let group: Placed[] = []
  let done = 0
  progress(0.5)
  const inOrder = readRows<Placed>(client, `select ${columns} from placed order by place_id, words, is_house, kind`)
  for await (const one of inOrder) {
    const [first] = group
    if (first && (first.place_id !== one.place_id || first.words !== one.words)) {
      for (const street of streetsOf(group)) await register.addStreet(street)
      group = []
    }
    group.push(one)
    done += 1
    if (done % 10_000 === 0) progress(0.5 + (0.5 * done) / placed.count())
  }
  if (group.length > 0) for (const street of streetsOf(group)) await register.addStreet(street)
}

interface Cluster {
  name: string
  kind: string
  /** Each way as latitudes and longitudes. */
  points: number[]
  rows: Placed[]
  houses: Placed[]
}

/** The streets of one name in one place, by kind and by where they are. */
function streetsOf(group: readonly Placed[]): Street[] {
  const clusters: Cluster[] = []
  for (const row of group.filter(({ is_house }) => !is_house)) {
    const points = (row.line ?? `${row.lat} ${row.lng}`).split(' ').map(Number)
    const near = clusters.filter(({ kind, points: other }) => kind === row.kind && areNear(points, other))
    const [first, ...others] = near
    const cluster: Cluster = first ?? { name: row.name, kind: row.kind, points: [], rows: [], houses: [] }
    cluster.points.push(...points)
    cluster.rows.push(row)
    for (const other of others) {
      cluster.points.push(...other.points)
      cluster.rows.push(...other.rows)
      clusters.splice(clusters.indexOf(other), 1)
    }
    if (!first) clusters.push(cluster)
  }
  const streetKinds = new Set(clusters.map(({ kind }) => kind))
  for (const house of group.filter(({ is_house }) => is_house)) {
    const ofKind = clusters.filter(({ kind }) => kind === house.kind)
    // "Eminescu" for "Strada Eminescu" is meant where there is only one.
    const possible = ofKind.length > 0 || house.kind !== '' || streetKinds.size > 1 ? ofKind : clusters
    const [nearest, metres] = nearestTo(possible, house)
    if (nearest && metres < farthestHouseMetres) nearest.houses.push(house)
    else
      clusters.push({
        name: house.name,
        kind: house.kind,
        points: [house.lat, house.lng],
        rows: [house],
        houses: [house],
      })
  }
  return clusters.map(streetOf)
}

const stepForNear = 12

/** Whether any of some points are near: of long lines only every few are looked at. */
function areNear(some: readonly number[], others: readonly number[]): boolean {
  const step = (points: readonly number[]) => 2 * Math.max(1, Math.floor(points.length / 2 / stepForNear))
  const [one, two] = [step(some), step(others)]
  for (let at = 0; at < some.length; at += one)
    for (let to = 0; to < others.length; to += two)
      if (metresBetween({ lat: some[at]!, lng: some[at + 1]! }, others[to]!, others[to + 1]!) < sameStreetMetres)
        return true
  return false
}

function nearestTo(clusters: readonly Cluster[], { lat, lng }: Placed): [Cluster | undefined, metres: number] {
  let best: Cluster | undefined
  let least = Number.POSITIVE_INFINITY
  if (clusters.length === 1 && clusters[0]!.points.length > 4_000) return [clusters[0], 0]
  for (const cluster of clusters)
    for (let at = 0; at < cluster.points.length; at += 2) {
      const metres = metresBetween({ lat, lng }, cluster.points[at]!, cluster.points[at + 1]!)
      if (metres < least) [best, least] = [cluster, metres]
    }
  return [best, least]
}

const mostLinePoints = 60

function streetOf({ name, points, rows, houses }: Cluster): Street {
  const [lat, lng] = middleOf(points)
  const [first] = rows as [Placed]
  const alsoIn = [...new Set([...rows, ...houses].flatMap(({ also_in }) => also_in))]
  const otherNames = [...new Set(rows.flatMap((row) => [row.name, ...row.other_names]))].filter((one) => one !== name)
  const seen = new Map<string, House>()
  for (const house of houses.slice(0, mostHouses))
    for (const number of readNumbers(house.number ?? '')) {
      const key = `${number.number} ${number.suffix}`
      // What was seen is better than what was computed.
      const known = seen.get(key)
      if (known && !known.isGuess && !house.is_guess)
        known.isTwice ||= metresBetween(house, known.lat + lat, known.lng + lng) > samePlaceMetres
      if (known && (house.is_guess || !known.isGuess)) continue
      const postalCode = house.postal_code?.replaceAll(/[,;]/g, ' ').trim() || null
      seen.set(key, {
        ...number,
        lat: house.lat - lat,
        lng: house.lng - lng,
        isGuess: house.is_guess,
        isTwice: false,
        postalCode,
      })
    }
  const all = [...seen.values()]
  const codes = [...rows, ...houses]
    .flatMap(({ postal_code }) => postal_code?.split(/[,;]/) ?? [])
    .map((code) => code.trim())
  const every = Math.max(1, Math.ceil(points.length / 2 / mostLinePoints))
  const line = points.filter((_, index) => Math.floor(index / 2) % every === 0)
  const reachMetres = Math.max(
    0,
    ...line.map((one, at) => (at % 2 === 0 ? metresBetween({ lat, lng }, one, line[at + 1]!) : 0)),
  )
  const common = mostCommon(codes)
  return {
    name,
    otherNames,
    placeId: first.place_id,
    alsoIn,
    areaId: first.area_id,
    postalCode: common,
    lat,
    lng,
    reachMetres: Math.round(reachMetres),
    line: line.map((one, at) => one - (at % 2 === 0 ? lat : lng)),
    houses: all.map((house) => (house.postalCode === common ? { ...house, postalCode: null } : house)),
    postalCodes: [...new Set(codes)].filter(Boolean),
  }
}

/** The point of the line that is nearest to its centre. */
function middleOf(points: readonly number[]): [lat: number, lng: number] {
  let [sumLat, sumLng] = [0, 0]
  for (let at = 0; at < points.length; at += 2) {
    sumLat += points[at]!
    sumLng += points[at + 1]!
  }
  const centre = { lat: sumLat / (points.length / 2), lng: sumLng / (points.length / 2) }
  let best: [number, number] = [points[0]!, points[1]!]
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < points.length; at += 2) {
    const metres = metresBetween(centre, points[at]!, points[at + 1]!)
    if (metres < least) [best, least] = [[points[at]!, points[at + 1]!], metres]
  }
  return best
}

function mostCommon(values: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const value of values) if (value) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null
}
