import { orThrow, Refusal } from '../../../contract/errors.ts'
import { judgeTakingBack } from '../../../core/driver/take-back.ts'
import type { Db } from '../../db/db.ts'
import type { TaskChange } from '../../tasks/change/change.ts'
import { moveTask } from '../../tasks/change/move.ts'
import type { TaskView } from '../../tasks/tables.ts'
import type { Action, TakenOp, TaskAction } from './op.ts'
import { findOps, listLogged } from './queries.ts'

/* A driver takes back a start or an arrival: what was done by mistake a moment ago, before anybody went on from there. */

export type TakeBack = Extract<TaskAction, { type: 'takeBack' }>

/** The op that is taken back says which task it is about. */
export async function readTakeBack(
  db: Db,
  organisationId: number,
  driverId: number,
  { of, taskId }: Extract<Action, { type: 'takeBack' }>,
): Promise<TakeBack | Refusal> {
  const [row] = await findOps(db, organisationId, [{ user_id: driverId, op_id: of }])
  const fits = (row?.type === 'start' || row?.type === 'arrive') && (taskId === null || row.task_id === taskId)
  if (!row?.task_id || !fits)
    return new Refusal('VALIDATION_FAILED', { field: 'of', message: 'of must be the opId of your start or arrive' })
  const { type, sequence, answer } = row
  const taken: TakenOp = { type: type as TakenOp['type'], sequence, wasDone: answer.success }
  return { type: 'takeBack', taskId: row.task_id, of, taken }
}

/** The task as it was before, if nothing else has happened to it. */
export async function takeBack(
  db: Db,
  organisationId: number,
  task: TaskView,
  { taken }: TakeBack,
): Promise<TaskChange[]> {
  // A refused one left nothing behind.
  if (!taken.wasDone) return []
  if (taken.sequence === null) throw new Refusal('TOO_LATE')
  const { sequence, type } = taken
  const judged = judgeTakingBack(sequence, await listLogged(db, organisationId, task.id, sequence))
  if (judged === 'tooLate') throw new Refusal('TOO_LATE')
  if (judged === 'done') return []
  const change = orThrow(
    type === 'start'
      ? moveTask(task, 'takeBackStart', { started_at: null, driver_arrived: false, arrival_taken_back: false })
      : moveTask(task, 'takeBackArrive', { arrived_at: null, driver_arrived: false, arrival_taken_back: true }, {}),
  )
  return [{ ...change, remark: { takenBack: { type, sequence } } }]
}
