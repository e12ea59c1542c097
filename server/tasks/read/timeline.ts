import { pageBytes, shownOfATask } from '../../../contract/limits.ts'
import type { Task } from '../../../contract/task.ts'
import type { Db } from '../../db/db.ts'
import { keyList, raw, type Sql, sql } from '../../db/sql.ts'
import { columnList } from '../../db/table.ts'
import { presentTimelineEntry } from '../../events/present.ts'
import { type JsonLineFacts, type LineFacts, lineFacts } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { presentTask } from '../present.ts'
import type { TaskView } from '../tables.ts'
import { readUpToAPage, sizeOf } from './slices.ts'
import { fromTasks, joinNotes, selectTask, type TaskKey, viewTasks } from './view.ts'

/** What an entry takes in an answer, about: the old values are what can be large. */
const entryBytes = raw('(300 + coalesce(octet_length(previous), 0) + coalesce(octet_length(remark), 0))')

/** Events in this order up to a number and to the one that exceeds a size, without reading those after it. */
const upTo = (condition: Sql, order: Sql, limit: Sql, bytes: number) => sql`
  select ${columnList(lineFacts)} from (
    select ${columnList(lineFacts)}, sum(${entryBytes}) over (order by ${order}) - ${entryBytes} as bytes_before
    from events
    where ${condition}
    order by ${order}
    limit ${limit}
  ) found
  where bytes_before < ${raw(String(bytes))}`

/** All events of these tasks, in order. */
export const listAllEvents = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<LineFacts>(sql`
    select ${columnList(lineFacts)} from events
    where organisation_id = ${organisationId} and task_id = any(${keyList(taskIds)}::bigint[])
    order by task_id, sequence`)

/** The newest events of these tasks, in order. */
const listNewest = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<LineFacts>(sql`
    select e.* from unnest(${taskIds}::bigint[]) as wanted (id)
    cross join lateral (
      ${upTo(
        sql`organisation_id = ${organisationId} and task_id = wanted.id`,
        raw('sequence desc'),
        raw(String(shownOfATask.timelineEntries)),
        shownOfATask.timelineBytes,
      )}
    ) e
    order by e.task_id, e.sequence`)

/** So few need no bound. To look for one takes half as long again, and nearly all timelines are short. */
const short = 30

async function listEvents(db: Db, organisationId: number, views: readonly TaskView[]): Promise<LineFacts[]> {
  const { shorter = [], longer = [] } = Object.groupBy(views, ({ last_sequence }) =>
    last_sequence > short ? 'longer' : 'shorter',
  )
  const idsOf = (some: readonly TaskView[]) => some.map(({ id }) => id)
  return [
    ...(shorter.length > 0 ? await listAllEvents(db, organisationId, idsOf(shorter)) : []),
    ...(longer.length > 0 ? await listNewest(db, organisationId, idsOf(longer)) : []),
  ]
}

/** All events of a task, from one on, the oldest first. */
export const listEventsOfTask = (db: Db, organisationId: number, taskId: number, after: number, limit: number) =>
  db.many<LineFacts>(
    upTo(
      sql`organisation_id = ${organisationId} and task_id = ${taskId} and sequence > ${after}`,
      raw('sequence'),
      sql`${limit}`,
      pageBytes,
    ),
  )

type Entries = readonly (LineFacts | JsonLineFacts)[]

const sizeOfEntries = (entries: Entries) =>
  entries.reduce((sum, { previous, remark }) => sum + 300 + (previous?.length ?? 0) + (remark?.length ?? 0), 0)

/** Tasks with their timelines, as shown in responses, and about how large each is. */
async function presentSized(db: Db, organisation: Organisation, views: readonly TaskView[], now: Date) {
  if (views.length === 0) return []
  const byTask = Map.groupBy(await listEvents(db, organisation.id, views), ({ task_id }) => task_id)
  return views.map((view) => {
    const entries = byTask.get(view.id) ?? []
    return {
      id: view.id,
      task: presentWith(entries, view, organisation, now),
      size: sizeOf(view) + sizeOfEntries(entries),
    }
  })
}

function presentWith(entries: Entries, view: TaskView, organisation: Organisation, now: Date): Task {
  const leftOut = (entries[0]?.sequence ?? 1) - 1
  return {
    ...presentTask(view, organisation, now, entries.map(presentTimelineEntry)),
    ...(leftOut > 0 && { timelinesLeftOut: leftOut }),
  }
}

/** Tasks with their timelines, where these are short: one statement instead of two, which is cheaper up to some thirty tasks. */
export const listWithTimelines = (db: Db, organisationId: number, by: TaskKey, keys: readonly (number | string)[]) =>
  db.many<TaskView & { events: JsonLineFacts[] | null }>(sql`
    ${selectTask}, case when t.last_sequence <= ${raw(String(short))} then (
      select json_agg(e order by e.sequence) from (
        select ${columnList(lineFacts)} from events where organisation_id = t.organisation_id and task_id = t.id
      ) e
    ) end as events
    ${fromTasks(organisationId, by, keys)} ${joinNotes}`)

/** The key of a task, and the organisation as it was read for this request: settings may have changed since the one before. */
export interface Wanted {
  organisation: Organisation
  key: number | string
}

/** Tasks of an organisation as they are shown, one for each that is wanted, if it is there. */
export async function showTasks(
  db: Db,
  by: TaskKey,
  wanted: readonly [Wanted, ...Wanted[]],
  now: Date,
): Promise<(Task | undefined)[]> {
  const { id: organisationId } = wanted[0].organisation
  const keys = [...new Set(wanted.map(({ key }) => key))]
  const views = await listWithTimelines(db, organisationId, by, keys)
  const longer = views.filter(({ events }) => events === null).map(({ id }) => id)
  const newest = longer.length > 0 ? await listNewest(db, organisationId, longer) : []
  const byTask = Map.groupBy(newest, ({ task_id }) => task_id)
  const byKey = new Map(views.map((view) => [view[by], view]))
  return wanted.map(({ key, organisation }) => {
    const view = byKey.get(key)
    return view && presentWith(view.events ?? byTask.get(view.id) ?? [], view, organisation, now)
  })
}

export const presentTasks = async (
  db: Db,
  organisation: Organisation,
  views: readonly TaskView[],
  now: Date,
): Promise<Task[]> => (await presentSized(db, organisation, views, now)).map(({ task }) => task)

/** As many of the tasks with these ids as fit into an answer, and how many of the ids that was. */
export async function presentPage(db: Db, organisation: Organisation, ids: readonly number[], now: Date) {
  const { items, reached } = await readUpToAPage(ids, async (some) =>
    presentSized(db, organisation, await viewTasks(db, organisation.id, some), now),
  )
  return { tasks: items.map(({ task }) => task), reached }
}
