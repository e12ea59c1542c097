import type { Feature } from 'geojson'
import type { LayerSpecification, SourceSpecification } from 'maplibre-gl'
import type { Point as Place } from '../../core/geo.ts'
import type { WayPart } from '../../core/way.ts'
import type { Point } from './point.ts'

/* How a way is drawn, in all apps: along roads as a line, and where no road is known thin and dashed, so that nobody takes it for one. */

export const waySource: SourceSpecification = { type: 'geojson', data: { type: 'FeatureCollection', features: [] } }

export const placeOf = ([lng, lat]: Point): Place => ({ lat, lng })
export const pointOfPlace = ({ lat, lng }: Place): Point => [lng, lat]

export const wayFeatures = (parts: readonly WayPart[]): Feature[] =>
  parts.map(({ points, isRoad }) => ({
    type: 'Feature',
    geometry: { type: 'LineString', coordinates: points.map(pointOfPlace) },
    properties: { isRoad },
  }))

interface Look {
  /** The name of the source, and what the names of the layers begin with. */
  source: string
  colour: string
  edge: string
  width: number
}

export function wayLayers({ source, colour, edge, width }: Look): LayerSpecification[] {
  const round = { 'line-join': 'round', 'line-cap': 'round' } as const
  const line = { type: 'line', source } as const
  return [
    {
      ...line,
      id: `${source}-edge`,
      filter: ['get', 'isRoad'],
      layout: round,
      paint: { 'line-color': edge, 'line-width': width + 3, 'line-opacity': 0.8 },
    },
    {
      ...line,
      id: `${source}-straight`,
      filter: ['!', ['get', 'isRoad']],
      paint: { 'line-color': colour, 'line-width': width / 2, 'line-dasharray': [3, 3], 'line-opacity': 0.9 },
    },
    {
      ...line,
      id: `${source}-line`,
      filter: ['get', 'isRoad'],
      layout: round,
      paint: { 'line-color': colour, 'line-width': width },
    },
  ]
}
