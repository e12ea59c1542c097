import type { Transport } from '../../../../core/travel.ts'
import type { Tags } from '../../extract/elements.ts'
import { bitOf, everybody, motorised, profiles, setOf } from '../profiles.ts'
import { type RoadClass, roadClasses } from '../speeds.ts'

/* Which ways are roads, and for whom if no sign says otherwise. */

const bicycles = bitOf('bicycle')
const feet = bitOf('foot')

/** A track is for who has something to do there. */
const usual: Readonly<Partial<Record<RoadClass, number>>> = {
  motorway: motorised,
  motorway_link: motorised,
  track: everybody & ~bitOf('truck'),
  pedestrian: feet | bicycles,
  cycleway: feet | bicycles,
  footway: feet,
  path: feet | bicycles,
  steps: feet,
  other: 0,
}

const others: Readonly<Record<string, RoadClass>> = {
  road: 'unclassified',
  bridleway: 'other',
  corridor: 'footway',
  platform: 'footway',
  busway: 'other',
}
/** What is only passed by who wants to go there. */
const drives = new Set(['driveway', 'parking_aisle', 'drive-through', 'emergency_access'])
const badSurfaces = new Set(['horrible', 'very_horrible', 'impassable'])

export interface Road {
  road: RoadClass
  isRoundabout: boolean
  /** Who may use it if no sign says otherwise. */
  usual: number
  /** Of these, who may not pass through. */
  endsOnly: number
}

/** Undefined for what is no road. */
export function readRoad(tags: Tags): Road | undefined {
  const isRoundabout = tags['junction'] === 'roundabout' || tags['junction'] === 'circular'
  if (tags['route'] === 'ferry') return isWaterBus(tags) ? undefined : ferry
  const { highway } = tags
  if (!highway || tags['impassable'] === 'yes' || tags['status'] === 'impassable') return undefined
  const road =
    roadClasses.includes(highway as RoadClass) && highway !== 'other' ? (highway as RoadClass) : others[highway]
  if (!road || road === 'ferry') return undefined
  let bits = usual[road] ?? everybody
  if (tags['motorroad'] === 'yes') bits &= motorised
  // Around a square, or across it.
  if (tags['area'] === 'yes') bits &= feet
  if (badSurfaces.has(tags['smoothness'] ?? '') || tags['tracktype'] === 'grade5') bits &= feet | bicycles
  return { road, isRoundabout, usual: bits, endsOnly: isOnlyForEnds(road, tags) ? motorised : 0 }
}

const isOnlyForEnds = (road: RoadClass, tags: Tags) =>
  road === 'track' || (road === 'service' && drives.has(tags['service'] ?? ''))

const ferry: Road = { road: 'ferry', isRoundabout: false, usual: everybody, endsOnly: 0 }

/** A boat along the shore for people only, with a timetable that nobody has written down. */
const isWaterBus = (tags: Tags) => tags['motor_vehicle'] === 'no' && tags['bicycle'] === 'no' && !tags['duration']

export type Direction = 'forward' | 'backward'

/** Whether a profile may go in this direction, as far as one-way signs say. */
export function mayGo(tags: Tags, profile: Transport, direction: Direction): boolean {
  const way = onewayOf(tags, profile)
  return way === 'both' || way === direction
}

type Oneway = Direction | 'both' | 'neither'

function onewayOf(tags: Tags, profile: Transport): Oneway {
  if (profile === 'foot') return readOneway(tags['oneway:foot'] ?? tags['conveying']) ?? 'both'
  const own =
    profile === 'bicycle'
      ? bicycleOneway(tags)
      : profile === 'motorcycle'
        ? readOneway(tags['oneway:motorcycle'])
        : undefined
  if (own) return own
  const general = readOneway(tags['oneway'])
  if (general) return general
  const isImplied =
    tags['junction'] === 'roundabout' ||
    tags['junction'] === 'circular' ||
    tags['highway'] === 'motorway' ||
    tags['highway'] === 'motorway_link'
  return isImplied ? 'forward' : 'both'
}

function readOneway(value: string | undefined): Oneway | undefined {
  if (value === 'yes' || value === '1' || value === 'true' || value === 'forward') return 'forward'
  if (value === '-1' || value === 'reverse' || value === 'backward') return 'backward'
  if (value === 'no' || value === '0' || value === 'false' || value === 'alternating') return 'both'
  // Which way it goes now, nobody knows.
  return value === 'reversible' ? 'neither' : undefined
}

/** Contraflow: a one-way street that bicycles may use in both directions. */
function bicycleOneway(tags: Tags): Oneway | undefined {
  const own = readOneway(tags['oneway:bicycle'])
  if (own) return own
  const lanes = ['cycleway', 'cycleway:left', 'cycleway:right', 'cycleway:both']
  const isContraflow = lanes.some(
    (lane) => /^opposite/.test(tags[lane] ?? '') || ['-1', 'no'].includes(tags[`${lane}:oneway`] ?? ''),
  )
  return isContraflow ? 'both' : undefined
}

/** The profiles whose vehicles are heavier or higher than signs allow. */
export function tooLarge(tags: Tags, isTooLarge: (profile: Transport) => boolean): number {
  return tags['maxweight'] || tags['maxweightrating'] || tags['maxheight']
    ? setOf(...profiles.filter((profile) => profile !== 'foot' && isTooLarge(profile)))
    : 0
}
