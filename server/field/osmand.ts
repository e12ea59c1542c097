import { Refusal } from '../../contract/errors.ts'
import { LocationInput } from '../../contract/location.ts'
import type { OsmandBody, OsmandQuery } from '../../contract/osmand.ts'
import { reader } from '../../contract/read/reader.ts'

/*
 * The OsmAnd protocol, in which the free Traccar Client app reports from a locked phone: one position in the query, or,
 * since its version 9, in a JSON body. An app sends a position that was refused again and again, and nothing else
 * meanwhile: so one we cannot use is left out, and the answer is a success all the same.
 */

const metresPerSecondOfKnot = 0.514444
const readLocation = reader(LocationInput, 'the position')

/** The position as any other, or why it cannot be one. */
export function readOsmand(query: OsmandQuery, body: OsmandBody): LocationInput | Refusal {
  try {
    return readLocation(body.location === undefined ? fromQuery(query) : fromBody(body.location))
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function fromQuery({ lat, lon, location, timestamp, speed, bearing, heading, accuracy, batt }: OsmandQuery) {
  const [first, second] = location?.split(',') ?? []
  return {
    lat: lat ?? first,
    lng: lon ?? second,
    occurredAt: timestamp && readTimestamp(timestamp),
    speedMetresPerSecond: scaled(speed, metresPerSecondOfKnot),
    heading: scaled(bearing ?? heading),
    accuracyMetres: scaled(accuracy),
    battery: scaled(batt),
  }
}

interface Fields {
  [name: string]: unknown
}
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

function fromBody(location: unknown) {
  const { timestamp, coords, battery } = fieldsOf(location)
  const { latitude, longitude, accuracy, speed, heading } = fieldsOf(coords)
  return {
    lat: latitude,
    lng: longitude,
    occurredAt: timestamp === undefined ? undefined : readTimestamp(String(timestamp)),
    speedMetresPerSecond: scaled(speed),
    heading: scaled(heading),
    accuracyMetres: scaled(accuracy),
    battery: scaled(fieldsOf(battery)['level'], 100),
  }
}

/** What a phone does not know it gives as -1, or as text that is no number. */
function scaled(value: unknown, factor = 1): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && number >= 0 ? number * factor : undefined
}

/** Milliseconds have thirteen digits, seconds ten. */
function readTimestamp(text: string): string {
  if (!/^\d{1,15}(\.\d+)?$/.test(text)) return text
  const ms = Number(text) * (Number(text) < 1e11 ? 1_000 : 1)
  return new Date(Math.round(ms)).toISOString()
}
