import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl'

interface Paints {
  water: string
  land: string
  town: string
  green: string
  building: string
  path: string
  minor: string
  major: string
  highway: string
  edge: string
  rail: string
  border: string
  name: string
  waterName: string
  halo: string
}

/** Pale colours, because the pins matter more. */
const paints: Record<'light' | 'dark', Paints> = {
  light: {
    water: '#bfdcec',
    land: '#f6f5f1',
    town: '#efeeea',
    green: '#dcebd2',
    building: '#e6e3dd',
    path: '#e4e1db',
    minor: '#ffffff',
    major: '#ffffff',
    highway: '#fbdfa3',
    edge: '#dedad2',
    rail: '#cfccc6',
    border: '#a8a3b5',
    name: '#4b5565',
    waterName: '#39708f',
    halo: '#f9f8f5',
  },
  dark: {
    water: '#14304a',
    land: '#131a26',
    town: '#161e2b',
    green: '#14271f',
    building: '#1c2533',
    path: '#232d3d',
    minor: '#273245',
    major: '#313e54',
    highway: '#4d4631',
    edge: '#0f1520',
    rail: '#2c374a',
    border: '#59617a',
    name: '#a8b3c4',
    waterName: '#7fb2d4',
    halo: '#0e141e',
  },
}

const source = 'ground'
const green = [
  'park',
  'national_park',
  'nature_reserve',
  'forest',
  'wood',
  'grass',
  'grassland',
  'meadow',
  'cemetery',
  'garden',
  'golf_course',
  'village_green',
  'allotments',
  'scrub',
]
const town = ['residential', 'industrial', 'commercial', 'hospital', 'school', 'university', 'college', 'railway']

const oneOf = (...kinds: string[]): ExpressionSpecification => ['in', ['get', 'kind'], ['literal', kinds]]
const wide = (...stops: [zoom: number, width: number][]): ExpressionSpecification => [
  'interpolate',
  ['exponential', 1.6],
  ['zoom'],
  ...stops.flat(),
]
const roads = {
  path: wide([13, 0.4], [18, 3]),
  minor_road: wide([11, 0.3], [13, 1.2], [18, 14]),
  major_road: wide([7, 0.4], [12, 2], [18, 20]),
  highway: wide([5, 0.5], [12, 3], [18, 24]),
} as const

/** A map from Protomaps tiles (schema 4) in the data folder, in the colours of the theme, without other servers. */
export function protomapsStyle(url: string, theme: 'light' | 'dark'): StyleSpecification {
  const paint = paints[theme]
  return {
    version: 8,
    sources: {
      [source]: {
        type: 'vector',
        url: `pmtiles://${url}`,
        // The ODbL licence requires this wherever the map is shown.
        attribution:
          '<a href="https://protomaps.com" target="_blank" rel="noreferrer">Protomaps</a> ' +
          '© <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">OpenStreetMap</a>',
      },
    },
    layers: [...areas(paint), ...ways(paint), ...names(paint)],
  }
}

const areas = (paint: Paints): LayerSpecification[] => [
  { id: 'background', type: 'background', paint: { 'background-color': paint.land } },
  area('earth', 'earth', paint.land),
  area('town', 'landuse', paint.town, oneOf(...town)),
  area('green', 'landuse', paint.green, oneOf(...green)),
  area('water', 'water', paint.water, ['==', ['geometry-type'], 'Polygon']),
  {
    ...layer('rivers', 'water', ['==', ['geometry-type'], 'LineString']),
    type: 'line',
    minzoom: 9,
    paint: { 'line-color': paint.water, 'line-width': wide([9, 0.8], [18, 8]) },
  },
  { ...layer('buildings', 'buildings'), type: 'fill', minzoom: 13, paint: { 'fill-color': paint.building } },
]

const layer = (id: string, sourceLayer: string, filter?: ExpressionSpecification) => ({
  id: `ground-${id}`,
  source,
  'source-layer': sourceLayer,
  ...(filter && { filter }),
})
const area = (
  id: string,
  sourceLayer: string,
  colour: string,
  filter?: ExpressionSpecification,
): LayerSpecification => ({
  ...layer(id, sourceLayer, filter),
  type: 'fill',
  paint: { 'fill-color': colour },
})

function ways(paint: Paints): LayerSpecification[] {
  const colours = { path: paint.path, minor_road: paint.minor, major_road: paint.major, highway: paint.highway }
  const kinds = Object.keys(roads) as (keyof typeof roads)[]
  const road = (kind: keyof typeof roads, isEdge: boolean): LayerSpecification => ({
    ...layer(
      `${kind}${isEdge ? '-edge' : ''}`,
      'roads',
      oneOf(kind === 'minor_road' ? 'minor_road' : kind, ...(kind === 'path' ? ['other'] : [])),
    ),
    type: 'line',
    minzoom: kind === 'path' ? 13 : kind === 'minor_road' ? 11 : 5,
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: isEdge
      ? { 'line-color': paint.edge, 'line-gap-width': roads[kind], 'line-width': wide([11, 0.5], [18, 1.5]) }
      : { 'line-color': colours[kind], 'line-width': roads[kind] },
  })
  return [
    {
      ...layer('rail', 'roads', oneOf('rail')),
      type: 'line',
      minzoom: 10,
      paint: { 'line-color': paint.rail, 'line-width': 1, 'line-dasharray': [3, 2] },
    },
    ...kinds.filter((kind) => kind !== 'path').map((kind) => road(kind, true)),
    ...kinds.map((kind) => road(kind, false)),
    {
      ...layer('borders', 'boundaries'),
      type: 'line',
      paint: {
        'line-color': paint.border,
        'line-width': ['match', ['get', 'kind'], 'country', 1.4, 0.7],
        'line-dasharray': [4, 2],
      },
    },
  ]
}

/** The browser draws the letters: there is no glyph server. */
const names = ({ name, waterName, halo }: Paints): LayerSpecification[] => [
  named(layer('road-names', 'roads', oneOf('minor_road', 'major_road', 'highway')), {
    colour: name,
    halo,
    minzoom: 13,
    size: 10.5,
    isAlongLine: true,
  }),
  named(layer('water-names', 'water', ['==', ['geometry-type'], 'Point']), { colour: waterName, halo, minzoom: 9 }),
  named(layer('quarters', 'places', oneOf('neighbourhood', 'macrohood')), { colour: name, halo, minzoom: 11 }),
  named(layer('towns', 'places', oneOf('locality')), { colour: name, halo, minzoom: 3, size: sizeOfTowns }),
]

const sizeOfTowns: ExpressionSpecification = ['interpolate', ['linear'], ['zoom'], 5, 11, 12, 16]

interface Naming {
  colour: string
  halo: string
  minzoom: number
  size?: number | ExpressionSpecification
  isAlongLine?: boolean
}

function named(
  what: ReturnType<typeof layer>,
  { colour, halo, minzoom, size = 11.5, isAlongLine = false }: Naming,
): LayerSpecification {
  return {
    ...what,
    type: 'symbol',
    minzoom,
    layout: {
      'symbol-placement': isAlongLine ? 'line' : 'point',
      'text-field': ['get', 'name'],
      'text-font': ['Inter Variable'],
      'text-size': size,
      'text-max-width': 8,
    },
    paint: { 'text-color': colour, 'text-halo-color': halo, 'text-halo-width': 1.4 },
  }
}
