import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'

/** What layers of different sources are written with. */

export type Filter = ExpressionSpecification

export const oneOf = (...kinds: string[]): Filter => ['in', ['get', 'kind'], ['literal', kinds]]
export const detailIs = (...details: string[]): Filter => ['in', ['get', 'kind_detail'], ['literal', details]]
export const isShape = (shape: 'Point' | 'LineString' | 'Polygon'): Filter => ['==', ['geometry-type'], shape]

type Stop = [zoom: number, value: number]

/** Grows as streets do when the map is brought nearer. */
export const wide = (...stops: Stop[]): ExpressionSpecification => [
  'interpolate',
  ['exponential', 1.6],
  ['zoom'],
  ...stops.flat(),
]
export const growing = (...stops: Stop[]): ExpressionSpecification => [
  'interpolate',
  ['linear'],
  ['zoom'],
  ...stops.flat(),
]

interface What {
  id: string
  source: string
  'source-layer': string
  filter?: Filter
}

/** A maker of layers of a source, whose names begin like it. */
export const layersOf =
  (source: string) =>
  (id: string, sourceLayer: string, filter?: Filter): What => ({
    id: `${source}-${id}`,
    source,
    'source-layer': sourceLayer,
    ...(filter && { filter }),
  })

export interface Naming {
  colour: string
  halo: string
  minzoom: number
  maxzoom?: number
  size?: number | ExpressionSpecification
  /** What is written; the name, unless something else. */
  text?: ExpressionSpecification
  isAlongLine?: boolean
  /** The lowest is written first, where there is not room for all. */
  order?: ExpressionSpecification
  /** In thousandths of the width of a letter. */
  isSpaced?: boolean
}

/** Names. The browser draws the letters: there is no server of glyphs. */
export function named(
  what: What,
  {
    colour,
    halo,
    minzoom,
    maxzoom,
    size = 11.5,
    text = ['get', 'name'],
    isAlongLine = false,
    order,
    isSpaced = false,
  }: Naming,
): LayerSpecification {
  return {
    ...what,
    type: 'symbol',
    minzoom,
    ...(maxzoom !== undefined && { maxzoom }),
    layout: {
      'symbol-placement': isAlongLine ? 'line' : 'point',
      'symbol-spacing': 320,
      ...(order && { 'symbol-sort-key': order }),
      'text-field': text,
      'text-font': ['Inter Variable'],
      'text-size': size,
      'text-max-width': 8,
      'text-padding': isAlongLine ? 6 : 3,
      'text-max-angle': 35,
      ...(isSpaced && { 'text-letter-spacing': 0.08 }),
    },
    paint: { 'text-color': colour, 'text-halo-color': halo, 'text-halo-width': 1.5 },
  }
}
