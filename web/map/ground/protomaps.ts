import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { oneWayImage, shieldImage } from './images.ts'
import { detailIs, type Filter, growing, isShape, layersOf, named, oneOf, wide } from './layers.ts'
import type { Paints } from './paints.ts'

/*
 * How tiles look that have the layers and kinds of Protomaps basemaps, schema 4: those of an import
 * (server/map/tiles/layers.ts says what is in them), and a file of Protomaps itself.
 */

export const streetSource = 'streets'
const layer = layersOf(streetSource)

const wood = ['forest', 'wood', 'orchard', 'vineyard', 'scrub', 'heath']
const green = [
  'park',
  'national_park',
  'nature_reserve',
  'grass',
  'grassland',
  'meadow',
  'cemetery',
  'garden',
  'golf_course',
  'village_green',
  'allotments',
  'pitch',
  'playground',
  'recreation_ground',
  'wetland',
  'zoo',
]
const built = [
  'residential',
  'commercial',
  'retail',
  'industrial',
  'railway',
  'military',
  'hospital',
  'school',
  'university',
  'college',
  'kindergarten',
  'aerodrome',
  'pedestrian',
  'parking',
  'construction',
  'quarry',
]

/** All layers, from the ground up. */
export const streetLayers = (paints: Paints): LayerSpecification[] => [
  ...areas(paints),
  ...roadsOf(paints),
  ...marks(paints),
  ...names(paints),
]

const area = (id: string, sourceLayer: string, colour: string, filter?: Filter): LayerSpecification => ({
  ...layer(id, sourceLayer, filter),
  type: 'fill',
  paint: { 'fill-color': colour },
})

const areas = (paint: Paints): LayerSpecification[] => [
  area('earth', 'earth', paint.land),
  area('built', 'landuse', paint.built, oneOf(...built)),
  area('green', 'landuse', paint.green, oneOf(...green)),
  area('wood', 'landuse', paint.wood, oneOf(...wood)),
  area('sand', 'landuse', paint.sand, oneOf('beach', 'sand')),
  area('water', 'water', paint.water, isShape('Polygon')),
  {
    ...layer('rivers', 'water', isShape('LineString')),
    type: 'line',
    minzoom: 8,
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: {
      'line-color': paint.water,
      'line-width': wide([8, 0.9], [12, 1.6], [18, 9]),
    },
  },
  {
    ...layer('buildings', 'buildings', isShape('Polygon')),
    type: 'fill',
    minzoom: 13,
    paint: { 'fill-color': paint.building, 'fill-outline-color': paint.buildingEdge },
  },
]

const isService = detailIs('service')

/** From the least to the most important, which is drawn last. */
const classes = [
  {
    id: 'service',
    filter: ['all', oneOf('minor_road', 'other'), isService] as Filter,
    paint: 'street',
    minzoom: 14,
    width: [
      [14, 0.9],
      [16, 3],
      [18, 8],
    ],
  },
  {
    id: 'street',
    filter: ['all', oneOf('minor_road'), ['!', isService]] as Filter,
    paint: 'street',
    minzoom: 12,
    width: [
      [12, 0.9],
      [14, 2.6],
      [16, 7],
      [18, 17],
    ],
  },
  {
    id: 'through',
    filter: [
      'all',
      oneOf('major_road'),
      detailIs('secondary', 'tertiary', 'secondary_link', 'tertiary_link'),
    ] as Filter,
    paint: 'through',
    minzoom: 9,
    width: [
      [9, 0.9],
      [12, 2.2],
      [14, 4.4],
      [16, 9],
      [18, 20],
    ],
  },
  {
    id: 'main',
    filter: [
      'all',
      oneOf('major_road'),
      ['!', detailIs('secondary', 'tertiary', 'secondary_link', 'tertiary_link')],
    ] as Filter,
    paint: 'main',
    minzoom: 6,
    width: [
      [6, 0.8],
      [10, 2],
      [14, 5.4],
      [16, 11],
      [18, 23],
    ],
  },
  {
    id: 'highway',
    filter: oneOf('highway'),
    paint: 'highway',
    minzoom: 4,
    width: [
      [4, 0.8],
      [8, 1.8],
      [12, 3.6],
      [16, 12],
      [18, 25],
    ],
  },
] as const satisfies {
  id: string
  filter: Filter
  paint: 'street' | 'through' | 'main' | 'highway'
  minzoom: number
  width: [zoom: number, width: number][]
}[]

/** Slip roads are narrower than what they lead to. */
const roadWidth = (stops: readonly (readonly [number, number])[]): ExpressionSpecification => [
  'interpolate',
  ['exponential', 1.6],
  ['zoom'],
  ...stops.flatMap(([zoom, width]): [number, ExpressionSpecification] => [
    zoom,
    ['case', ['==', ['get', 'is_link'], true], width * 0.7, width],
  ]),
]

function roadsOf(paint: Paints): LayerSpecification[] {
  const road = ({ id, filter, paint: named, minzoom, width }: (typeof classes)[number], isEdge: boolean) => {
    const { middle, edge } = paint[named]
    const seen = ['case', ['==', ['get', 'is_tunnel'], true], 0.45, 1] as ExpressionSpecification
    return {
      ...layer(isEdge ? `${id}-edge` : id, 'roads', filter),
      type: 'line',
      minzoom,
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: isEdge
        ? {
            'line-color': edge,
            'line-gap-width': roadWidth(width),
            'line-width': wide([6, 0.5], [12, 0.8], [18, 1.6]),
            'line-opacity': seen,
          }
        : { 'line-color': middle, 'line-width': roadWidth(width), 'line-opacity': seen },
    } satisfies LayerSpecification
  }
  return [
    {
      ...layer('aeroways', 'roads', oneOf('aeroway')),
      type: 'line',
      minzoom: 10,
      paint: { 'line-color': paint.building, 'line-width': wide([10, 1], [14, 6], [18, 40]) },
    },
    {
      ...layer('paths', 'roads', oneOf('path')),
      type: 'line',
      minzoom: 14,
      paint: { 'line-color': paint.path, 'line-width': wide([14, 0.7], [18, 2.4]), 'line-dasharray': [3, 1.5] },
    },
    ...classes.map((one) => road(one, true)),
    ...classes.map((one) => road(one, false)),
    {
      ...layer('rail', 'roads', oneOf('rail')),
      type: 'line',
      minzoom: 9,
      paint: { 'line-color': paint.rail, 'line-width': wide([9, 0.7], [14, 1], [18, 2.2]) },
    },
    {
      // Sleepers.
      ...layer('rail-ties', 'roads', detailIs('rail', 'narrow_gauge')),
      type: 'line',
      minzoom: 14,
      paint: { 'line-color': paint.rail, 'line-width': wide([14, 3], [18, 7]), 'line-dasharray': [0.3, 3] },
    },
    {
      ...layer('ferries', 'roads', oneOf('ferry')),
      type: 'line',
      minzoom: 8,
      paint: { 'line-color': paint.ferry, 'line-width': 0.9, 'line-opacity': 0.7, 'line-dasharray': [5, 4] },
    },
    {
      ...layer('borders', 'boundaries', oneOf('country')),
      type: 'line',
      paint: { 'line-color': paint.border, 'line-width': wide([3, 0.8], [10, 2], [16, 3]), 'line-dasharray': [5, 2] },
    },
    {
      ...layer('regions', 'boundaries', ['!', oneOf('country')]),
      type: 'line',
      minzoom: 6,
      paint: { 'line-color': paint.border, 'line-width': 0.8, 'line-opacity': 0.6, 'line-dasharray': [3, 2] },
    },
  ]
}

/** `-1`: the other way round than the line is drawn. */
const oneWay: ExpressionSpecification = ['to-string', ['get', 'oneway']]
const roadRef: ExpressionSpecification = ['coalesce', ['get', 'shield_text'], ['get', 'ref'], '']
/** The first of several: `DN6;E70`. */
const firstRef: ExpressionSpecification = [
  'let',
  'ref',
  roadRef,
  [
    'case',
    ['>', ['index-of', ';', ['var', 'ref']], 0],
    ['slice', ['var', 'ref'], 0, ['index-of', ';', ['var', 'ref']]],
    ['var', 'ref'],
  ],
]

const marks = (paint: Paints): LayerSpecification[] => [
  {
    ...layer('one-way', 'roads', [
      'all',
      oneOf('minor_road', 'major_road', 'highway'),
      ['in', oneWay, ['literal', ['yes', 'true', '1', '-1']]],
    ]),
    type: 'symbol',
    minzoom: 15,
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 110,
      'icon-image': oneWayImage,
      'icon-size': growing([15, 0.55], [18, 1]),
      'icon-rotate': ['case', ['==', oneWay, '-1'], 180, 0],
      'icon-rotation-alignment': 'map',
      'icon-padding': 1,
      // Marks on the street, not words: names come first, and are not moved by them.
      'icon-ignore-placement': true,
    },
  },
  {
    ...layer('house-numbers', 'buildings', oneOf('address')),
    type: 'symbol',
    minzoom: 16,
    layout: {
      'text-field': ['get', 'addr_housenumber'],
      'text-font': ['Inter Variable'],
      'text-size': growing([16, 9.5], [18, 12]),
      'text-padding': 1,
    },
    paint: { 'text-color': paint.softName, 'text-halo-color': paint.halo, 'text-halo-width': 1.2 },
  },
]

const isMain = detailIs('motorway', 'trunk', 'primary')

const names = (paint: Paints): LayerSpecification[] => {
  const { name, softName, waterName, greenName, halo } = paint
  const many = ['coalesce', ['get', 'sort_rank'], 0] as ExpressionSpecification
  const importantFirst: ExpressionSpecification = ['-', 0, many]
  return [
    named(layer('pois', 'pois', oneOf('hospital', 'university', 'college', 'mall', 'stadium', 'townhall', 'school')), {
      colour: softName,
      halo,
      minzoom: 15,
      size: 10.5,
    }),
    named(layer('parks', 'pois', oneOf('park', 'cemetery', 'zoo')), {
      colour: greenName,
      halo,
      minzoom: 14,
      size: 10.5,
    }),
    named(layer('stations', 'pois', oneOf('station', 'bus_station', 'aerodrome', 'marketplace')), {
      colour: name,
      halo,
      minzoom: 13,
      size: 10.5,
    }),
    named(layer('street-names', 'roads', oneOf('minor_road', 'path')), {
      colour: name,
      halo,
      minzoom: 15,
      size: growing([15, 10.5], [18, 13]),
      isAlongLine: true,
      order: importantFirst,
    }),
    named(layer('road-names', 'roads', oneOf('major_road', 'highway')), {
      colour: name,
      halo,
      minzoom: 13,
      size: growing([13, 10.5], [18, 14]),
      isAlongLine: true,
      order: importantFirst,
    }),
    {
      ...layer('refs', 'roads', ['all', oneOf('major_road', 'highway'), isMain, ['!=', roadRef, '']]),
      type: 'symbol',
      minzoom: 8,
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 420,
        'symbol-sort-key': importantFirst,
        'text-field': firstRef,
        'text-font': ['Inter Variable'],
        'text-size': 9.5,
        'text-rotation-alignment': 'viewport',
        'icon-rotation-alignment': 'viewport',
        'icon-image': shieldImage,
        'icon-text-fit': 'both',
        'icon-text-fit-padding': [1, 3, 1, 3],
      },
      paint: { 'text-color': name },
    },
    named(layer('river-names', 'water', isShape('LineString')), {
      colour: waterName,
      halo: paint.halo,
      minzoom: 12,
      isAlongLine: true,
      isSpaced: true,
    }),
    named(layer('water-names', 'water', isShape('Point')), { colour: waterName, halo, minzoom: 7 }),
    named(layer('quarters', 'places', oneOf('neighbourhood', 'macrohood')), {
      colour: softName,
      halo,
      minzoom: 11,
      maxzoom: 16.5,
      size: growing([11, 10.5], [15, 13]),
      isSpaced: true,
      order: placesFirst,
    }),
    named(layer('towns', 'places', oneOf('locality')), {
      colour: name,
      halo,
      minzoom: 3,
      maxzoom: 16,
      size: [
        'interpolate',
        ['linear'],
        ['zoom'],
        5,
        ['case', detailIs('city'), 12, 10.5],
        13,
        ['case', detailIs('city'), 19, detailIs('town'), 16, 13],
      ],
      order: placesFirst,
    }),
    named(layer('regions-names', 'places', oneOf('region')), {
      colour: softName,
      halo,
      minzoom: 6,
      maxzoom: 8,
      isSpaced: true,
      order: placesFirst,
    }),
    named(layer('countries', 'places', oneOf('country')), {
      colour: softName,
      halo,
      minzoom: 2,
      maxzoom: 7,
      size: 13,
      isSpaced: true,
      order: placesFirst,
    }),
  ]
}

/** Protomaps has the larger number for the larger place, and also a key by which to sort. */
const placesFirst: ExpressionSpecification = [
  'coalesce',
  ['get', 'sort_key'],
  ['-', 0, ['coalesce', ['get', 'population_rank'], 0]],
]
