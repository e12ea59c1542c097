import type { Point } from '../../../core/geo.ts'
import { type Precision, type PrecisionDetail, precisionOf } from '../../../core/precision.ts'
import { OutsideError } from '../fault.ts'
import type { Answer, Outside } from '../fetch.ts'

/*
 * Finds the coordinates of an address. Each geocoder is one file, one line in `geocoders.ts` and one recorded answer;
 * all run the same tests.
 */

/** The parts of an address that decide its place on the map. */
export interface Place {
  /** The whole address in one line. */
  address: string
  city: string | null
  area: string | null
  /** Two letters, such as RO. */
  country: string
  street_name: string | null
  street_number: string | null
  postal_code: string | null
}

/** Parts of an address as the source writes them, where it knows them. */
export type FoundParts = Partial<Record<'streetName' | 'streetNumber' | 'postalCode' | 'city' | 'area', string>>

export type Located = Point & { precision: Precision; detail: PrecisionDetail; parts?: FoundParts }

/** A place that was found, and what of the address it is. */
export const locate = (point: Point, detail: PrecisionDetail, parts?: FoundParts): Located => ({
  ...point,
  precision: precisionOf(detail),
  detail,
  ...(parts && { parts }),
})

export interface Geocoder {
  name: string
  /** Undefined if there is no such place. Throws an OutsideError if there is no answer or it makes no sense. */
  find(place: Place, signal?: AbortSignal): Promise<Located | undefined>
}

/** The service refused because of too many requests, and may have said how long to wait. */
export class BusyError extends OutsideError {
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, retryAfterSeconds?: number) {
    super('refused', message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const timeoutMs = 10_000
const mostBytes = 512 * 1024

/** Asks a web service and reads its answer as JSON. `who` names it in errors that organisations may see. */
export async function askForJson(outside: Outside, who: string, url: string, signal?: AbortSignal): Promise<unknown> {
  const request = { method: 'GET', url, timeoutMs, maxBytes: mostBytes } as const
  const answer = await outside.send(signal ? { ...request, signal } : request).catch((error) => {
    throw error instanceof OutsideError ? new OutsideError(error.fault, `${who} did not answer`, error) : error
  })
  requireSuccess(who, answer)
  try {
    return JSON.parse(answer.body)
  } catch {
    throw nonsense(who)
  }
}

function requireSuccess(who: string, { status, headers, truncated }: Answer) {
  if (status === 429 || status === 503) throw new BusyError(`${who} is busy`, secondsIn(headers['retry-after']))
  if (status !== 200) throw new OutsideError('protocol', `${who} answered ${status}`)
  if (truncated) throw nonsense(who)
}

/** `Retry-After` as seconds or as a date; at most an hour. */
function secondsIn(text: string | undefined): number | undefined {
  if (!text) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return seconds > 0 ? Math.min(seconds, 3_600) : undefined
}

export const nonsense = (who: string) => new OutsideError('protocol', `${who} sent an answer that makes no sense`)

/** Throws if these are no coordinates. Some services return 0, 0 for places they do not know. */
export function readPoint(who: string, lat: unknown, lng: unknown): Point {
  const point = { lat: toNumber(lat), lng: toNumber(lng) }
  const isOnEarth = Math.abs(point.lat) <= 90 && Math.abs(point.lng) <= 180
  if (!isOnEarth || (point.lat === 0 && point.lng === 0)) throw nonsense(who)
  return point
}

const toNumber = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN

/** The query for a service that reads free text: the address line, plus the parts it lacks. */
export function lineOf({ address, city, area, postal_code }: Place): string {
  const line = address.trim()
  const isIn = (part: string) => line.toLocaleLowerCase().includes(part.toLocaleLowerCase())
  const rest = [postal_code, city, area].map((part) => part?.trim() ?? '').filter((part) => part && !isIn(part))
  return [line, ...rest].filter(Boolean).join(', ')
}
