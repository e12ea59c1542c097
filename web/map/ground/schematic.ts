import type { Feature, Position } from 'geojson'
import type { GeoJSONSource, LayerSpecification, Map as MapLibre, StyleSpecification } from 'maplibre-gl'
import type { Colours } from '../colours.ts'

const gridSource = 'grid'

/** Only the colour of land, until we know which map to show. */
export const plainStyle = ({ page }: Colours): StyleSpecification => ({
  version: 8,
  sources: {},
  layers: [{ id: 'land', type: 'background', paint: { 'background-color': page } }],
})

/** Used without a map: a plain background with a grid of coordinates, to judge distances. */
export function schematicStyle(colours: Colours): StyleSpecification {
  const { layers, ...plain } = plainStyle(colours)
  return {
    ...plain,
    sources: { [gridSource]: { type: 'geojson', data: { type: 'FeatureCollection', features: [] } } },
    layers: [...layers, ...gridLayers(colours)],
  }
}

const gridLayers = (colours: Colours): LayerSpecification[] => [
  {
    id: 'grid-fields',
    type: 'fill',
    source: gridSource,
    filter: ['==', ['geometry-type'], 'Polygon'],
    paint: { 'fill-color': colours.surface, 'fill-opacity': 0.65, 'fill-antialias': false },
  },
  {
    id: 'grid-lines',
    type: 'line',
    source: gridSource,
    filter: ['==', ['geometry-type'], 'LineString'],
    paint: { 'line-color': colours.line, 'line-width': ['case', ['get', 'major'], 1.6, 0.8] },
  },
  {
    id: 'grid-names',
    type: 'symbol',
    source: gridSource,
    filter: ['==', ['geometry-type'], 'LineString'],
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 420,
      'text-field': ['get', 'name'],
      'text-font': ['Inter Variable'],
      'text-size': 10,
      'text-keep-upright': true,
    },
    paint: { 'text-color': colours['ink-faint'], 'text-halo-color': colours.page, 'text-halo-width': 1.5 },
  },
]

const steps = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30]
const leastPixels = 90

/** The width of a grid cell in degrees, so that lines are about equally far apart on the screen at every zoom. */
export const stepAt = (zoom: number) => {
  const degreesPerPixel = 360 / (512 * 2 ** zoom)
  return steps.find((step) => step / degreesPerPixel >= leastPixels) ?? 30
}

interface Box {
  west: number
  south: number
  east: number
  north: number
}

/** Lines labelled with their degree, and every other cell, as on a chessboard. */
export function gridOf({ west, south, east, north }: Box, step: number): Feature[] {
  const decimals = step < 0.01 ? 3 : step < 0.1 ? 2 : step < 1 ? 1 : 0
  const columns = range(west, east, step)
  const rows = range(south, north, step)
  const at = (index: number) => index * step
  const name = (degrees: number, signs: string) =>
    `${Math.abs(degrees).toFixed(decimals)}° ${signs[degrees < 0 ? 1 : 0]}`
  const line = (index: number, signs: string, coordinates: Position[]): Feature => ({
    type: 'Feature',
    geometry: { type: 'LineString', coordinates },
    properties: { name: name(at(index), signs), major: index % 5 === 0 },
  })
  const [left, right] = [at(columns[0] ?? 0), at(columns.at(-1) ?? 0)]
  const [low, high] = [at(rows[0] ?? 0), at(rows.at(-1) ?? 0)]
  const fields = columns.flatMap((x) => rows.filter((y) => (x + y) % 2 === 0).map((y) => field(at(x), at(y), step)))
  return [
    ...fields,
    ...columns.map((x) =>
      line(x, 'EW', [
        [at(x), low],
        [at(x), high],
      ]),
    ),
    ...rows.map((y) =>
      line(y, 'NS', [
        [left, at(y)],
        [right, at(y)],
      ]),
    ),
  ]
}

const range = (from: number, to: number, step: number) => {
  const [first, last] = [Math.floor(from / step), Math.ceil(to / step)]
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

const field = (west: number, south: number, step: number): Feature => {
  const [east, north] = [west + step, south + step]
  const coordinates = [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ]
  return { type: 'Feature', geometry: { type: 'Polygon', coordinates }, properties: {} }
}

/** Draws the grid around the visible area, and again when the map has moved out of it or zoomed far enough. */
export function keepGrid(map: MapLibre): () => void {
  let drawn: (Box & { step: number }) | undefined
  const draw = () => {
    const source = map.getSource<GeoJSONSource>(gridSource)
    if (!source) return
    const seen = map.getBounds()
    const box = { west: seen.getWest(), south: seen.getSouth(), east: seen.getEast(), north: seen.getNorth() }
    const step = stepAt(map.getZoom())
    if (drawn?.step === step && contains(drawn, box)) return
    const [wide, high] = [(box.east - box.west) / 2, (box.north - box.south) / 2]
    drawn = { west: box.west - wide, south: box.south - high, east: box.east + wide, north: box.north + high, step }
    void source.setData({ type: 'FeatureCollection', features: gridOf(drawn, step) })
  }
  draw()
  map.on('moveend', draw)
  return () => {
    map.off('moveend', draw)
  }
}

const contains = (outer: Box, inner: Box) =>
  outer.west <= inner.west && outer.east >= inner.east && outer.south <= inner.south && outer.north >= inner.north
