import { filePath } from '../../../contract/file.ts'
import { notesInAnEvent } from '../../../contract/limits.ts'
import type { Conflict, Meanwhile } from '../../../contract/sync.ts'
import { distanceMetres } from '../../../core/geo.ts'
import { type TriggerName, triggerName } from '../../../core/triggers.ts'
import type { Db } from '../../db/db.ts'
import { latestNotes } from '../../tasks/change/frozen.ts'
import { presentNote } from '../../tasks/present.ts'
import { type ConflictRow, listEvidence, listMeanwhile, type MeanwhileRow } from './conflict-queries.ts'

/* Both sides of a conflict: what the driver did and shows for it, and what others did to the task in the meantime. */

export async function presentConflicts(
  db: Db,
  organisationId: number,
  rows: readonly ConflictRow[],
): Promise<Conflict[]> {
  if (rows.length === 0) return []
  const meanwhile = Map.groupBy(
    await listMeanwhile(
      db,
      organisationId,
      rows.map(({ id }) => id),
    ),
    ({ conflict_id }) => conflict_id,
  )
  const taskIds = rows.map(({ task_id }) => task_id)
  const driverIds = rows.map(({ user_id }) => user_id)
  const notes = await listEvidence(db, organisationId, taskIds, driverIds)
  return rows.map((row) => ({
    ...presentConflict(row),
    evidence: latestNotes(
      notes.filter(({ task_id, user_id }) => task_id === row.task_id && user_id === row.user_id).map(presentNote),
      notesInAnEvent.now,
    ),
    meanwhile: presentMeanwhile(meanwhile.get(row.id) ?? []),
  }))
}

const presentConflict = (row: ConflictRow): Omit<Conflict, 'evidence' | 'meanwhile'> => ({
  id: row.id,
  type: row.op.type,
  taskId: row.task_id,
  awb: row.awb,
  user: { id: row.user_id, name: row.driver_name },
  opId: row.op_id,
  op: row.op,
  error: { code: row.code, message: row.message },
  occurredAt: row.occurred_at.toISOString(),
  recordedAt: row.recorded_at.toISOString(),
  settledAt: row.settled_at?.toISOString() ?? null,
  settledBy: row.settled_by,
  applied: row.applied,
  note: row.note,
  statusId: row.status_id,
  assignedTo: row.assigned_to,
  address: row.address,
  metresAway: metresAway(row),
  image: row.has_picture && 'fileId' in row.op ? filePath(row.op.fileId.toLowerCase()) : null,
})

function metresAway({ op: { lat, lng }, address_lat, address_lng }: ConflictRow): number | null {
  if (lat === null || lng === null || address_lat === null || address_lng === null) return null
  return Math.round(distanceMetres({ lat, lng }, { lat: address_lat, lng: address_lng }))
}

/** Of several events of one change the one that says most; what is not named says everything. */
const least: readonly TriggerName[] = ['TASK_ASSIGNED', 'TASK_UNASSIGNED', 'TASK_UPDATED']
const mostChanges = 20

function presentMeanwhile(rows: readonly MeanwhileRow[]): Meanwhile[] {
  const changes = [...Map.groupBy(rows, ({ snapshot_id }) => snapshot_id).values()]
  return changes.slice(-mostChanges).map((events) => {
    const weight = ({ trigger_id }: MeanwhileRow) => least.indexOf(triggerName(trigger_id))
    const main = events.toSorted((one, other) => weight(one) - weight(other))[0] as MeanwhileRow
    const driver = main.driver && (JSON.parse(main.driver) as { id: number; name: string })
    return {
      event: triggerName(main.trigger_id),
      actor: { type: main.actor_type, id: main.actor_id, name: main.actor_name },
      user: driver ? { id: driver.id, name: driver.name } : null,
      changed: main.changed ?? [],
      occurredAt: main.occurred_at.toISOString(),
    }
  })
}
