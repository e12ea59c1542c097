import type { Task } from '../../../contract/task.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { columnList } from '../../db/table.ts'
import { presentTimelineEntry } from '../../events/present.ts'
import { type EventFacts, eventFacts } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { presentTask } from '../present.ts'
import type { TaskView } from '../tables.ts'

export const listEvents = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<EventFacts>(sql`
    select ${columnList(eventFacts)} from events
    where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])
    order by task_id, sequence`)

/** Tasks with their timelines, as shown in responses. */
export async function presentTasks(
  db: Db,
  organisation: Organisation,
  views: readonly TaskView[],
  now: Date,
): Promise<Task[]> {
  if (views.length === 0) return []
  const events = await listEvents(
    db,
    organisation.id,
    views.map(({ id }) => id),
  )
  const byTask = Map.groupBy(events, ({ task_id }) => task_id)
  return views.map((view) =>
    presentTask(view, organisation, now, (byTask.get(view.id) ?? []).map(presentTimelineEntry)),
  )
}
