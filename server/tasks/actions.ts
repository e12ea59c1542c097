import { Refusal } from '../../contract/errors.ts'
import type { Task, TaskInput } from '../../contract/task.ts'
import { moves } from '../../core/task-status.ts'
import type { Context } from '../context.ts'
import { type Db, violatedUnique } from '../db/db.ts'
import { presentTimelineEntry } from '../events/present.ts'
import { commitWithEvents, recordEvents } from '../events/record.ts'
import type { Organisation } from '../organisations/queries.ts'
import { type Draft, draftTask, makeAwb } from './draft.ts'
import { presentTask } from './present.ts'
import { findTakenAwbs, insertTasks, type NewCustomer, reserveTaskIds, saveCustomers, viewTasks } from './queries.ts'

/** Creates the tasks that can be created and refuses the others, each for itself. */
export async function createTasks(
  context: Context,
  organisation: Organisation,
  inputs: readonly (TaskInput | Refusal)[],
): Promise<(Task | Refusal)[]> {
  const now = new Date()
  const drafts = refuseRepeatedAwbs(inputs.map((input) => tryDraft(input, organisation, now)))
  const created = await storeDrafts(context, organisation, drafts.filter(isDraft))
  return drafts.map((draft) => (isDraft(draft) ? (created.get(draft) as Task | Refusal) : draft))
}

const isDraft = (draft: Draft | Refusal): draft is Draft => !(draft instanceof Refusal)

function tryDraft(input: TaskInput | Refusal, organisation: Organisation, now: Date): Draft | Refusal {
  if (input instanceof Refusal) return input
  try {
    return draftTask(input, organisation, now)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const awbTaken = (awb: string) =>
  new Refusal('AWB_TAKEN', { field: 'awb', message: `Another task already has the awb ${awb}` })

/** Of several tasks with one awb in the same request, the first gets it. */
function refuseRepeatedAwbs(drafts: (Draft | Refusal)[]): (Draft | Refusal)[] {
  const seen = new Set<string>()
  return drafts.map((draft) => {
    if (!isDraft(draft)) return draft
    const { awb } = draft.task
    if (seen.has(awb)) return awbTaken(awb)
    seen.add(awb)
    return draft
  })
}

/**
 * Stores the whole set at once and looks for taken awbs only after running into one: nearly every set goes in at the
 * first try. Each further round leaves out at least one draft, so it ends.
 */
async function storeDrafts(context: Context, organisation: Organisation, drafts: Draft[]) {
  const results = new Map<Draft, Task | Refusal>()
  let remaining = drafts
  while (remaining.length > 0) {
    try {
      const tasks = await commitWithEvents(context, (db) => insertDrafts(context, db, organisation, remaining))
      for (const [index, draft] of remaining.entries()) results.set(draft, tasks[index] as Task)
      return results
    } catch (error) {
      if (violatedUnique(error) !== 'tasks_awb') throw error
      const awbs = remaining.map(({ task }) => task.awb)
      const taken = new Set(await findTakenAwbs(context.db, organisation.id, awbs))
      for (const draft of remaining) {
        if (!taken.has(draft.task.awb)) continue
        if (draft.hasOwnAwb) results.set(draft, awbTaken(draft.task.awb))
        else draft.task.awb = makeAwb()
      }
      remaining = remaining.filter((draft) => !results.has(draft))
    }
  }
  return results
}

async function insertDrafts(context: Context, db: Db, organisation: Organisation, drafts: Draft[]): Promise<Task[]> {
  const customerIds = await customerIdsOf(db, organisation.id, drafts)
  const ids = await reserveTaskIds(db, drafts.length)
  const withId = drafts.map((draft, index) => ({ ...draft, id: ids[index] as number }))
  await insertTasks(
    db,
    organisation.id,
    withId.map(({ id, task, customer }) => ({
      id,
      ...task,
      customer_id: (customer && customerIds.get(keyOf(customer))) ?? null,
    })),
    withId.map(({ id, address }) => ({ task_id: id, ...address })),
  )
  const views = await viewTasks(db, organisation.id, ids)
  const presented = views.map((view) => presentTask(view, organisation, []))
  const recorded = await recordEvents(
    context,
    db,
    organisation.id,
    views.map((view, index) => ({
      taskId: view.id,
      awb: view.awb,
      snapshot: JSON.stringify(presented[index]),
      fires: moves.create.fires,
      lastSequence: view.last_sequence,
      userId: null,
      driver: null,
      previous: null,
      fromStatusId: null,
      toStatusId: view.status_id,
      at: view.created_at,
    })),
  )
  const timelines = Map.groupBy(recorded, (event) => event.task_id)
  return presented.map((task) => ({ ...task, timelines: (timelines.get(task.id) ?? []).map(presentTimelineEntry) }))
}

const keyOf = ({ phone, name }: Pick<NewCustomer, 'phone' | 'name'>) => JSON.stringify([phone, name])

/** The ids of the drafts' customers, by phone and name. Of two drafts for one person the later has the last word. */
async function customerIdsOf(db: Db, organisationId: number, drafts: Draft[]): Promise<Map<string, number>> {
  const given = new Map<string, NewCustomer>()
  for (const { customer } of drafts) if (customer) given.set(keyOf(customer), customer)
  if (given.size === 0) return new Map()
  const saved = await saveCustomers(db, organisationId, [...given.values()])
  return new Map(saved.map((customer) => [keyOf(customer), customer.id]))
}
