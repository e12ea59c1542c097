import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { type Filter, growing, isShape, layersOf, named, oneOf, wide } from './layers.ts'
import type { Paints } from './paints.ts'

/*
 * The world without streets, from our own server: sea, borders, big rivers and lakes (Natural Earth), and the towns of the
 * gazetteer (GeoNames). `server/map/world` makes its tiles. It is all there is on a site without a map of its own, and lies
 * under a map that knows only one city.
 */

export const worldSource = 'world'
const layer = layersOf(worldSource)

/** GeoNames asks to be named; Natural Earth does not, and on a phone there is little room. */
export const worldCredit = '<a href="https://www.geonames.org" target="_blank" rel="noreferrer">GeoNames</a>'

/** West, south, east, north. */
export type Bounds = readonly [number, number, number, number]

/** Drawn at one to ten or fifty million, so near it would be wrong by streets, and fades. */
const fading = (from: number, to: number) => growing([from, 1], [to, 0])

export const worldLayers = (paint: Paints): LayerSpecification[] => [
  {
    ...layer('sea', 'water', oneOf('ocean')),
    type: 'fill',
    maxzoom: 14,
    paint: { 'fill-color': paint.water, 'fill-opacity': fading(12, 14) },
  },
  {
    ...layer('lakes', 'water', ['all', oneOf('lake'), isShape('Polygon')]),
    type: 'fill',
    maxzoom: 12,
    paint: { 'fill-color': paint.water, 'fill-opacity': fading(10, 12) },
  },
  {
    ...layer('rivers', 'water', oneOf('river')),
    type: 'line',
    minzoom: 3,
    maxzoom: 11,
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: { 'line-color': paint.water, 'line-width': wide([3, 0.6], [7, 2], [10, 3]), 'line-opacity': fading(9, 11) },
  },
  {
    ...layer('borders', 'boundaries'),
    type: 'line',
    maxzoom: 13,
    paint: {
      'line-color': paint.border,
      'line-width': wide([2, 0.6], [7, 1.5], [12, 2]),
      'line-dasharray': [5, 2],
      'line-opacity': fading(11, 13),
    },
  },
]

/** Names of towns and countries; those inside the bounds are left to a map that knows more. */
export function worldNames(paint: Paints, bounds?: Bounds): LayerSpecification[] {
  const { name, softName, halo } = paint
  const isElsewhere: Filter[] = bounds ? [['!', ['within', polygonOf(bounds)]]] : []
  const isShown: Filter = ['>=', ['zoom'], ['get', 'min_zoom']]
  const largestFirst: ExpressionSpecification = ['-', 0, ['get', 'population']]
  return [
    named(layer('quarters', 'places', ['all', oneOf('neighbourhood'), isShown, ...isElsewhere]), {
      colour: softName,
      halo,
      minzoom: 11,
      isSpaced: true,
      order: largestFirst,
    }),
    named(layer('towns', 'places', ['all', oneOf('locality'), isShown, ...isElsewhere]), {
      colour: name,
      halo,
      minzoom: 2,
      size: [
        'interpolate',
        ['linear'],
        ['zoom'],
        4,
        ['step', ['get', 'population'], 10.5, 1_000_000, 12.5],
        11,
        ['step', ['get', 'population'], 11.5, 10_000, 13.5, 100_000, 17],
      ],
      order: largestFirst,
    }),
  ]
}

const polygonOf = ([west, south, east, north]: Bounds) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
})
