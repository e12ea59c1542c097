import type { Tags } from '../extract/elements.ts'
import type { Described, Properties } from './layers.ts'

/** Each with its first zoom and how important it is; what is more important is drawn over the rest. */
const highways: Readonly<Record<string, readonly [kind: string, minZoom: number, rank: number]>> = {
  motorway: ['highway', 4, 400],
  motorway_link: ['highway', 9, 390],
  trunk: ['major_road', 6, 380],
  trunk_link: ['major_road', 11, 350],
  primary: ['major_road', 7, 370],
  primary_link: ['major_road', 11, 340],
  secondary: ['major_road', 9, 360],
  secondary_link: ['major_road', 11, 330],
  tertiary: ['major_road', 10, 320],
  tertiary_link: ['major_road', 11, 310],
  residential: ['minor_road', 12, 290],
  unclassified: ['minor_road', 12, 290],
  living_street: ['minor_road', 12, 280],
  road: ['minor_road', 12, 280],
  raceway: ['minor_road', 12, 270],
  service: ['minor_road', 13, 260],
  pedestrian: ['path', 12, 250],
  track: ['path', 12, 240],
  cycleway: ['path', 13, 230],
  bridleway: ['path', 13, 220],
  path: ['path', 13, 220],
  footway: ['path', 13, 210],
  steps: ['path', 13, 210],
  corridor: ['path', 14, 200],
}

/** Not there, or nothing to move on. */
const unbuilt = new Set([
  'proposed',
  'abandoned',
  'razed',
  'demolished',
  'removed',
  'construction',
  'planned',
  'disused',
])
const notRoads = new Set([...unbuilt, 'elevator', 'platform', 'rest_area', 'services', 'bus_stop', 'no'])

const rails: Readonly<Record<string, readonly [minZoom: number, rank: number]>> = {
  rail: [9, 190],
  narrow_gauge: [9, 180],
  light_rail: [11, 170],
  monorail: [11, 170],
  funicular: [11, 170],
  subway: [11, 160],
  tram: [13, 150],
}
/** Tracks beside the line. */
const sidings = new Set(['yard', 'siding', 'spur', 'crossover'])

const drives = new Set(['driveway', 'parking_aisle', 'drive-through', 'emergency_access'])
const walksBesideRoads = new Set(['sidewalk', 'crossing', 'traffic_island', 'access_aisle'])

export interface Road extends Described {
  /** Its one-way sense is against the way it was drawn. */
  isReversed: boolean
}

export function describeRoad(tags: Tags): Road | undefined {
  const described = describeHighway(tags) ?? describeRail(tags) ?? describeOther(tags)
  return described && { layer: 'roads', isReversed: tags['oneway'] === '-1', ...described }
}

type Course = Pick<Described, 'properties' | 'minZoom'>

function describeHighway(tags: Tags): Course | undefined {
  const { highway } = tags
  if (highway === undefined || notRoads.has(highway) || tags['area'] === 'yes') return undefined
  const [kind, minZoom, rank] = highways[highway] ?? ['other', 14, 100]
  const isAside =
    (highway === 'service' && (drives.has(tags['service'] ?? '') || isPrivate(tags))) ||
    walksBesideRoads.has(tags['footway'] ?? '')
  return {
    minZoom: isAside ? 14 : minZoom,
    properties: {
      kind,
      ...(kind !== 'other' && { kind_detail: highway }),
      ...(highway.endsWith('_link') && { is_link: true }),
      ...(highway === 'service' && tags['service'] !== undefined && { service: tags['service'] }),
      ...named(tags),
      ...(isOneWay(tags) && { oneway: 'yes' }),
      ...levels(tags),
      sort_rank: rank,
    },
  }
}

const isPrivate = (tags: Tags) => tags['access'] === 'private' || tags['access'] === 'no'

/** Motorways and roundabouts are one-way without saying so. */
function isOneWay(tags: Tags): boolean {
  const { oneway } = tags
  if (oneway !== undefined) return oneway === 'yes' || oneway === '-1' || oneway === 'true' || oneway === '1'
  return tags['highway'] === 'motorway' || tags['junction'] === 'roundabout' || tags['junction'] === 'circular'
}

function describeRail(tags: Tags): Course | undefined {
  const { railway, service } = tags
  const rail = railway === undefined ? undefined : rails[railway]
  if (!rail || railway === undefined) return undefined
  const [minZoom, rank] = rail
  return {
    minZoom: service !== undefined && sidings.has(service) ? Math.max(13, minZoom) : minZoom,
    properties: {
      kind: 'rail',
      kind_detail: railway,
      ...(service !== undefined && sidings.has(service) && { service }),
      ...levels(tags),
      sort_rank: rank,
    },
  }
}

function describeOther(tags: Tags): Course | undefined {
  if (tags['route'] === 'ferry') return { minZoom: 9, properties: { kind: 'ferry', ...named(tags), sort_rank: 110 } }
  if (tags['aeroway'] === 'runway' || tags['aeroway'] === 'taxiway')
    return {
      minZoom: tags['aeroway'] === 'runway' ? 10 : 12,
      properties: { kind: 'aeroway', kind_detail: tags['aeroway'], sort_rank: 140 },
    }
  if (tags['man_made'] === 'pier')
    return { minZoom: 14, properties: { kind: 'path', kind_detail: 'pier', sort_rank: 205 } }
  return undefined
}

/** Of several numbers, as of a road that carries two routes, the first. */
function named(tags: Tags): Properties {
  const name = tags['name']
  const ref = tags['ref']?.split(';')[0]?.trim()
  return { ...(name && { name }), ...(ref && { ref }) }
}

function levels(tags: Tags): Properties {
  const says = (key: string) => tags[key] !== undefined && tags[key] !== 'no'
  return { ...(says('bridge') && { is_bridge: true }), ...(says('tunnel') && { is_tunnel: true }) }
}

/** What is left out of a road until there is room for it. Less that differs, and more lines can be joined. */
export function roadAt(zoom: number, properties: Properties): Properties {
  if (zoom >= 14) return properties
  const kept: Record<string, Properties[string]> = { ...properties }
  delete kept['oneway']
  if (zoom < nameFrom(properties)) delete kept['name']
  if (zoom < refFrom(properties)) delete kept['ref']
  if (zoom < 12) {
    delete kept['is_bridge']
    delete kept['is_tunnel']
  }
  return kept
}

const nameFrom = ({ kind, is_link }: Properties) =>
  is_link ? 14 : kind === 'highway' ? 11 : kind === 'major_road' ? 12 : kind === 'ferry' ? 11 : 14

const refFrom = ({ kind, kind_detail, is_link }: Properties) =>
  is_link
    ? 14
    : kind === 'highway' || kind_detail === 'trunk'
      ? 7
      : kind_detail === 'primary'
        ? 9
        : kind === 'major_road'
          ? 11
          : 12
