import type { OsmArea, OsmNode, OsmWay, Tags } from '../../extract/elements.ts'
import { readPlaceName } from '../names.ts'
import { type Box, boxOf, gridOf, isIn, isInBox, metresBetween, micro, pointGrid, thinned } from './geometry.ts'

/*
 * Which town, suburb and county a point belongs to. Boundaries decide where there are any; a village whose boundary is that of
 * its commune gets what is nearest to it, and so does everything where an extract has only nodes.
 */

/** The level of communes in most countries; how many villages there are where it makes no sense to call them all by its name. */
const communeLevel = 8
const mostVillages = 6

/** What people call the city of an address; how far such a place usually reaches. */
const reachMetres: Record<string, number> = {
  city: 8_000,
  town: 3_000,
  village: 1_200,
  hamlet: 500,
  isolated_dwelling: 200,
}
/** Parts of a city. */
const parts = new Set(['suburb', 'borough', 'quarter', 'neighbourhood', 'city_district', 'district'])
const partReachMetres = 1_000
/** Nothing belongs to a place that is further away than this many times its reach. */
const mostReaches = 3
const farthestSaidMetres = 15_000
const sameTownMetres = 10_000

export interface Place {
  id: number
  name: string
  otherNames: string[]
  /** city, town, village …; suburb …; `area` is a county or the like. */
  kind: string
  population: number
  lat: number
  lng: number
  country: string | null
  /** The county or the like it is in, smallest first. */
  areas: number[]
}

/** Where a point is. */
export interface Home {
  /** The town or village. */
  place: Place
  /** Other places that an address there may name as its city: its commune, its suburb, its sector. */
  alsoIn: readonly Place[]
  /** Sector or county, as an address would have it. */
  area: Place | undefined
}

interface Polygon {
  place: Place
  level: number
  isMunicipality: boolean
  rings: Int32Array[]
  box: Box
  size: number
  /** Settlements inside it, if it is the boundary of one. */
  settlements: Place[] | undefined
  own: Place | undefined
}
const names = [
  'alt_name',
  'old_name',
  'short_name',
  'official_name',
  'loc_name',
  'int_name',
  'name:left',
  'name:right',
  'was:name',
]

/** All names but the first one. Names in other languages come last. */
export function otherNamesOf(tags: Tags): string[] {
  const foreign = Object.keys(tags).filter((key) => /^(?:name|old_name|alt_name):[a-z]{2,3}(?:[-_]\w+)?$/.test(key))
  const all = [...names, ...foreign].flatMap((key) => tags[key]?.split(';') ?? []).map((name) => name.trim())
  return [...new Set(all)].filter((name) => name && name !== tags['name']).slice(0, mostNames)
}
const mostNames = 40

export type Places = ReturnType<typeof createPlaces>

export function createPlaces() {
  const all: Place[] = []
  const polygons: Polygon[] = []
  const settlements: Place[] = []
  const suburbs: Place[] = []
  /** Towns of a gazetteer; they get a number when something is in them. */
  const lastResort: Place[] = []

  function add(tags: Tags, kind: string, lat: number, lng: number, country: string | null = null): Place {
    const iso = tags['ISO3166-2']?.split('-')[1]
    const otherNames = [...otherNamesOf(tags), ...(iso ? [iso] : [])]
    const population = Number.parseInt(tags['population'] ?? '', 10) || 0
    const place = {
      id: all.length + 1,
      name: tags['name']!,
      otherNames,
      kind,
      population,
      lat,
      lng,
      country,
      areas: [],
    }
    all.push(place)
    return place
  }

  function addPoint(tags: Tags, lat: number, lng: number) {
    const kind = tags['place']
    if (!kind || !tags['name']) return
    if (reachMetres[kind]) settlements.push(add(tags, kind, lat, lng))
    else if (parts.has(kind)) suburbs.push(add(tags, kind, lat, lng))
  }

  function addPolygon(tags: Tags, rings: Int32Array[]) {
    const kind = tags['place'] ?? ''
    const level = tags['boundary'] === 'administrative' ? Number(tags['admin_level'] ?? 0) : 0
    const isPart = parts.has(kind)
    const isSettlement = kind in reachMetres
    if (!tags['name'] || rings.length === 0 || !(level > 1 || isPart || isSettlement || kind === 'municipality')) return
    const box = boxOf(rings)
    const [lng, lat] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]
    const place = add(
      tags,
      isPart ? kind : isSettlement && level === 0 ? kind : 'area',
      Math.round(lat),
      Math.round(lng),
    )
    if (level === 2) place.country = tags['ISO3166-1'] ?? tags['ISO3166-1:alpha2'] ?? tags['country_code'] ?? null
    const size = (box[2] - box[0]) * (box[3] - box[1])
    const isMunicipality = kind === 'municipality'
    polygons.push({ place, level, isMunicipality, rings, box, size, settlements: undefined, own: undefined })
  }

  return {
    node: ({ tags, lat, lng }: OsmNode) => addPoint(tags, micro(lat), micro(lng)),
    way({ tags, nodeIds, points }: OsmWay) {
      if (!tags['name'] || !(tags['place'] || tags['boundary'] === 'administrative')) return
      if (nodeIds.length > 3 && nodeIds[0] === nodeIds.at(-1)) addPolygon(tags, [thinned(points)])
    },
    area({ tags, polygons }: OsmArea) {
      if (!tags['name'] || !(tags['place'] || tags['boundary'] === 'administrative')) return
      addPolygon(
        tags,
        polygons.map(({ outer }) => thinned(outer)),
      )
    },
    /** Towns of a gazetteer, for where the extract names none: a city that was cut out lacks its neighbours. */
    addTowns(towns: readonly { name: string; lat: number; lng: number; population: number; country: string }[]) {
      const known = new Set(settlements.flatMap(namesOf))
      for (const { name: written, lat, lng, population, country } of towns) {
        const name = country === 'RO' ? withCommas(written) : written
        const kind = population > 50_000 ? 'city' : population > 8_000 ? 'town' : 'village'
        const town = {
          id: 0,
          name,
          otherNames: [],
          kind,
          population,
          lat: micro(lat),
          lng: micro(lng),
          country,
          areas: [],
        }
        lastResort.push(town)
        if (namesOf(town).every((one) => !known.has(one))) settlements.push(town)
      }
    },
    /** After everything was added: answers where points are. */
    settle: () => settle({ all, polygons, settlements, suburbs, lastResort }),
  }
}

const namesOf = ({ name, otherNames }: Place) => [name, ...otherNames].map((one) => readPlaceName(one).join(' '))

function settle(given: {
  all: Place[]
  polygons: Polygon[]
  settlements: Place[]
  suburbs: Place[]
  lastResort: Place[]
}) {
  const { all, polygons, settlements, suburbs, lastResort } = given
  const grid = gridOf(polygons)
  const polygonsAt = (lat: number, lng: number) =>
    grid.at(lat, lng).filter(({ box, rings }) => isInBox(box, lat, lng) && rings.some((ring) => isIn(ring, lat, lng)))

  // The boundary of a town is the smallest one around it that has its name.
  for (const settlement of settlements) {
    const known = new Set(namesOf(settlement))
    const around = polygonsAt(settlement.lat, settlement.lng)
    const own = around.find(({ place }) => namesOf(place).some((name) => known.has(name)))
    if (own && !own.own) own.own = settlement
  }
  // One that is only drawn is a settlement all the same, and so is a commune whose village is not named like it.
  for (const polygon of polygons) {
    if (polygon.own || !(polygon.place.kind in reachMetres || isVillageCommune(polygon))) continue
    polygon.own = polygon.place
    if (polygon.place.kind === 'area') polygon.place.kind = 'village'
    settlements.push(polygon.place)
  }
  function isVillageCommune({ level, isMunicipality, box, rings }: Polygon) {
    if (level !== communeLevel && !isMunicipality) return false
    const inside = settlements.filter(
      ({ lat, lng }) => isInBox(box, lat, lng) && rings.some((ring) => isIn(ring, lat, lng)),
    )
    return inside.length <= mostVillages && inside.every(({ kind }) => kind !== 'city' && kind !== 'town')
  }
  for (const polygon of polygons) if (polygon.own) polygon.settlements = []
  for (const settlement of settlements)
    for (const { settlements } of polygonsAt(settlement.lat, settlement.lng)) settlements?.push(settlement)

  const townsByName = Map.groupBy(
    lastResort.flatMap((town) => namesOf(town).map((name) => ({ name, town }))),
    ({ name }) => name,
  )
  /** Only of the town itself: near a border the nearest one is often another country's. */
  function countryOf(place: Place): string | null {
    const same = namesOf(place).flatMap((name) => townsByName.get(name) ?? [])
    return same.find(({ town }) => metresBetween(town, place.lat, place.lng) < sameTownMetres)?.town.country ?? null
  }
  for (const place of [...settlements, ...suburbs]) {
    const around = polygonsAt(place.lat, place.lng)
    place.areas = around
      .filter(({ place: other, level, own }) => other !== place && own !== place && level > 2)
      .map(({ place }) => place.id)
    place.country ??= around.find(({ level }) => level === 2)?.place.country ?? countryOf(place)
  }
  const bySettlement = pointGrid(settlements)
  const bySuburb = pointGrid(suburbs)
  /** Nothing outside a boundary belongs to the town it is of. */
  const bounded = new Set(polygons.flatMap(({ own }) => (own ? [own] : [])))

  function nearest(places: readonly Place[], { lat, lng }: { lat: number; lng: number }): Place | undefined {
    let best: Place | undefined
    let least = mostReaches
    for (const place of places) {
      const reaches = metresBetween(place, lat, lng) / (reachMetres[place.kind] ?? partReachMetres)
      if (reaches < least) [best, least] = [place, reaches]
    }
    return best
  }

  /** A town that only the gazetteer knows becomes one of ours when something is in it. */
  function adopt<Known extends Place | undefined>(town: Known): Known {
    if (town && town.id === 0) {
      all.push(town)
      town.id = all.length
    }
    return town
  }

  const byName = Map.groupBy(
    settlements.flatMap((place) => namesOf(place).map((name) => ({ name, place }))),
    ({ name }) => name,
  )

  /** The town that an address says it is in, if it is another than where it seems to be: one that is near, or a new one. */
  function findSaid(said: string, home: Home | undefined, lat: number, lng: number): Place | undefined {
    const name = readPlaceName(said).join(' ')
    if (!name || /[-–,;\d]/.test(said.replace(/(?<=\p{L})-(?=\p{L})/gu, ''))) return undefined
    const known = home ? [home.place, ...home.alsoIn] : []
    if (known.some((place) => namesOf(place).includes(name))) return undefined
    const same = (byName.get(name) ?? []).map(({ place }) => place)
    const near = same.find((place) => metresBetween(place, lat, lng) < farthestSaidMetres)
    if (near) return adopt(near)
    const made: Place = {
      id: 0,
      name: said,
      otherNames: [],
      kind: 'village',
      population: 0,
      lat,
      lng,
      country: home?.place.country ?? null,
      areas: [],
    }
    byName.set(name, [...(byName.get(name) ?? []), { name, place: made }])
    return adopt(made)
  }

  function find(lat: number, lng: number): Home | undefined {
    const around = polygonsAt(lat, lng)
    const boundary = around.find(({ settlements }) => settlements && settlements.length > 0)
    const place =
      nearestOf(boundary, lat, lng) ??
      nearest(
        bySettlement.near(lat, lng, 3).filter((one) => !bounded.has(one)),
        { lat, lng },
      )
    if (!place) return undefined
    adopt(place)
    const own = boundary?.own
    const inside = boundary
      ? around.slice(0, around.indexOf(boundary))
      : around.filter(({ place }) => parts.has(place.kind))
    const suburb = nearest(bySuburb.near(lat, lng, 0), { lat, lng })
    const isSuburbNear = suburb && metresBetween(suburb, lat, lng) < partReachMetres
    const alsoIn = [
      ...inside.map((one) => one.own ?? one.place),
      ...(own ? [own] : []),
      ...(isSuburbNear ? [suburb] : []),
    ]
    const outside = boundary ? around.slice(around.indexOf(boundary) + 1) : around
    const sector = inside.find(({ level }) => level > 0)
    const county = outside.find(({ level }) => level > 2)
    return { place, alsoIn: [...new Set(alsoIn)].filter((one) => one !== place), area: (sector ?? county)?.place }
  }

  function nearestOf(boundary: Polygon | undefined, lat: number, lng: number): Place | undefined {
    if (!boundary?.settlements) return undefined
    if (boundary.settlements.length === 1) return boundary.settlements[0]
    let best = boundary.own
    let least = Number.POSITIVE_INFINITY
    for (const place of boundary.settlements) {
      const reaches = metresBetween(place, lat, lng) / (reachMetres[place.kind] ?? partReachMetres)
      if (reaches < least) [best, least] = [place, reaches]
    }
    return best
  }

  return { all, find, findSaid }
}

/** Romanian letters have commas below; GeoNames has the cedillas of old computers. */
const withCommas = (name: string) => name.replace(/[şţŞŢ]/g, (letter) => commas[letter] as string)
const commas: Record<string, string> = { ş: 'ș', ţ: 'ț', Ş: 'Ș', Ţ: 'Ț' }
