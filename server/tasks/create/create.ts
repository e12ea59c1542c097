import { Refusal } from '../../../contract/errors.ts'
import type { Task, TaskInput } from '../../../contract/task.ts'
import { moves } from '../../../core/task-status.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { violatedUnique } from '../../db/faults.ts'
import { presentTimelineEntry } from '../../events/present.ts'
import { type Change, commitWithEvents, recordEvents } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { saveCustomers } from '../customers/customers.ts'
import { presentDriverSummary, presentTask } from '../present.ts'
import { findTakenAwbs, insertDependencies, insertTasks, reserveTaskIds } from '../queries.ts'
import { awbTaken } from '../refusals.ts'
import { addWords } from '../search/words.ts'
import type { TaskView } from '../tables.ts'
import { type Draft, draftTask, makeAwb } from './draft.ts'
import { findReferences, type References } from './references.ts'

type Input = TaskInput | Refusal
type Result = Task | Refusal

/**
 * Creates the tasks that can be created and refuses each of the others with its own reason. Those of a schedule know
 * which one.
 */
export async function createTasks(
  context: Context,
  organisation: Organisation,
  inputs: readonly Input[],
  scheduleId?: number,
): Promise<Result[]> {
  const now = context.clock.now()
  const drafts = inputs.map((input) => tryDraft(input, organisation, now, scheduleId))
  const created = await storeDrafts(context, organisation, drafts.filter(isDraft))
  return drafts.map((draft) => (isDraft(draft) ? (created.get(draft) as Result) : draft))
}

const isDraft = (draft: Draft | Refusal): draft is Draft => !(draft instanceof Refusal)

function tryDraft(input: Input, organisation: Organisation, now: Date, scheduleId?: number): Draft | Refusal {
  if (input instanceof Refusal) return input
  try {
    return draftTask(input, organisation, now, scheduleId)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/**
 * Stores the whole set at once and looks for taken awbs only after a conflict: nearly every set succeeds at the first
 * try. Each further round leaves out at least one draft or gives it another awb, so this ends.
 */
async function storeDrafts(context: Context, organisation: Organisation, drafts: Draft[]): Promise<Map<Draft, Result>> {
  const results = new Map<Draft, Result>()
  for (let remaining = drafts; remaining.length > 0; remaining = remaining.filter((draft) => !results.has(draft))) {
    try {
      const stored = await commitWithEvents(context, (db) => insertDrafts(context, db, organisation, remaining))
      for (const [draft, result] of stored) results.set(draft, result)
    } catch (error) {
      if (violatedUnique(error) !== 'tasks_awb') throw error
      const awbs = remaining.map(({ task }) => task.awb)
      const taken = new Set(await findTakenAwbs(context.db, organisation.id, awbs))
      for (const draft of remaining.filter(({ task }) => taken.has(task.awb))) {
        if (draft.hasOwnAwb) results.set(draft, awbTaken(draft.task.awb))
        else draft.task.awb = makeAwb()
      }
    }
  }
  return results
}

/** One transaction: refuses drafts that refer to records which do not exist, stores the others with their events. */
async function insertDrafts(
  context: Context,
  db: Db,
  organisation: Organisation,
  drafts: Draft[],
): Promise<Map<Draft, Result>> {
  const references = await findReferences(db, organisation.id, drafts)
  const results = new Map<Draft, Result>()
  for (const draft of drafts) {
    const refusal = references.problemOf(draft)
    if (refusal) results.set(draft, refusal)
  }
  const good = drafts.filter((draft) => !results.has(draft))
  if (good.length === 0) return results

  const views = await insertRows(db, organisation, good, references)
  const presented = views.map((view) => presentTask(view, organisation, context.clock.now()))
  const changes = views.map((view, index) => creationOf(view, JSON.stringify(presented[index])))
  const timelines = Map.groupBy(await recordEvents(context, db, organisation.id, changes), ({ task_id }) => task_id)
  for (const [index, draft] of good.entries()) {
    const task = presented[index] as Task
    results.set(draft, { ...task, timelines: (timelines.get(task.id) ?? []).map(presentTimelineEntry) })
  }
  return results
}

/** Everything about the drafts is known already, so nothing is read back. */
async function insertRows(
  db: Db,
  organisation: Organisation,
  drafts: Draft[],
  { drivers, teams, known, nextPosition }: References,
): Promise<TaskView[]> {
  const organisationId = organisation.id
  const named = drafts.flatMap(({ customer }) => customer ?? [])
  const saved = await saveCustomers(db, organisationId, named)
  const ids = await reserveTaskIds(db, drafts.length)
  const rows = drafts.map(({ task, customer }, index) => ({
    id: ids[index] as number,
    ...task,
    customer_id: (customer && saved.get(customer)?.id) ?? null,
    route_position: task.user_id === null ? null : nextPosition(task.user_id),
  }))
  for (const { id, awb, status_id } of rows) known.set(awb, { task_id: id, awb, status_id })
  const places = drafts.map(({ address, task }, index) => ({
    task_id: ids[index] as number,
    ...address,
    geocode_at: address.lat === null ? task.created_at : null,
  }))
  const stored = await insertTasks(db, organisationId, rows, places)
  const needed = drafts.map(({ dependsOn }) => dependsOn.map((awb) => known.get(awb) as Needed))
  const links = needed.flatMap((list, index) =>
    list.map(({ task_id }) => ({ task_id: ids[index] as number, depends_on_id: task_id })),
  )
  if (links.length > 0) await insertDependencies(db, organisationId, links)
  const views = stored.map((task, index): TaskView => {
    const { customer } = drafts[index] as Draft
    return {
      ...task,
      customer: (customer && saved.get(customer)) ?? null,
      driver: (task.user_id !== null && drivers.get(task.user_id)) || null,
      team: (task.team_id !== null && teams.get(task.team_id)) || null,
      seen: null,
      notes: [],
      notes_left_out: 0,
      dependencies: (needed[index] as Needed[]).toSorted((one, other) => one.task_id - other.task_id),
      partners: null,
      tries: null,
    }
  })
  await addWords(db, organisation, views)
  return views
}

type Needed = TaskView['dependencies'][number]

export const creationOf = (view: TaskView, snapshot: string): Change => {
  const { fires } = view.user_id === null ? moves.create : moves.createForDriver
  const driver = view.driver && presentDriverSummary(view.driver)
  return {
    taskId: view.id,
    awb: view.awb,
    snapshot,
    fires: fires.map((trigger) => ({ trigger, driver })),
    lastSequence: view.last_sequence,
    previous: null,
    fromStatusId: null,
    toStatusId: view.status_id,
    recordedAt: view.created_at,
  }
}
