import { findByCode, tokenIn } from '../../core/scan.ts'
import { isEnded } from '../../core/task-status.ts'
import type { Db } from '../db/db.ts'
import { type Labelled, listByLabel, listByName, listLatestTries } from './queries.ts'

interface Read {
  code: string
  driverId: number | null
}

/** The task of each code, if there is one. The database finds those that may have it; `core/scan` decides. */
export async function findScanned(db: Db, organisationId: number, given: readonly Read[]) {
  const codes = given.map(({ code }) => code.trim())
  const tokens = codes.flatMap((code) => tokenIn(code) ?? [])
  const awbs = [...new Set(codes.flatMap((code) => [code, code.toUpperCase(), code.toLowerCase()]))]
  const named = await listByName(db, organisationId, awbs, tokens)
  const left = given.filter((one) => decide(named, one) === undefined).map(({ code }) => code.trim().toUpperCase())
  const labelled = left.length > 0 ? await listByLabel(db, organisationId, [...new Set(left)]) : []
  const found = given.map((one) => decide(named, one) ?? decide(labelled, one))
  const ids = found.filter((id) => id !== undefined)
  const tries = ids.length > 0 ? await listLatestTries(db, organisationId, ids) : []
  const latest = new Map(tries.map(({ first, id }) => [first, id]))
  return found.map((id) => id && latest.get(id))
}

/** Of several parcels with the same code the driver's own is meant, and one that is still to come. */
function decide(tasks: readonly Labelled[], { code, driverId }: Read): number | undefined {
  const found = tasks
    .map((task) => ({
      ...task,
      partnerAwbs: task.chain_awbs ?? [],
      customFields: task.custom_fields,
      later: [isEnded({ statusId: task.status_id }), task.user_id !== driverId, task.loaded_at !== null],
    }))
    .sort((one, other) => compare(one.later, other.later) || one.id - other.id)
  return findByCode(found, code)?.id
}

function compare(one: readonly boolean[], other: readonly boolean[]): number {
  const at = one.findIndex((value, index) => value !== other[index])
  return at < 0 ? 0 : Number(one[at]) - Number(other[at])
}
