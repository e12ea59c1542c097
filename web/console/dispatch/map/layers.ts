import type { FeatureCollection } from 'geojson'
import type { ExpressionSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl'
import type { Colours } from '../../../map/colours.ts'
import { wayLayers, waySource } from '../../../map/way.ts'
import { arrowImage, clusterPrefix, rankFrom } from './pin-names.ts'

const nothing: FeatureCollection = { type: 'FeatureCollection', features: [] }

/** Our own data on top of the background map. Filled by `setData`, only when something changed. */
export const sources: Record<'tasks' | 'open' | 'track' | 'route' | 'stops', SourceSpecification> = {
  tasks: { type: 'geojson', data: nothing },
  // Open tasks again: from afar, many on one spot are one circle with their number, in the colour of the most urgent.
  open: {
    type: 'geojson',
    data: nothing,
    cluster: true,
    clusterMaxZoom: 11,
    clusterRadius: 32,
    clusterMinPoints: 8,
    clusterProperties: { rank: ['max', ['get', 'rank']] },
  },
  track: { type: 'geojson', data: nothing },
  route: waySource,
  stops: { type: 'geojson', data: nothing },
}

/** The layers in which a task can be clicked, topmost first. */
export const taskLayers = ['stops', 'tasks-chosen', 'tasks-open', 'tasks-ended']

/** The circles that stand for many tasks. */
export const clusterLayer = 'tasks-clusters'

const kindIs = (kind: string): ExpressionSpecification => ['==', ['get', 'kind'], kind]
const growing = (...sizes: [zoom: number, size: number][]): ExpressionSpecification => [
  'interpolate',
  ['linear'],
  ['zoom'],
  ...sizes.flat(),
]
const openSize = growing([7, 0.4], [10, 0.65], [12, 0.85], [15, 1])
const always = { 'icon-allow-overlap': true, 'icon-ignore-placement': true } as const

export function layersOf(colours: Colours): LayerSpecification[] {
  return [
    {
      id: 'tasks-other',
      type: 'circle',
      source: 'tasks',
      filter: kindIs('other'),
      paint: {
        'circle-radius': growing([8, 1.5], [14, 3.5]),
        'circle-color': colours['ink-faint'],
        'circle-opacity': 0.3,
      },
    },
    {
      id: 'track-edge',
      type: 'line',
      source: 'track',
      layout: { 'line-join': 'round', 'line-cap': 'round' },
      paint: { 'line-color': colours.surface, 'line-width': 7, 'line-opacity': 0.8 },
    },
    {
      id: 'track-line',
      type: 'line',
      source: 'track',
      layout: { 'line-join': 'round', 'line-cap': 'round' },
      paint: { 'line-color': colours.moving, 'line-width': 4 },
    },
    {
      id: 'track-start',
      type: 'circle',
      source: 'track',
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-radius': 5,
        'circle-color': colours.surface,
        'circle-stroke-color': colours.moving,
        'circle-stroke-width': 3,
      },
    },
    ...wayLayers({ source: 'route', colour: colours.given, edge: colours.surface, width: 3 }),
    {
      id: 'route-arrows',
      type: 'symbol',
      source: 'route',
      layout: {
        ...always,
        'symbol-placement': 'line',
        'symbol-spacing': 55,
        'icon-image': arrowImage,
        'icon-size': 0.9,
        'icon-rotation-alignment': 'map',
      },
    },
    {
      id: 'tasks-ended',
      type: 'symbol',
      source: 'tasks',
      filter: kindIs('ended'),
      layout: { ...always, 'icon-image': ['get', 'icon'], 'icon-size': growing([7, 0.2], [11, 0.38], [15, 0.7]) },
      paint: { 'icon-opacity': growing([10, 0.45], [15, 0.75]) },
    },
    {
      id: 'tasks-open',
      type: 'symbol',
      source: 'open',
      filter: kindIs('open'),
      layout: {
        ...always,
        'icon-image': ['get', 'icon'],
        'icon-size': openSize,
        'symbol-sort-key': ['get', 'rank'],
        'symbol-z-order': 'auto',
      },
    },
    {
      id: clusterLayer,
      type: 'circle',
      source: 'open',
      filter: ['has', 'point_count'],
      paint: {
        'circle-radius': ['step', ['get', 'point_count'], 15, 50, 19, 200, 24],
        'circle-color': [
          'step',
          ['get', 'rank'],
          colours.given,
          rankFrom.risky,
          colours.waiting,
          rankFrom.late,
          colours.bad,
        ],
        'circle-stroke-color': colours.surface,
        'circle-stroke-width': 2,
      },
    },
    {
      id: 'tasks-cluster-numbers',
      type: 'symbol',
      source: 'open',
      filter: ['has', 'point_count'],
      layout: { ...always, 'icon-image': ['concat', clusterPrefix, ['get', 'point_count']] },
    },
    {
      id: 'tasks-piles',
      type: 'symbol',
      source: 'tasks',
      // Nearer than clusters.
      minzoom: 12,
      filter: kindIs('pile'),
      layout: {
        ...always,
        'icon-image': ['get', 'icon'],
        'icon-size': growing([10, 0.85], [14, 1]),
        'icon-offset': [13, -13],
      },
    },
    {
      id: 'tasks-chosen-ring',
      type: 'circle',
      source: 'tasks',
      filter: chosenFilter([]),
      paint: {
        'circle-radius': growing([7, 8], [12, 15], [15, 18]),
        'circle-color': colours.accent,
        'circle-opacity': 0.22,
        'circle-stroke-color': colours.accent,
        'circle-stroke-width': 2.5,
      },
    },
    {
      id: 'tasks-chosen',
      type: 'symbol',
      source: 'tasks',
      filter: chosenFilter([]),
      layout: { ...always, 'icon-image': ['get', 'icon'], 'icon-size': growing([7, 0.45], [12, 0.9], [15, 1.1]) },
    },
    {
      id: 'stops',
      type: 'symbol',
      source: 'stops',
      layout: {
        ...always,
        'icon-image': ['get', 'icon'],
        'icon-size': growing([8, 0.7], [12, 0.95], [15, 1.1]),
        'symbol-sort-key': ['get', 'rank'],
      },
    },
  ]
}

/** Selected tasks are drawn again, above the others. */
export const chosenFilter = (ids: number[]): ExpressionSpecification => [
  'all',
  ['!', kindIs('pile')],
  ['in', ['get', 'id'], ['literal', ids]],
]
