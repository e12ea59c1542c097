import type { Tags } from '../extract/elements.ts'
import type { Described } from './layers.ts'

/** A house number longer than this is no number. */
const longestNumber = 20

export function describeAddress(tags: Tags): Described | undefined {
  const number = tags['addr:housenumber']?.trim()
  if (!number || number.length > longestNumber) return undefined
  return { layer: 'buildings', minZoom: 14, properties: { kind: 'address', addr_housenumber: number } }
}

const building: Described = { layer: 'buildings', minZoom: 13, properties: { kind: 'building' } }
/** Nothing stands there. */
const unbuilt = new Set(['no', 'proposed', 'demolished', 'razed', 'ruins:no'])

export const describeBuilding = (tags: Tags): Described | undefined =>
  tags['building'] !== undefined && !unbuilt.has(tags['building']) ? building : undefined
