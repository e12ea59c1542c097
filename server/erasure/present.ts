import type { Erasure } from '../../contract/erasure.ts'
import { type ErasureRow, noCounts } from './queries.ts'

/** A receipt. */
export const presentErasure = (row: ErasureRow): Erasure => ({
  id: row.id,
  receipt: row.receipt,
  reason: row.reason,
  actor: { type: row.actor_type, id: row.actor_id },
  hours: row.hours,
  driverId: row.driver_id,
  taskIds: row.task_ids,
  counts: { ...noCounts(), ...row.counts },
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
})
