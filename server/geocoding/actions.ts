import type { Context } from '../context.ts'
import { commitWithEvents } from '../events/record.ts'
import type { Organisation } from '../organisations/queries.ts'
import type { Located } from '../outside/geocoders/geocoder.ts'
import { isSamePlace } from '../tasks/address.ts'
import { changeTasks, type TaskChange } from '../tasks/change/change.ts'
import { saveAddresses } from '../tasks/queries.ts'
import { lockTasks } from '../tasks/read/lock.ts'
import type { TaskView } from '../tasks/tables.ts'
import type { ClaimedAddress } from './queries.ts'

export interface Placed {
  claimed: ClaimedAddress
  located: Located
}

/**
 * Gives tasks the coordinates that were found for their addresses. A person was perhaps faster: where there are
 * coordinates by now, or another address, theirs stay.
 */
export async function placeTasks(context: Context, organisation: Organisation, found: readonly Placed[]) {
  const byTask = new Map(found.map((placed) => [placed.claimed.task_id, placed]))
  await commitWithEvents(context, async (db) => {
    const tasks = await lockTasks(db, organisation.id, [...byTask.keys()])
    const changes = tasks.flatMap((task) => changeOf(task, byTask.get(task.id) as Placed) ?? [])
    if (changes.length === 0) return
    const addresses = changes.map(({ before, joined }) => ({ ...before.address, ...joined.address }))
    await saveAddresses(db, organisation.id, addresses)
    await changeTasks(context, db, organisation, changes, context.clock.now())
  })
}

function changeOf(task: TaskView, { claimed, located }: Placed) {
  const { address } = task
  if (address.lat !== null || !isSamePlace(claimed, address)) return undefined
  const { lat, lng, precision } = located
  return {
    before: task,
    set: {},
    fires: ['TASK_GEOCODED'],
    joined: { address: { ...address, lat, lng, precision } },
  } satisfies TaskChange
}
