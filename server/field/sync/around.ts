import type { Db } from '../../db/db.ts'
import { lockKnownFiles } from '../../files/queries.ts'
import { presentForm } from '../../forms/present.ts'
import { listForms } from '../../forms/queries.ts'
import { listReasonsCalled } from '../../reasons/queries.ts'
import { reserveNoteIds, reservePaymentIds, sumPaymentsOf } from '../../tasks/queries.ts'
import { lockTaskIds, lockTasksAndRoutes } from '../../tasks/read/lock.ts'
import { readUpToAPage, sizeOf } from '../../tasks/read/slices.ts'
import { viewTasks } from '../../tasks/read/view.ts'
import type { TaskView } from '../../tasks/tables.ts'
import type { Action, OpName, TaskAction } from './op.ts'
import { findOps, listEarliest, listInTransit } from './queries.ts'

/* What a set of ops is about, locked and read at once: a statement for each table, however many ops there are. */

/** What an op will want to know. */
export interface Asked {
  driverId: number
  action: Action | TaskAction
  name?: OpName | undefined
  /** Other tasks of the route may start by themselves. */
  flows: boolean
}

/** What it does something to. Who only looks changes nothing. */
const taskOf = ({ action }: Asked) => ('taskId' in action && action.type !== 'seen' ? action.taskId : null)
const distinct = <Value>(values: readonly (Value | null | undefined)[]): Value[] => [
  ...new Set(values.filter((value) => value !== null && value !== undefined)),
]

/**
 * Locks the tasks, all of them in the order of their ids, or two sets could wait for each other; then reads them. What does
 * not fit into a page is left to a later set.
 */
export async function lockTasksOf(db: Db, organisationId: number, asked: readonly Asked[]): Promise<TaskView[]> {
  const wanted = distinct(asked.map(taskOf))
  const flowing = distinct(asked.map(({ flows, driverId }) => (flows ? driverId : null)))
  if (flowing.length > 0) return lockTasksAndRoutes(db, organisationId, wanted, flowing)
  const locked = wanted.length > 0 ? new Set(await lockTaskIds(db, organisationId, wanted)) : new Set<number>()
  const { items } = await readUpToAPage(
    wanted.filter((id) => locked.has(id)),
    async (ids) =>
      (await viewTasks(db, organisationId, ids)).map((view) => ({ id: view.id, view, size: sizeOf(view) })),
  )
  return items.map(({ view }) => view)
}

/** What else the ops may have to know, now that nobody else changes their tasks. */
export async function readAround(db: Db, organisationId: number, asked: readonly Asked[]) {
  const drivers = distinct(asked.map(({ driverId }) => driverId))
  const names = asked.flatMap(({ driverId, name }) => (name ? [{ user_id: driverId, op_id: name.opId }] : []))
  const pairs = asked.map((one) => ({ user_id: one.driverId, task_id: taskOf(one) }))
  const has = (...types: Action['type'][]) => asked.filter(({ action }) => types.includes(action.type))
  const paying = distinct(has('payment').map(taskOf))
  const codes = distinct(asked.map(({ action }) => (action.type === 'fail' ? action.reasonCode : null)))
  const fileIds = distinct(asked.map(({ action }) => ('fileId' in action ? action.fileId.toLowerCase() : null)))
  const noting = has('note', 'photo', 'signature', 'scan').length
  const ifAny = <Row>(count: number, read: () => Promise<Row[]>) => (count > 0 ? read() : Promise.resolve<Row[]>([]))
  const [ops, earliest, inTransit, forms, reasons, files, noteIds, paymentIds, paid] = await Promise.all([
    ifAny(names.length, () => findOps(db, organisationId, names)),
    listEarliest(db, organisationId, distinctPairs(pairs)),
    listInTransit(db, organisationId, drivers),
    ifAny(has('complete', 'fail', 'form').length, () => listForms(db, organisationId)),
    ifAny(codes.length, () => listReasonsCalled(db, organisationId, codes)),
    ifAny(fileIds.length, () => lockKnownFiles(db, organisationId, fileIds)),
    ifAny(noting, () => reserveNoteIds(db, noting)),
    ifAny(paying.length, () => reservePaymentIds(db, has('payment').length)),
    sumPaymentsOf(db, organisationId, paying),
  ])
  const transit = new Map(drivers.map((id) => [id, new Set<number>()]))
  for (const { id, user_id } of inTransit) transit.get(user_id)?.add(id)
  return {
    known: new Map(ops.map((row) => [nameOf(row.user_id, row.op_id), { digest: row.digest, answer: row.answer }])),
    earliest: new Map(earliest.map((row) => [nameOf(row.user_id, row.task_id), row.earliest])),
    inTransit: transit,
    forms: forms.map(presentForm),
    reasons,
    files: new Map(files.map((file) => [file.id, file])),
    noteIds,
    paymentIds,
    paid,
  }
}

/** By what an op of a driver, or a driver's task, is found in a map. */
export const nameOf = (driverId: number, of: string | number | null) => `${driverId} ${of}`

const distinctPairs = <Pair extends { user_id: number; task_id: number | null }>(pairs: readonly Pair[]) => [
  ...new Map(pairs.map((pair) => [nameOf(pair.user_id, pair.task_id), pair])).values(),
]
