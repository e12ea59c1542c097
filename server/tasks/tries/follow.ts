import { Refusal } from '../../../contract/errors.ts'
import { longest } from '../../../contract/limits.ts'
import type { Task } from '../../../contract/task.ts'
import { awbsOfReattempt, awbsOfReturn } from '../../../core/attempt.ts'
import { settingsOf } from '../../../core/settings.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { Repeat, violatedUnique } from '../../db/faults.ts'
import { recordEventsAtEnd } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { recordInOrder, type TaskChange, writeChanges } from '../change/change.ts'
import { creationOf } from '../create/create.ts'
import { presentTask } from '../present.ts'
import { findTakenAwbs, insertTasks, type NewAddress, type NewTask, reserveTaskIds, saveTasks } from '../queries.ts'
import { presentTasks } from '../read/timeline.ts'
import { viewTasks } from '../read/view.ts'
import { addWords } from '../search/words.ts'
import type { TaskRow, TaskView } from '../tables.ts'
import { type Follow, refuseAfterFailure } from './rules.ts'

/*
 * A failed task gets a successor: a next try, or a return. Both tasks say so in one transaction, under the lock of the failed one,
 * so that two people who want the same at once make one.
 */

/** What follows a task: its row and where it goes; all but its name, its number and what links the two. */
export interface Successor {
  task: Omit<NewTask, 'id' | 'awb' | 'route_position'>
  address: Omit<NewAddress, 'task_id'>
  /** What its customer has already left for the driver. */
  instructions?: string[] | null
}

/** What became of each task that was named. */
export type Followed = Map<string, Task | Refusal>

interface Drivers {
  /** Where the route of a driver ends, for those who get some of the tasks; each place is given once. */
  nextPosition(driverId: number): number
}

/** Names that may be taken: further ones are looked for in a second run. */
const namesAtOnce = 20

/**
 * Makes a successor for each task that can have one. `plan` says what follows, or why nothing does; the tasks are locked.
 */
export async function followTasks(
  context: Context,
  db: Db,
  organisation: Organisation,
  follow: Follow,
  tasks: readonly TaskView[],
  plan: (task: TaskView) => Successor | Refusal,
  drivers: Drivers,
): Promise<Followed> {
  const rules = settingsOf(organisation)
  const planned = tasks.map((task) => ({ task, next: refuseAfterFailure(follow, task, rules) ?? plan(task) }))
  const allowed = planned.flatMap(({ task, next }) => (next instanceof Refusal ? [] : [task]))
  const awbs = await chooseAwbs(db, organisation.id, follow, allowed)
  const results: Followed = new Map()
  const good: Chosen[] = []
  for (const { task, next } of planned) {
    const awb = awbs.get(task)
    if (next instanceof Refusal) results.set(task.awb, next)
    else if (awb instanceof Refusal) results.set(task.awb, awb)
    else good.push({ task, next, awb: awb as string })
  }
  if (good.length === 0) return results
  const now = context.clock.now()
  const made = await insertSuccessors(db, organisation, follow, good, drivers)
  const created = made.map((view) => creationOf(view, JSON.stringify(presentTask(view, organisation, now))))
  const changes = good.map(({ task }, index) => linked(follow, task, made[index] as TaskView))
  const { recordings } = await writeChanges(context, db, organisation, changes, now)
  await recordInOrder([
    ...recordings,
    {
      organisationId: organisation.id,
      record: () => recordEventsAtEnd(context, db, organisation.id, created, Promise.resolve()),
    },
  ])
  const presented = await presentTasks(db, organisation, made, now)
  for (const [index, { task }] of good.entries()) results.set(task.awb, presented[index] as Task)
  return results
}

interface Chosen {
  task: TaskView
  next: Successor
  awb: string
}

async function insertSuccessors(
  db: Db,
  organisation: Organisation,
  follow: Follow,
  good: readonly Chosen[],
  { nextPosition }: Drivers,
): Promise<TaskView[]> {
  const { id: organisationId } = organisation
  const ids = await reserveTaskIds(db, good.length)
  const rows = good.map(
    ({ next: { task }, awb }, index): NewTask => ({
      ...task,
      id: ids[index] as number,
      awb,
      route_position: task.user_id === null ? null : nextPosition(task.user_id),
    }),
  )
  const places = good.map(({ next: { address } }, index) => ({ ...address, task_id: ids[index] as number }))
  const stored = await insertTasks(db, organisationId, rows, places).catch((error) => {
    // Somebody else took the AWB a moment ago: next time it is found.
    throw violatedUnique(error) === 'tasks_awb' ? new Repeat('An AWB is taken') : error
  })
  const marked = stored.map((row, index): TaskRow => {
    const { task, next } = good[index] as (typeof good)[number]
    return { ...row, ...traceOf(follow, task), instructions: next.instructions ?? null }
  })
  await saveTasks(
    db,
    organisationId,
    marked,
    new Set(['attempt', 'attempt_of', 'return_of', 'earlier_awbs', 'instructions'] satisfies (keyof TaskRow)[]),
  )
  const views = await viewTasks(db, organisationId, ids)
  await addWords(db, organisation, views)
  return views
}

/** What a task knows of those before it, and by which labels. A further try of a return is a return of the same task. */
const traceOf = (follow: Follow, task: TaskView): Partial<TaskRow> => ({
  ...(follow === 'reattempt'
    ? { attempt: task.attempt + 1, attempt_of: task.id, return_of: task.return_of }
    : { return_of: task.id }),
  earlier_awbs: [...(task.earlier_awbs ?? []), task.awb, ...(task.chain_awbs ?? [])],
})

/** The first name of each that is free, also among themselves. */
async function chooseAwbs(
  db: Db,
  organisationId: number,
  follow: Follow,
  tasks: readonly TaskView[],
): Promise<Map<TaskView, string | Refusal>> {
  const namesOf = follow === 'reattempt' ? awbsOfReattempt : awbsOfReturn
  const wanted = tasks.map((task) => ({ task, names: namesOf(task, longest.awb, namesAtOnce) }))
  const found =
    wanted.length > 0
      ? await findTakenAwbs(
          db,
          organisationId,
          wanted.flatMap(({ names }) => names),
        )
      : []
  const taken = new Set(found)
  return new Map(
    wanted.map(({ task, names }) => {
      const free = names.find((name) => !taken.has(name))
      if (free !== undefined) taken.add(free)
      const message = `${task.awb} cannot be followed: the AWBs from ${names[0]} to ${names.at(-1)} are taken`
      return [task, free ?? new Refusal('AWB_TAKEN', { message })]
    }),
  )
}

function linked(follow: Follow, before: TaskView, next: TaskView): TaskChange {
  const tries = { ...before.tries, [next.id]: { awb: next.awb, status_id: next.status_id } }
  const link = follow === 'reattempt' ? { reattempted_as: next.id } : { returned_as: next.id }
  const set = before.closed_at === null ? link : { ...link, closed_at: null }
  return { before, set, fires: ['TASK_UPDATED'], joined: { tries } }
}
