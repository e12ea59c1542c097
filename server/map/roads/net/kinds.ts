import type { Transport } from '../../../../core/travel.ts'
import type { Tags } from '../../extract/elements.ts'
import { Growing } from '../growing.ts'
import { bitOf, profiles } from '../profiles.ts'
import type { Speeds } from '../speeds.ts'
import { namesOf, signFor } from './access.ts'
import { readDuration, readMetres, readTonnes, speedLimit } from './limits.ts'
import { type Direction, mayGo, type Road, readRoad, tooLarge } from './roads.ts'

/*
 * What the tags of a way mean for everybody. Millions of ways have a few thousand meanings, so a way keeps the number of its kind.
 */

/** What is remarkable about a kind of road. */
export const marks = {
  /** Nobody is put here: a ferry. */
  noSpots: 1,
  /** Nobody stops here if there is another road near: a motorway. */
  noStops: 2,
  /** Nobody crosses it on foot: who is to come here comes on the right side. */
  wide: 4,
} as const

const perKind = profiles.length * 2

export interface Kinds {
  /** The number of a way's kind; undefined if nobody can use it. */
  of(tags: Tags, metres: number): number | undefined
  /** Kilometres per hour, 0 if it is closed: by kind, then by profile, then forward and backward. */
  speeds: Growing<Float64Array>
  /** Where only ends are allowed, as bits in the order of `speeds`. */
  ends: Growing<Uint16Array>
  marks: Growing<Uint8Array>
}

export const placeOf = (kind: number, profile: Transport, direction: 0 | 1) =>
  kind * perKind + profiles.indexOf(profile) * 2 + direction

export const isEndsOnly = (ends: number, profile: Transport, direction: 0 | 1) =>
  (ends & (1 << (profiles.indexOf(profile) * 2 + direction))) !== 0

/** What else than these in the tags changes nothing here. */
const relevant =
  /^(highway|route|junction|oneway|access|foot|bicycle|vehicle|motor_vehicle|motorcycle|motorcar|goods|hgv|maxspeed|source:maxspeed|zone:|max(weight|height)|surface|smoothness|tracktype|service|motorroad|area|cycleway|lanes|conveying|impassable|status|duration)/

export function createKinds(speeds: Speeds): Kinds {
  const known = new Map<string, number | undefined>()
  const kinds = new Map<string, number>()
  const lists = {
    speeds: new Growing(Float64Array),
    ends: new Growing(Uint16Array),
    marks: new Growing(Uint8Array),
  }
  function add(kind: Kind): number {
    const key = [...kind.speeds, kind.ends, kind.marks].join()
    return kinds.getOrInsertComputed(key, () => {
      for (const speed of kind.speeds) lists.speeds.push(speed)
      lists.ends.push(kind.ends)
      lists.marks.push(kind.marks)
      return kinds.size
    })
  }
  return {
    ...lists,
    of(tags, metres) {
      if (!tags['highway'] && tags['route'] !== 'ferry') return undefined
      const said = Object.entries(tags).filter(([key]) => relevant.test(key))
      // How fast a ferry is depends on how far it goes.
      const key = said.flat().join('\n') + (tags['route'] === 'ferry' ? metres : '')
      if (known.has(key)) return known.get(key)
      const kind = kindOf(tags, metres, speeds)
      const number = kind && add(kind)
      known.set(key, number)
      return number
    },
  }
}

interface Kind {
  speeds: number[]
  ends: number
  marks: number
}

function kindOf(tags: Tags, metres: number, speeds: Speeds): Kind | undefined {
  const road = readRoad(tags)
  if (!road) return undefined
  const kind: Kind = { speeds: [], ends: 0, marks: marksOf(road, tags) }
  const barred = tooLarge(tags, (profile) => isTooLarge(tags, speeds[profile]))
  for (const profile of profiles)
    for (const direction of ['forward', 'backward'] as const) {
      const access = accessTo(road, tags, profile, direction)
      const isClosed = access === 'closed' || (barred & bitOf(profile)) !== 0 || !mayGo(tags, profile, direction)
      if (access === 'ends') kind.ends |= 1 << kind.speeds.length
      kind.speeds.push(isClosed ? 0 : speedOf(road, tags, profile, direction, metres, speeds))
    }
  return kind.speeds.some((speed) => speed > 0) ? kind : undefined
}

function marksOf({ road }: Road, tags: Tags): number {
  if (road === 'ferry') return marks.noSpots
  const isWide = Number(tags['lanes']) >= 4 || road === 'trunk'
  return (road === 'motorway' || road === 'motorway_link' ? marks.noStops : 0) | (isWide ? marks.wide : 0)
}

function isTooLarge(tags: Tags, { tonnes, heightMetres }: Speeds[Transport]): boolean {
  const weights = [tags['maxweight'], tags['maxweightrating']].flatMap((text) => readTonnes(text) ?? [])
  const height = readMetres(tags['maxheight'])
  return weights.some((most) => most < tonnes) || (height !== undefined && height < heightMetres)
}

function accessTo({ usual, endsOnly }: Road, tags: Tags, profile: Transport, direction: Direction) {
  const sign = signFor(tags, profile, direction)
  const bit = bitOf(profile)
  // A path for everybody is no road for cars: only a sign that speaks of them opens it.
  if (!(usual & bit)) return sign?.isOwn ? sign.access : 'closed'
  if (!sign) return endsOnly & bit ? 'ends' : 'open'
  // Who walks to an address passes where residents do.
  if (profile === 'foot' && sign.access === 'ends' && sign.value !== 'private') return 'open'
  return sign.access === 'open' && endsOnly & bit && !sign.isOwn ? 'ends' : sign.access
}

const rough = new Set(['sett', 'cobblestone', 'unhewn_cobblestone', 'stone', 'rock', 'wood', 'bricks', 'grass_paver'])
const gravel = new Set(['gravel', 'fine_gravel', 'compacted', 'pebblestone', 'unpaved', 'chipseal'])
const soft = new Set(['ground', 'dirt', 'earth', 'grass', 'sand', 'mud', 'clay', 'woodchips', 'snow', 'ice'])

function surfaceShare(tags: Tags, speeds: Speeds[Transport]): number {
  const surface = (tags['surface'] ?? '').split(/[:;]/)[0] as string
  const { smoothness = '', tracktype = '' } = tags
  if (soft.has(surface) || smoothness === 'very_bad' || badTracks.has(tracktype)) return speeds.soft
  if (gravel.has(surface) || smoothness === 'bad' || tracktype === 'grade2') return speeds.gravel
  return rough.has(surface) || smoothness === 'intermediate' ? speeds.rough : 1
}
const badTracks = new Set(['grade3', 'grade4', 'grade5'])
const walkingSpeed = 4

function speedOf(
  { road, isRoundabout }: Road,
  tags: Tags,
  profile: Transport,
  direction: Direction,
  metres: number,
  all: Speeds,
): number {
  const speeds = all[profile]
  if (road === 'ferry') {
    const crossing = readDuration(tags['duration']) ?? metres / (speeds.ferry / 3.6)
    return rounded((metres / (crossing + speeds.boardingSeconds)) * 3.6)
  }
  if (profile === 'bicycle' && tags['bicycle'] === 'dismount') return walkingSpeed
  const ownLimits = namesOf[profile].filter((name) => name !== 'vehicle')
  const limit = speedLimit(tags, ownLimits, direction)
  const usual = speeds[road]
  // A sign for this road says that it can be driven faster than others; a rule for all roads does not.
  const most = usual * (limit && !limit.isGeneral ? speeds.overClass : 1)
  const driven = limit ? Math.min(limit.kmh * speeds.limitShare, most) : usual
  const onSurface = driven * surfaceShare(tags, speeds)
  return rounded(Math.min(onSurface, speeds.most, isRoundabout ? speeds.roundabout : speeds.most))
}

/** To a tenth, and never standing still: what is as good as equal is one kind. */
const rounded = (speed: number) => Math.max(0.5, Math.round(speed * 10) / 10)
