import { orThrow, Refusal } from '../../../contract/errors.ts'
import type { PageQuery } from '../../../contract/schema.ts'
import type { Conflict, ConflictQuery, SettleInput } from '../../../contract/sync.ts'
import { InTransit, isEnded, Unassigned } from '../../../core/task-status.ts'
import { tellChanges } from '../../audit/changes.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { commitWithEvents, type Remark } from '../../events/record.ts'
import { decodeCursor, everything, isId, pageById, pageInSlices } from '../../http/answers/cursor.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { type Failure, failedThen } from '../../reasons/failure.ts'
import { appendTask } from '../../tasks/change/assign.ts'
import { changeTasks, type TaskChange } from '../../tasks/change/change.ts'
import { moveTask, withoutDriver } from '../../tasks/change/move.ts'
import { bookPayment, lockPlaces, requireSameCurrency, writePayments } from '../../tasks/change/payments.ts'
import { insertNotes } from '../../tasks/queries.ts'
import { lockDriver } from '../../tasks/read/drivers.ts'
import { lockTasks, lockToPay } from '../../tasks/read/lock.ts'
import type { TaskView } from '../../tasks/tables.ts'
import {
  type ConflictRow,
  findConflict,
  listConflicts,
  listOpenConflicts,
  listSettledConflicts,
  settle,
} from './conflict-queries.ts'
import { type Decision, isEvidence, keepEvidence, type Move, pay } from './decide.ts'
import { lookInto } from './scene.ts'
import { presentConflicts } from './story.ts'
import { remarkOn } from './verdict.ts'

export async function findConflicts(
  db: Db,
  { id }: Organisation,
  { settled, cursor, limit = everything }: ConflictQuery,
) {
  const list = (place: number, count: number) =>
    settled ? listSettledConflicts(db, id, place, count) : listConflicts(db, id, settled === false, place, count)
  const first = decodeCursor(cursor, settled ? Number.MAX_SAFE_INTEGER : 0, isId)
  const tell = (rows: ConflictRow[]) => presentConflicts(db, id, rows)
  const { page, ...more } = await pageInSlices(first, limit, 50, list, (row) => row.id, tell)
  return { conflicts: page, ...more }
}

export async function findOpenConflicts(db: Db, { id }: Organisation, query: PageQuery) {
  const { page, ...more } = await pageById(query, (afterId, limit) => listOpenConflicts(db, id, afterId, limit))
  const conflicts = page.map((row) => ({
    id: row.id,
    taskId: row.task_id,
    user: { id: row.user_id, name: row.driver_name },
  }))
  return { conflicts, ...more }
}

/** The office decides: what the driver did is applied after all, as of when it was done, or it is not. */
export async function settleConflict(
  context: Context,
  organisation: Organisation,
  conflictId: number,
  { apply, note = null }: SettleInput,
): Promise<Conflict> {
  await commitWithEvents(context, async (db) => {
    const conflict = await findConflict(db, organisation.id, conflictId)
    if (!conflict) throw new Refusal('CONFLICT_NOT_FOUND')
    const driver = apply ? await lockDriver(db, organisation.id, conflict.user_id) : undefined
    const { op, task_id: taskId } = conflict
    const paid = apply && op.type === 'payment' ? op : undefined
    const task = paid
      ? await lockToPay(db, organisation.id, taskId)
      : (await lockTasks(db, organisation.id, [taskId]))[0]
    const places = paid && task?.deleted_at ? await lockPlaces({ context, db, organisation, task }) : []
    const now = context.clock.now()
    const decision = { settled_at: now, applied: apply, note, settled_by: context.actor.name }
    if ((await settle(db, organisation.id, conflictId, decision)) === 0) throw new Refusal('CONFLICT_SETTLED')
    if (apply && !task)
      throw new Refusal('TASK_NOT_FOUND', {
        message: 'The task was deleted; if this counts, create the task again, and settle this without applying it',
      })
    const changes = tellChanges(null, { conflictId, type: op.type, applied: apply, note }, ['note'])
    await recordAudit(context, db, organisation.id, [{ kind: 'conflict.settled', subjectId: taskId, changes }])
    if (paid && task?.deleted_at) {
      const { amount, method } = paid
      const given = { user_id: conflict.user_id, amount, method, note: null, occurred_at: conflict.occurred_at }
      await requireSameCurrency(db, organisation, task)
      await bookPayment(places, given, now)
    } else if (task) {
      const { type, lat, lng } = op
      const plan = apply ? planFor(db, organisation, conflict, driver, task) : nothing
      const happened = { at: conflict.occurred_at, lat, lng }
      const remark: Remark = { settled: { conflictId, type, applied: apply, note } }
      const change = async (change: TaskChange) =>
        (await changeTasks(context, db, organisation, [change], now))[0] as TaskView
      await carryOut(task, plan, { happened, remark }, change)
    }
  })
  const settled = (await findConflict(context.db, organisation.id, conflictId)) as ConflictRow
  return (await presentConflicts(context.db, organisation.id, [settled]))[0] as Conflict
}

type Step = (task: TaskView) => TaskChange | Promise<TaskChange>

/** How a task gets to where a driver had brought it: first it becomes theirs, now; then it is done, as of then. */
interface Plan {
  give: Step[]
  make: Step[]
}
const nothing: Plan = { give: [], make: [] }

function planFor(
  db: Db,
  organisation: Organisation,
  { op, user_id: driverId, occurred_at: at }: ConflictRow,
  driver: Awaited<ReturnType<typeof lockDriver>>,
  task: TaskView,
): Plan {
  const look = lookInto(db, organisation.id)
  const make = async (decided: Promise<Decision>) => {
    const { changes, added = {} } = await decided
    if (added.note) await insertNotes(db, organisation.id, [added.note])
    if (added.payment) await writePayments(db, organisation.id, [added.payment])
    return changes[0]
  }
  if (isEvidence(op)) {
    const keep: Step = async (task) => {
      const change = await make(keepEvidence({ db, organisation, driverId, task, look }, op))
      // Answers that were there before change nothing.
      return change ?? { before: task, set: {}, fires: [] }
    }
    return { give: [], make: [keep] }
  }
  const payment: Step[] =
    op.type === 'payment'
      ? [async (task) => (await make(pay({ db, organisation, driverId, task, look }, op, at))) as TaskChange]
      : []
  if (isEnded({ statusId: task.status_id })) return { give: [], make: payment }
  if (!driver) throw new Refusal('DRIVER_NOT_FOUND')
  const isTheirs = task.user_id === driverId
  const explain = (failure: Failure) => failedThen(db, organisation.id, failure, at)
  const take: Step = (task) => orThrow(moveTask(task, 'unassign', withoutDriver, { joined: { driver: null } }))
  // What they did counts, even if they may do nothing more.
  const append: Step = (task) =>
    orThrow(appendTask(task, task.status_id === Unassigned ? 'assign' : 'reassign', { ...driver, active: true }, 0))
  return {
    give: isTheirs ? [] : task.status_id === InTransit ? [take, append] : [append],
    make: op.type === 'payment' ? payment : stepsOf(op, at, isTheirs && task.status_id === InTransit, explain),
  }
}

/** The moves of the office, which asks for no signature and waits for no other task. */
function stepsOf(
  op: Exclude<Move, { type: 'payment' }>,
  at: Date,
  isStarted: boolean,
  explain: (failure: Failure) => ReturnType<typeof failedThen>,
): Step[] {
  const start: Step = (task) => orThrow(moveTask(task, 'start', { started_at: at }))
  switch (op.type) {
    case 'accept':
      return [(task) => orThrow(moveTask(task, 'accept', { accepted_at: task.accepted_at ?? at }, {}))]
    case 'start':
      return isStarted ? [] : [start]
    case 'arrive': {
      const arrive: Step = (task) =>
        orThrow(moveTask(task, 'arrive', { arrived_at: at, driver_arrived: true, arrival_taken_back: false }, {}))
      return isStarted ? [arrive] : [start, arrive]
    }
    case 'complete':
      return [(task) => orThrow(moveTask(task, 'forceComplete', { completed_at: at }))]
    case 'fail':
      return [async (task) => orThrow(moveTask(task, 'forceFail', { completed_at: at, ...(await explain(op)) }))]
  }
}

async function carryOut(
  task: TaskView,
  { give, make }: Plan,
  { happened, remark }: Required<Pick<TaskChange, 'happened' | 'remark'>>,
  change: (change: TaskChange) => Promise<TaskView>,
) {
  let view = task
  for (const step of give) view = await change(await step(view))
  for (const step of make) view = await change({ ...(await step(view)), happened })
  await change(remarkOn(view, remark))
}
