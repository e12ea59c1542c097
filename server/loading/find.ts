import { findScanned as findIn } from '../../core/loading.ts'
import { tokenIn } from '../../core/scan.ts'
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

function decide(tasks: readonly Labelled[], { code, driverId }: Read): number | undefined {
  const labelled = tasks.map((task) => ({
    id: task.id,
    awb: task.awb,
    uuid: task.uuid,
    partnerAwbs: task.chain_awbs ?? [],
    customFields: task.custom_fields,
    statusId: task.status_id,
    userId: task.user_id,
    loadedAt: task.loaded_at,
  }))
  return findIn(labelled, code, driverId)?.id
}
