import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { geocodingProblems } from '../../core/geocoding-problems.ts'
import type { PrecisionDetail } from '../../core/precision.ts'
import type { Service } from '../context.ts'
import type { Db } from '../db/db.ts'
import type { Organisation } from '../organisations/queries.ts'
import { OutsideError } from '../outside/fault.ts'
import { BusyError, type Geocoder, type Located, lineOf, locate, type Place } from '../outside/geocoders/geocoder.ts'
import type { Geocoders } from '../outside/geocoders/geocoders.ts'
import { foldName } from '../outside/geocoders/names.ts'
import { findLearned } from '../tasks/learned/places.ts'
import { type Claimed, findGeocoding, type GeocodingRow, keepGeocoding, takeTurn } from './queries.ts'

/** A geocoder with its limits. */
export interface Source {
  geocoder: Geocoder
  /** What was imported: asked first, without limits, and nothing of it is cached. */
  register: Geocoder | undefined
  /** Knows cities only, and is always there. */
  embedded: Geocoder
  /** 0: as fast as it goes. */
  perSecond: number
  /** Whose turns it takes: 0 for those of the service. */
  turnsOf: number
}

/** There was no answer, or none that can be used. */
export interface Failure {
  kind: 'failed'
  problem: string
  isBusy: boolean
  retryAfterSeconds: number | undefined
}

export type Outcome = { kind: 'found'; located: Located } | { kind: 'unknown'; problem: string } | Failure

/** After this many failed attempts the city is used. */
export const mostAttempts = 5

/** An address to look up, and its attempts so far. */
type Sought = Place & Pick<Claimed, 'organisation_id' | 'geocode_attempts' | 'geocode_problem'>

/** An organisation with its own key uses Google; the others use the configured geocoder. */
export function sourceOf(geocoders: Geocoders, { id, settings }: Organisation): Source | undefined {
  const { embedded, register, usual, withKey } = geocoders
  const { googleApiKey } = settings as { googleApiKey?: string }
  if (!usual) return undefined
  if (!googleApiKey) return { geocoder: usual, register, embedded, perSecond: geocoders.usualPerSecond, turnsOf: 0 }
  return { geocoder: withKey(googleApiKey), register, embedded, perSecond: geocoders.withKeyPerSecond, turnsOf: id }
}

/** A caller is waiting. */
const patienceMs = 8_000

/** Where an address is, for a caller who is waiting: if the geocoder does not answer, the city is used. */
export async function lookUpNow(
  { database, geocoders }: Pick<Service, 'database' | 'geocoders'>,
  organisation: Organisation,
  address: Place,
): Promise<Located | string> {
  const source = sourceOf(geocoders, organisation)
  if (!source) return 'Address lookup is turned off'
  const [learned] = await findLearned(database.everyone, organisation.id, [address])
  if (learned) return locate(learned, 'learned')
  const sought = { ...address, organisation_id: organisation.id, geocode_attempts: 0, geocode_problem: null }
  const asked = await lookUp(database.everyone, source, sought, AbortSignal.timeout(patienceMs))
  const outcome =
    asked.kind === 'failed' ? await orCity(source, sought, await source.register?.find(sought), asked.problem) : asked
  return outcome.kind === 'found' ? outcome.located : outcome.problem
}

/** Where this address is: what the register has, what was answered before, what the geocoder says, or else where its city is. */
export async function lookUp(db: Db, source: Source, address: Sought, signal: AbortSignal): Promise<Outcome> {
  const known = await source.register?.find(address)
  if (known && known.detail !== 'city') return { kind: 'found', located: known }
  if (address.geocode_attempts >= mostAttempts) return orCity(source, address, known, address.geocode_problem)
  try {
    return orCity(source, address, (await ask(db, source, address, signal, known)) ?? known, null)
  } catch (error) {
    if (!(error instanceof OutsideError) && !signal.aborted) throw error
    const retryAfterSeconds = error instanceof BusyError ? error.retryAfterSeconds : undefined
    return { kind: 'failed', problem: (error as Error).message, isBusy: error instanceof BusyError, retryAfterSeconds }
  }
}

async function orCity(
  { geocoder, embedded }: Source,
  address: Place,
  located: Located | undefined,
  problem: string | null,
): Promise<Outcome> {
  const found = located ?? (geocoder === embedded ? undefined : await embedded.find(address))
  if (found) return { kind: 'found', located: found }
  const isEmbedded = geocoder === embedded
  const unknown = geocodingProblems[isEmbedded ? 'noCity' : 'notFound']
  return { kind: 'unknown', problem: problem ?? unknown }
}

/** What a geocoder said before, or says when it is its turn. */
export async function ask(
  db: Db,
  { geocoder, embedded, perSecond, turnsOf }: Source,
  address: Place & Pick<Claimed, 'organisation_id'>,
  signal: AbortSignal,
  /** The city, if the register knows it. */
  known: Located | undefined,
): Promise<Located | undefined> {
  if (geocoder === embedded) return known ?? geocoder.find(address)
  const hash = hashOfAddress(address)
  const kept = await findGeocoding(db, address.organisation_id, geocoder.name, hash)
  if (kept) return readKept(kept)
  const waitMs = await takeTurn(db, turnsOf, geocoder.name, 1_000 / perSecond)
  if (waitMs > 0) await setTimeout(waitMs, undefined, { signal })
  const found = await geocoder.find(address, signal)
  await keepGeocoding(db, address.organisation_id, geocoder.name, hash, found)
  return found
}

const readKept = ({ lat, lng, precision_detail }: GeocodingRow) =>
  lat === null || lng === null ? undefined : locate({ lat, lng }, precision_detail as PrecisionDetail)

/** The same for "Str. Lipscani 12" and "str lipscani 12". */
export const hashOfAddress = (address: Place) =>
  createHash('sha256')
    .update(`${address.country} ${foldName(lineOf(address))}`)
    .digest()
