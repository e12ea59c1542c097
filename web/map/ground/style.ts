import type { StyleSpecification, VectorSourceSpecification } from 'maplibre-gl'
import { worldPath } from '../../../contract/pages.ts'
import { paints } from './paints.ts'
import { streetLayers, streetSource } from './protomaps.ts'
import { type Bounds, worldCredit, worldLayers, worldNames, worldSource } from './world.ts'

export interface Streets {
  url: string
  bounds: Bounds
  /** Who made the tiles, apart from those who mapped the streets. */
  isByProtomaps: boolean
}

/** The ODbL licence requires this wherever the map is shown. */
const streetCredit =
  '<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">© OpenStreetMap contributors</a>'
const protomapsCredit = '<a href="https://protomaps.com" target="_blank" rel="noreferrer">Protomaps</a>'

const tilesFrom = (url: string, attribution: string): VectorSourceSpecification => ({
  type: 'vector',
  url: `pmtiles://${url}`,
  attribution,
})

/** The map that our own server draws: the world, and the streets where it has them. */
export function ownStyle(theme: 'light' | 'dark', streets?: Streets): StyleSpecification {
  const paint = paints[theme]
  return {
    version: 8,
    sources: {
      [worldSource]: tilesFrom(new URL(worldPath, location.href).href, worldCredit),
      ...(streets && {
        [streetSource]: tilesFrom(
          streets.url,
          streets.isByProtomaps ? `${streetCredit} ${protomapsCredit}` : streetCredit,
        ),
      }),
    },
    layers: [
      ...plainStyle(theme).layers,
      ...worldLayers(paint),
      ...worldNames(paint, streets?.bounds),
      ...(streets ? streetLayers(paint) : []),
    ],
  }
}

/** Only the colour of land, until we know which map to show. */
export const plainStyle = (theme: 'light' | 'dark'): StyleSpecification => ({
  version: 8,
  sources: {},
  layers: [{ id: 'land', type: 'background', paint: { 'background-color': paints[theme].land } }],
})
