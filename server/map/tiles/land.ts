import type { Tags } from '../extract/elements.ts'
import type { Described } from './layers.ts'

/** Values that become kinds as they are, tag by tag; the first tag that has one decides. */
const kinds: Readonly<Record<string, ReadonlySet<string>>> = {
  aeroway: new Set(['aerodrome', 'runway']),
  amenity: new Set(['hospital', 'university', 'college', 'school', 'kindergarten', 'parking']),
  leisure: new Set([
    'park',
    'garden',
    'golf_course',
    'pitch',
    'playground',
    'nature_reserve',
    'stadium',
    'dog_park',
    'marina',
  ]),
  tourism: new Set(['zoo']),
  landuse: new Set([
    'allotments',
    'cemetery',
    'commercial',
    'construction',
    'farmland',
    'farmyard',
    'forest',
    'garages',
    'grass',
    'industrial',
    'meadow',
    'military',
    'orchard',
    'quarry',
    'railway',
    'recreation_ground',
    'residential',
    'retail',
    'village_green',
    'vineyard',
  ]),
  natural: new Set(['wood', 'scrub', 'grassland', 'heath', 'wetland', 'beach', 'sand', 'bare_rock', 'glacier']),
  boundary: new Set(['national_park']),
  man_made: new Set(['pier']),
}

/** What means the same. */
const sameAs: Readonly<Record<string, string>> = {
  brownfield: 'industrial',
  greenfield: 'grass',
  flowerbed: 'garden',
  plant_nursery: 'orchard',
  grave_yard: 'cemetery',
}

/** Small things that say something only close up. */
const late: Readonly<Record<string, number>> = {
  pitch: 13,
  playground: 14,
  parking: 14,
  kindergarten: 13,
  garages: 13,
  garden: 13,
  dog_park: 14,
  school: 12,
  college: 12,
  pier: 12,
  grass: 11,
}

export function describeLand(tags: Tags): Described | undefined {
  const kind = landKind(tags)
  return kind === undefined ? undefined : { layer: 'landuse', properties: { kind }, minZoom: late[kind] ?? 6 }
}

function landKind(tags: Tags): string | undefined {
  for (const key in kinds) {
    const value = tags[key]
    if (value === undefined) continue
    const kind = sameAs[value] ?? value
    if (sameAs[value] !== undefined || kinds[key]?.has(kind)) return kind
  }
  const isSquare = tags['area'] === 'yes' && (tags['highway'] === 'pedestrian' || tags['highway'] === 'footway')
  return isSquare || tags['place'] === 'square' ? 'pedestrian' : undefined
}
