import { findScanned as findIn } from '../../core/loading.ts'
import { tokenIn } from '../../core/scan.ts'
import { isOpen } from '../../core/task-status.ts'
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
  const found = given.map((one) => decide(named, one))
  const ids = found.flatMap((task) => task?.id ?? [])
  const tries = ids.length > 0 ? await listLatestTries(db, organisationId, ids) : []
  const latest = new Map(tries.map((task) => [task.first, task]))
  const open = found.map((task) => {
    const last = task && latest.get(task.id)
    return last && isOpen({ statusId: last.status_id }) ? last.id : undefined
  })
  // What has ended may have been given again by a partner, whose tries are not linked here.
  const left = given.flatMap(({ code }, index) =>
    open[index] === undefined ? (found[index]?.awb ?? code.trim()).toUpperCase() : [],
  )
  const labelled = left.length > 0 ? await listByLabel(db, organisationId, [...new Set(left)]) : []
  return given.map((one, index) => {
    if (open[index] !== undefined) return open[index]
    const id = decide([...named, ...labelled], one)?.id
    return id && (latest.get(id)?.id ?? id)
  })
}

function decide(tasks: readonly Labelled[], { code, driverId }: Read) {
  const labelled = tasks.map((task) => ({
    id: task.id,
    awb: task.awb,
    uuid: task.uuid,
    partnerAwbs: task.chain_awbs ?? [],
    earlierAwbs: task.earlier_awbs ?? [],
    customFields: task.custom_fields,
    statusId: task.status_id,
    userId: task.user_id,
    loadedAt: task.loaded_at,
  }))
  return findIn(labelled, code, driverId)
}
