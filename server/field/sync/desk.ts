import { shownOfATask } from '../../../contract/limits.ts'
import { formOf } from '../../../core/form.ts'
import { sumAmounts } from '../../../core/money.ts'
import { InTransit, isOpen } from '../../../core/task-status.ts'
import type { Actor, Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { Repeat } from '../../db/faults.ts'
import { isFreeFor } from '../../files/claims.ts'
import { type ExpectedFile, type FileRow, insertExpectedFiles, markAllUsed } from '../../files/queries.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { changeTasks, isShared, type TaskChange, viewAfter } from '../../tasks/change/change.ts'
import { writePayments } from '../../tasks/change/payments.ts'
import { amountOfLine } from '../../tasks/money.ts'
import { insertKeptNotes, type KeptNote, type KeptPayment } from '../../tasks/queries.ts'
import type { DriverView, NoteView, TaskView } from '../../tasks/tables.ts'
import { type Asked, lockTasksOf, nameOf, readAround } from './around.ts'
import { insertConflicts, type NewConflict, reserveConflictIds } from './conflict-queries.ts'
import type { Added } from './decide.ts'
import { insertOps, type NewOp } from './queries.ts'
import { type Look, lookInto } from './scene.ts'

/*
 * What a set of ops works on: the locked tasks, and all that ops usually have to know. An op changes what is here, the next
 * one finds that, and in the end everything is written, a statement for each table.
 *
 * What is not here an op asks the database, which knows nothing yet of the ops before it. So an op that asks has to be
 * alone: in a set with others that stops it (`NotAlone`), and it comes again by itself.
 */

/** The op cannot be done in one set with others. */
export class NotAlone extends Error {}

const notToBeAsked: Db = {
  many: refuse,
  find: refuse,
  get: refuse,
  run: refuse,
  finish: refuse,
  transaction: refuse,
  as: () => notToBeAsked,
}

async function refuse(): Promise<never> {
  throw new NotAlone()
}

type KnownFile = ExpectedFile & Pick<FileRow, 'store_key' | 'unused_since'>

export type Desk = Awaited<ReturnType<typeof openDesk>>

/** Locks and reads what the ops are about. */
export async function openDesk(context: Context, db: Db, organisationId: number, asked: readonly Asked[]) {
  const isAlone = asked.length === 1
  const own = isAlone ? db : notToBeAsked
  const views = await lockTasksOf(db, organisationId, asked)
  // Under the lock: everything others did to the tasks happened before.
  const now = context.clock.now()
  const around = await readAround(db, organisationId, asked)
  const { known, earliest, inTransit, forms, reasons, noteIds, paymentIds, paid } = around
  const files = new Map<string, KnownFile>(around.files)
  const tasks = new Map(views.map((view) => [view.id, view]))
  const ops: NewOp[] = []
  const conflicts: NewConflict[] = []
  let conflictIds: number[] = []
  const notes: KeptNote[] = []
  const lines: KeptPayment[] = []
  const claims: { file: ExpectedFile; isNew: boolean }[] = []
  const changes: TaskChange[] = []

  /** A task as the ops before left it; what is joined to it changes with others. */
  function find(taskId: number): TaskView | undefined {
    const task = tasks.get(taskId)
    if (!task) return undefined
    const dependencies = task.dependencies.map((needed) => ({ ...needed, ...statusOf(needed.task_id) }))
    const tries =
      task.tries &&
      Object.fromEntries(Object.entries(task.tries).map(([id, one]) => [id, { ...one, ...statusOf(Number(id)) }]))
    return { ...task, driver: driverOf(task), dependencies, tries }
  }

  function statusOf(taskId: number) {
    const task = tasks.get(taskId)
    return task && { status_id: task.status_id }
  }

  function driverOf({ driver }: TaskView): DriverView | null {
    const transit = driver && inTransit.get(driver.id)
    if (!driver?.in_shift || !transit) return driver
    return { ...driver, status: transit.size > 0 ? 2 : 1 }
  }

  const look: Look = {
    ...lookInto(own, organisationId),
    fieldsOf: async ({ form_id }) => formOf({ formId: form_id }, forms)?.fields ?? [],
    reasonsCalled: async (code) => reasons.filter((reason) => reason.code === code),
    async share(fileId, driverId, taskId) {
      const id = fileId.toLowerCase()
      const file = files.get(id)
      if (!file) return { file: { id, store_key: null }, first: null, isClaimed: false }
      if (isFreeFor(file, driverId, taskId)) return { file, first: null, isClaimed: false }
      return lookInto(own, organisationId).share(fileId, driverId, taskId)
    },
    openPayment: async (taskId) => ({ id: paymentIds[0] as number, paid: paid.get(taskId) ?? 0 }),
  }

  /** Takes what an op changes. What has to be read again for it is, if the op is alone. */
  function take(
    by: Actor,
    driverId: number,
    given: readonly TaskChange[],
    { note, file, payment, conflict }: Added = {},
  ) {
    const isKnown = given.every((change) => isKnownAround(change, driverId))
    if (!isKnown && !isAlone) throw new NotAlone()
    if (file) claim(file)
    if (payment) pay(payment)
    if (conflict) conflicts.push(conflict)
    const kept = note && { ...note, id: noteIds.shift() as number, created_at: now, updated_at: now }
    if (kept) notes.push(kept)
    for (const { before, set } of given) moveIn(before, set.status_id ?? before.status_id)
    for (const change of given) {
      const seen = { ...(isKnown ? seeAround(change, kept) : change), by }
      changes.push(seen)
      tasks.set(change.before.id, viewAfter(seen, now))
    }
  }

  /** The change with what it changes around the task, so that nothing has to be read again. */
  function seeAround({ rereads: _, ...change }: TaskChange, note: KeptNote | undefined): TaskChange {
    const { before } = change
    const driver = driverOf(before)
    const added = note && driver ? [viewNote(note, driver)] : []
    return { ...change, joined: { ...change.joined, driver, notes: [...before.notes, ...added] } }
  }

  const viewNote = (note: KeptNote, { id, name, avatar }: DriverView): NoteView => ({
    ...note,
    organisation_id: organisationId,
    seen_at: null,
    author: { id, name, avatar, is_driver: true },
  })

  /** Which stops a driver is on the way to. */
  function moveIn({ id, user_id }: TaskView, statusId: number) {
    const transit = user_id === null ? undefined : inTransit.get(user_id)
    if (statusId === InTransit) transit?.add(id)
    else transit?.delete(id)
  }

  function claim(file: ExpectedFile) {
    const before = files.get(file.id)
    claims.push({ file, isNew: !before })
    files.set(file.id, { store_key: null, ...before, ...file, unused_since: null })
  }

  function pay(line: KeptPayment) {
    paymentIds.shift()
    lines.push(line)
    paid.set(line.task_id, sumAmounts([paid.get(line.task_id) ?? 0, amountOfLine(line)]))
  }

  /** What was answered is answered again. */
  function remember(op: Omit<NewOp, 'recorded_at'>) {
    ops.push({ ...op, recorded_at: now })
    known.set(nameOf(op.user_id, op.op_id), { digest: op.digest, answer: op.answer })
  }

  /** The numbers of conflicts do not depend on the ops before, so a set may ask for them. */
  async function nextConflictId(): Promise<number> {
    if (conflictIds.length === 0) conflictIds = await reserveConflictIds(db, asked.length)
    return conflictIds.shift() as number
  }

  /** When a driver can have done something to a task at the earliest. */
  const earliestOf = (driverId: number, taskId: number | null) => earliest.get(nameOf(driverId, taskId)) ?? null

  /** Writes everything. Answers the tasks as they are now. */
  async function write(context: Context, organisation: Organisation): Promise<TaskView[]> {
    await insertAll(ops.sort(byName), (rows) => insertOps(db, organisationId, rows))
    const filesOf = (areNew: boolean) => claims.filter(({ isNew }) => isNew === areNew).map(({ file }) => file)
    await insertAll(filesOf(true), (rows) => insertExpectedFiles(db, organisationId, rows))
    if (filesOf(false).length > 0) await markAllUsed(db, organisationId, filesOf(false))
    if (conflicts.length > 0) await insertConflicts(db, organisationId, conflicts)
    if (notes.length > 0) await insertKeptNotes(db, organisationId, notes)
    await writePayments(db, organisationId, lines)
    return changeTasks(context, db, organisation, changes, now)
  }

  /** The open tasks of a driver, if all of them were locked. */
  const routeOf = (driverId: number) =>
    [...tasks.values()].filter((task) => task.user_id === driverId && isOpen({ statusId: task.status_id }))

  return { db: own, now, known, find, routeOf, look, take, nextConflictId, remember, earliestOf, write }
}

/** Whether everything that a change of this task can change around it is on the desk. */
const isKnownAround = ({ before, rereads = [] }: TaskChange, driverId: number) =>
  before.user_id === driverId &&
  before.driver?.id === driverId &&
  !isShared(before) &&
  before.notes_left_out === 0 &&
  before.notes.length < shownOfATask.notes &&
  rereads.every((part) => part === 'driver' || part === 'notes')

/** Where another request was faster with one of them, everything begins anew: then it is known. */
async function insertAll<Row>(rows: readonly Row[], insert: (rows: readonly Row[]) => Promise<number>) {
  if (rows.length > 0 && (await insert(rows)) < rows.length) throw new Repeat('Somebody else was faster')
}

/** In the same order everywhere, or two sets with the same ops could wait for each other. */
const byName = (one: NewOp, other: NewOp) => one.user_id - other.user_id || (one.op_id < other.op_id ? -1 : 1)
