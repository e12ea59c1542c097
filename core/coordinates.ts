import type { Point } from './geo.ts'

/*
 * Places as people paste them: from a map, a spreadsheet, a message. Whatever is not certainly a pair of coordinates is
 * none: "12, 14" is more likely a house number, and "44,43" half a pair.
 */

const direction = '[NSEWVnsewv]'
/** `44.4319`, `44,4319`, `44.4319°`, `44°25'54.8"`, `44° 25.913'`; with a direction before or after. */
const degrees = `[-+]?\\d{1,3}(?:[.,]\\d+)?(?:\\s*°(?:\\s*\\d{1,2}(?:[.,]\\d+)?\\s*')?(?:\\s*\\d{1,2}(?:[.,]\\d+)?\\s*")?)?`
const part = `(${direction}?\\s*${degrees}\\s*${direction}?)`

/**
 * Between the two: a comma, a semicolon, a slash or only spaces. With decimal commas a comma alone would be one of
 * four, so it must be followed by a space, unless there are exactly four groups of digits.
 */
const pairs = [
  new RegExp(`^${part}\\s*[;/|]\\s*${part}$`),
  new RegExp(`^${part}\\s*,\\s+${part}$`),
  new RegExp(`^${part}\\s+${part}$`),
  /^([-+]?\d{1,3}\.\d+)\s*,\s*([-+]?\d{1,3}\.\d+)$/,
  /^([-+]?\d{1,3},\d+)\s*,\s*([-+]?\d{1,3},\d+)$/,
]

/**
 * Links of the usual maps (Google, OpenStreetMap, Apple, Waze): `/@44.43,26.10,17z`, `?q=44.43,26.10`, `/place/44.43,26.10`,
 * `?coordinate=…`, `?to=ll.…`, `#map=17/44.43/26.10`, `geo:44.43,26.10`. What is marked comes before what the map only shows.
 */
const links = [
  /!3d(-?\d+\.\d+)!4d(-?\d+\.\d+)/,
  /[?&](?:q|query|ll|coordinate|destination|daddr|mlat)=(?:loc:)?(-?\d+\.\d+)(?:,|%2C|&mlon=)(?:\s|\+|%20)*(-?\d+\.\d+)/i,
  /[?&]to=ll\.(-?\d+\.\d+)(?:,|%2C)(-?\d+\.\d+)/i,
  /\/(?:place|search|dir)\/+(-?\d+\.\d+)(?:,|%2C)(?:\s|\+|%20)*(-?\d+\.\d+)/i,
  /[?&]center=(-?\d+\.\d+)(?:,|%2C)(-?\d+\.\d+)/i,
  /\/@(-?\d+\.\d+),(-?\d+\.\d+)/,
  /#map=\d+\/(-?\d+\.\d+)\/(-?\d+\.\d+)/,
  /^geo:(-?\d+\.\d+),(-?\d+\.\d+)/i,
]

/** The point written in a text, if it is nothing but one. */
export function readCoordinates(written: string): Point | undefined {
  const text = tidy(written)
  const match = firstMatch(/^(https?|geo):/i.test(text) ? links : pairs, text)
  const [one, other] = [readAngle(match?.[1]), readAngle(match?.[2])]
  if (!one || !other || !(one.isFine || other.isFine)) return undefined
  const isTurned = one.axis === 'lng' || other.axis === 'lat'
  const point = isTurned ? { lat: other.degrees, lng: one.degrees } : { lat: one.degrees, lng: other.degrees }
  if (one.axis !== undefined && one.axis === other.axis) return undefined
  return Math.abs(point.lat) <= 90 && Math.abs(point.lng) <= 180 ? point : undefined
}

const firstMatch = (patterns: readonly RegExp[], text: string) => {
  for (const pattern of patterns) {
    const match = pattern.exec(text)
    if (match) return match
  }
  return undefined
}

/** One sign for each thing that is written in several ways, and no brackets or names around the numbers. */
const tidy = (text: string) =>
  text
    .trim()
    .replace(/[−–]/g, '-')
    .replace(/[º˚]/g, '°')
    .replace(/[’‘′´]/g, "'")
    .replace(/[”“″]|''/g, '"')
    .replace(/^[([{]\s*|\s*[)\]}]$/g, '')
    .replace(/\b(latitude|longitude|latitudine|longitudine|lat|lng|lon|long)\.?\s*[:=]?\s*/gi, '')
    .trim()

interface Angle {
  degrees: number
  axis: 'lat' | 'lng' | undefined
  /** Whether it is more than whole degrees: those are a hundred kilometres apart, and nobody means them. */
  isFine: boolean
}

function readAngle(text: string | undefined): Angle | undefined {
  if (text === undefined) return undefined
  const numbers = text.match(/\d+(?:[.,]\d+)?/g)?.map((number) => Number(number.replace(',', '.'))) ?? []
  const [whole = Number.NaN, minutes = 0, seconds = 0] = numbers
  if (numbers.length > 3 || minutes >= 60 || seconds >= 60) return undefined
  const letter = /[a-z]/i.exec(text)?.[0].toUpperCase()
  const isNegative = text.includes('-') || letter === 'S' || letter === 'W' || letter === 'V'
  const size = whole + minutes / 60 + seconds / 3_600
  const axis = letter === undefined ? undefined : letter === 'N' || letter === 'S' ? 'lat' : 'lng'
  return { degrees: isNegative ? -size : size, axis, isFine: numbers.length > 1 || !Number.isInteger(whole) }
}
