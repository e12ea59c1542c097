import { settingsOf } from '../../../core/settings.ts'
import type { Context } from '../../context.ts'
import { commitWithEvents } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { changeTasks } from '../change/change.ts'
import { lockTasksByAwb } from '../read/lock.ts'
import { presentTasks } from '../read/timeline.ts'
import type { Followed } from './follow.ts'
import { withMissing } from './reattempt.ts'
import { refuseAfterFailure } from './rules.ts'

/** Leaves failed tasks as they are, or has them wait for a decision again. */
export const closeTasks = (
  context: Context,
  organisation: Organisation,
  awbs: readonly string[],
  isClosing: boolean,
): Promise<Followed> =>
  commitWithEvents(context, async (db) => {
    const tasks = await lockTasksByAwb(db, organisation.id, [...awbs])
    const now = context.clock.now()
    const rules = settingsOf(organisation)
    const results: Followed = new Map()
    const able = tasks.filter((task) => {
      const refusal = refuseAfterFailure('close', task, rules)
      if (refusal) results.set(task.awb, refusal)
      return !refusal
    })
    const changes = able
      .filter(({ closed_at }) => (closed_at !== null) !== isClosing)
      .map((before) => ({ before, set: { closed_at: isClosing ? now : null }, fires: ['TASK_UPDATED'] as const }))
    const changed = await changeTasks(context, db, organisation, changes, now)
    const after = new Map([...able, ...changed].map((task) => [task.id, task]))
    for (const task of await presentTasks(db, organisation, [...after.values()], now)) results.set(task.awb, task)
    return withMissing(awbs, results)
  })
