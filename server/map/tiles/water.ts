import type { Tags } from '../extract/elements.ts'
import type { Described, Properties } from './layers.ts'

/** Standing water that people call a lake. */
const lakes = new Set(['lake', 'reservoir', 'pond', 'oxbow', 'lagoon'])

const pool: Described = { layer: 'water', properties: { kind: 'swimming_pool' }, minZoom: 14 }

/** The area of water, without its name: that stands at a point inside. */
export function describeWater(tags: Tags): Described | undefined {
  const detail = waterDetail(tags)
  if (detail === 'swimming_pool') return pool
  if (detail === undefined) return undefined
  const properties: Properties = {
    kind: lakes.has(detail) ? 'lake' : 'water',
    ...(detail !== '' && { kind_detail: detail }),
  }
  return { layer: 'water', properties, minZoom: 6 }
}

function waterDetail(tags: Tags): string | undefined {
  const { natural, waterway, landuse, leisure, amenity } = tags
  if (leisure === 'swimming_pool' || amenity === 'swimming_pool') return 'swimming_pool'
  if (natural === 'water') return tags['water'] ?? ''
  if (waterway === 'riverbank') return 'river'
  if (waterway === 'dock') return 'dock'
  return landuse === 'reservoir' || landuse === 'basin' ? landuse : undefined
}

const waterways: Readonly<Record<string, number>> = { river: 8, canal: 10, stream: 12, ditch: 14, drain: 14 }

export function describeWaterway(tags: Tags): Described | undefined {
  const { waterway, name } = tags
  const minZoom = waterway === undefined ? undefined : waterways[waterway]
  if (waterway === undefined || minZoom === undefined || isCovered(tags)) return undefined
  return { layer: 'water', minZoom, properties: { kind: waterway, ...(name && { name }) } }
}

/** In a pipe there is nothing to see. */
const isCovered = (tags: Tags) => tags['tunnel'] !== undefined && tags['tunnel'] !== 'no'

/** Lines have a name only where there is room for it; the points with names of lakes are there for nothing else. */
export function waterAt(zoom: number, properties: Properties): Properties {
  const { name, ...rest } = properties
  if (name === undefined || properties['min_zoom'] !== undefined) return properties
  const from = properties['kind'] === 'river' || properties['kind'] === 'canal' ? 12 : 14
  return zoom >= from ? properties : rest
}
