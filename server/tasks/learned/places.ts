import { createHash } from 'node:crypto'
import { addressKeys, type WrittenAddress } from '../../../core/address-key.ts'
import { readCoordinates } from '../../../core/coordinates.ts'
import type { Point } from '../../../core/geo.ts'
import { learnFromDriver, learnFromPerson } from '../../../core/learned-place.ts'
import type { Service } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import {
  deleteLearnedBeyond,
  keepLearnedFor,
  listLearned,
  lockLearned,
  type NewLearned,
  saveLearned,
} from './queries.ts'

/*
 * Where addresses really are: what a person corrected, and where drivers completed. Kept for each organisation, by hashes of
 * the address, and used before anything else the next time it comes. Written in the transaction that teaches it.
 */

/** What an address is known by, the most exact first. Nothing if it names no house. */
export const keysOf = (address: WrittenAddress): string[] =>
  // Who wrote coordinates has said where it is.
  readCoordinates(address.address) ? [] : addressKeys(address)

const hashesOf = (address: WrittenAddress): Buffer[] =>
  keysOf(address).map((key) => createHash('sha256').update(key).digest())

/** A task and its address. */
interface Placed {
  task_id: number
  address: WrittenAddress & { lat: number | null; lng: number | null }
}

/** A person, or a program, said where these tasks are. Of two for one address the later counts. */
export async function learnPins(db: Db, organisationId: number, pins: readonly Placed[]) {
  const rows = new Map<string, NewLearned>()
  for (const { task_id, address } of pins) {
    const [hash] = hashesOf(address)
    if (!hash || address.lat === null || address.lng === null) continue
    const { point, isByPerson, seen } = learnFromPerson({ lat: address.lat, lng: address.lng })
    rows.set(hash.toString('hex'), {
      address_hash: hash,
      lat: point?.lat ?? null,
      lng: point?.lng ?? null,
      is_by_person: isByPerson,
      seen: [...seen],
      task_id,
    })
  }
  if (rows.size > 0) await saveLearned(db, organisationId, [...rows.values()])
}

/** A driver completed a task there. `known`: where its house was thought to be. */
export async function learnDoor(db: Db, organisationId: number, task: Placed, door: Point, known: Point | undefined) {
  const [hash] = hashesOf(task.address)
  if (!hash) return
  const { lat, lng, is_by_person, seen } = await lockLearned(db, organisationId, hash, task.task_id)
  const before = { point: lat === null || lng === null ? null : { lat, lng }, isByPerson: is_by_person, seen }
  const after = learnFromDriver(before, door, known)
  if (after === before) return
  await saveLearned(db, organisationId, [
    {
      address_hash: hash,
      lat: after.point?.lat ?? null,
      lng: after.point?.lng ?? null,
      is_by_person: after.isByPerson,
      seen: [...after.seen],
      task_id: task.task_id,
    },
  ])
}

/** Where these addresses are, as far as that was learned; in their order. */
export async function findLearned(
  db: Db,
  organisationId: number,
  addresses: readonly WrittenAddress[],
): Promise<(Point | undefined)[]> {
  const hashes = addresses.map(hashesOf)
  if (hashes.every((some) => some.length === 0)) return addresses.map(() => undefined)
  const known = new Map(
    (await listLearned(db, organisationId, hashes.flat())).map(({ address_hash, lat, lng }) => [
      address_hash.toString('hex'),
      { lat, lng },
    ]),
  )
  return hashes.map((some) => some.map((hash) => known.get(hash.toString('hex'))).find((point) => point !== undefined))
}

/** What was learned of these addresses was used for these tasks, and is kept as long as they are. */
export async function noteUse(
  db: Db,
  organisationId: number,
  used: readonly { task_id: number; address: WrittenAddress }[],
) {
  const last = new Map<string, Pick<NewLearned, 'address_hash' | 'task_id'>>()
  for (const { task_id, address } of used)
    for (const hash of hashesOf(address)) last.set(hash.toString('hex'), { address_hash: hash, task_id })
  if (last.size > 0) await keepLearnedFor(db, organisationId, [...last.values()])
}

/** So many addresses are kept of an organisation. */
const mostPlaces = 200_000
const atOnce = 10_000

/** Those beyond go, the ones that were not used for longest first. */
export async function forgetOldPlaces(
  { database }: Pick<Service, 'database'>,
  stopping: AbortSignal,
  most: number = mostPlaces,
) {
  const organisations = await database.everyone.many<{ id: number }>(sql`select id from organisations order by id`)
  for (const { id } of organisations) {
    if (stopping.aborted) return
    await deleteLearnedBeyond(database.of(id), id, most, atOnce)
  }
}
