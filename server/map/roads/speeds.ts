import type { Transport } from '../../../core/travel.ts'

/*
 * How fast everybody is on an empty road: the one table of speeds, which an operator can override (`speeds-file.ts`). For cars it lies
 * between what Valhalla and OSRM publish for towns (primary 57 and 65 km/h, tertiary 40 and 40, residential 30 and 25).
 */

/** Kilometres per hour by class of road. `other` are ways that are open only by a sign of their own. */
const roads = {
  motorway: 110,
  motorway_link: 60,
  trunk: 85,
  trunk_link: 50,
  primary: 58,
  primary_link: 42,
  secondary: 50,
  secondary_link: 38,
  tertiary: 42,
  tertiary_link: 34,
  unclassified: 37,
  residential: 30,
  living_street: 12,
  service: 18,
  track: 15,
  pedestrian: 8,
  cycleway: 10,
  footway: 8,
  path: 8,
  steps: 2,
  other: 10,
  ferry: 15,
}
export type RoadClass = keyof typeof roads
export const roadClasses = Object.keys(roads) as RoadClass[]

const rest = {
  /** No more than this in a roundabout, and nowhere more than `most`. */
  roundabout: 28,
  most: 125,
  /** How much of a speed limit is driven, but never more than `overClass` times the speed of the class. */
  limitShare: 0.92,
  overClass: 1.4,
  /** What is left of the speed on setts and bad asphalt, on gravel, and on earth and sand. */
  rough: 0.8,
  gravel: 0.6,
  soft: 0.35,
  /** A right angle to the right and to the left, where cars keep right. */
  rightSeconds: 2.5,
  leftSeconds: 4,
  turnRoundSeconds: 20,
  lightSeconds: 4,
  crossingSeconds: 0.5,
  /** To open a gate, or to wait until it opens. */
  gateSeconds: 10,
  boardingSeconds: 300,
  /** Signs forbid more weight and height than these. */
  tonnes: 2,
  heightMetres: 1.9,
}

export type Speeds = Record<Transport, typeof roads & typeof rest> & {
  /** On which side of the road everybody keeps. */
  side: 'right' | 'left'
}
export type SpeedField = keyof typeof roads | keyof typeof rest

const car = { ...roads, ...rest }
const scaled = (share: number): typeof roads =>
  Object.fromEntries(roadClasses.map((road) => [road, road === 'ferry' ? roads.ferry : roads[road] * share])) as never

export const ourSpeeds: Speeds = {
  side: 'right',
  foot: {
    ...rest,
    ...(Object.fromEntries(roadClasses.map((road) => [road, 4.8])) as typeof roads),
    steps: 2.4,
    ferry: 15,
    roundabout: 4.8,
    most: 4.8,
    limitShare: 1,
    overClass: 1,
    rough: 1,
    gravel: 1,
    soft: 0.8,
    rightSeconds: 0,
    leftSeconds: 0,
    turnRoundSeconds: 0,
    lightSeconds: 0,
    crossingSeconds: 0,
    gateSeconds: 5,
    tonnes: 0.1,
  },
  bicycle: {
    ...roads,
    ...rest,
    trunk: 18,
    trunk_link: 18,
    primary: 18,
    primary_link: 18,
    secondary: 18,
    secondary_link: 18,
    tertiary: 18,
    tertiary_link: 18,
    unclassified: 17,
    residential: 17,
    living_street: 12,
    service: 13,
    track: 11,
    pedestrian: 6,
    cycleway: 18,
    footway: 9,
    path: 12,
    roundabout: 16,
    most: 25,
    limitShare: 1,
    overClass: 1,
    rough: 0.75,
    gravel: 0.7,
    soft: 0.5,
    rightSeconds: 1.5,
    leftSeconds: 3,
    turnRoundSeconds: 5,
    gateSeconds: 5,
    tonnes: 0.2,
  },
  motorcycle: { ...car, rightSeconds: 2, leftSeconds: 3.5, turnRoundSeconds: 12, tonnes: 0.4 },
  car,
  van: { ...rest, ...scaled(0.96), most: 115, turnRoundSeconds: 25, tonnes: 3.5, heightMetres: 2.8 },
  truck: {
    ...rest,
    ...scaled(0.85),
    motorway: 82,
    trunk: 70,
    roundabout: 22,
    most: 85,
    overClass: 1.3,
    rightSeconds: 4,
    leftSeconds: 6,
    turnRoundSeconds: 60,
    tonnes: 12,
    heightMetres: 4,
  },
}
