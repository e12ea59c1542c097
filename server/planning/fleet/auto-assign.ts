import { Refusal } from '../../../contract/errors.ts'
import { contextOf, type Service, system } from '../../context.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { viewTasks } from '../../tasks/read/view.ts'
import { boundsOfDay, clockFor } from '../problem/clock.ts'
import { assignTasks } from './assign.ts'
import { keepLeft, listUntried, mostLeft, noteTried } from './left.ts'
import { listAutoAssigning, listNewTasks } from './queries.ts'

/*
 * The auto-assign mode: new tasks are assigned to the best driver on duty. What to do follows from the database
 * (the setting, tasks never assigned, drivers on duty), so a restart loses nothing; why others wait is kept there, too. Only failed attempts are remembered
 * here, so that they are not repeated all the time.
 */

/** Tasks that no driver could take are retried after a while, some at a time: by then something may have changed. */
const retryMs = 60_000
const atOnce = 200
/** People who request a plan must not wait long behind this one. */
const mostMs = 1_000

/** One round over every organisation in this mode. */
export function createAutoAssign(service: Service) {
  /** The last attempt for an organisation, and its time. */
  const tried = new Map<number, { what: string; at: number }>()

  async function assignFor(organisation: Organisation, onDuty: string | null, stopping: AbortSignal) {
    const clock = clockFor(service.clock.now(), organisation.timezone)
    const context = contextOf(service, organisation.id, system)
    const dayEnd = boundsOfDay(clock).end
    const waiting = await listNewTasks(context.db, organisation, dayEnd, mostLeft)
    const untried = await listUntried(context.db, organisation, dayEnd)
    const ids = waiting.map(({ id }) => id)
    const explain = async (found: { task_id: number; reason: string }[], sameAsBefore: number[] = []) => {
      const isNew = await keepLeft(context.db, organisation.id, [...untried, ...found], sameAsBefore)
      if (isNew) context.announceChanges(['leftTasks'])
    }
    if (waiting.length === 0) return explain([])
    if (onDuty === null) return explain(ids.map((task_id) => ({ task_id, reason: 'NO_DRIVER' })))
    const next = waiting.slice(0, atOnce)
    const state = waiting.map(({ id, updated_at }) => `${id} ${updated_at.getTime()}`).sort()
    const what = `${onDuty} ${state.join()}`
    const last = tried.get(organisation.id)
    const isSame = last?.what === what && performance.now() - last.at < retryMs
    if (isSame && next.every(({ tried_at }) => tried_at !== null)) return explain([], ids)
    tried.set(organisation.id, { what, at: performance.now() })
    next.sort((one, other) => other.priority - one.priority || one.id - other.id)
    const nextIds = next.map(({ id }) => id)
    const tasks = await viewTasks(context.db, organisation.id, nextIds)
    const patience = { milliseconds: mostMs, signal: stopping }
    const { unassigned } = await assignTasks(context, organisation, tasks, {}, clock, patience)
    const left = unassigned.map(({ taskId, reason }) => ({ task_id: taskId, reason }))
    await explain(left, ids.slice(atOnce))
    await noteTried(context.db, organisation.id, nextIds, context.clock.now())
  }

  return async (stopping: AbortSignal) => {
    for (const { organisation, on_duty } of await listAutoAssigning(service.database.everyone)) {
      if (stopping.aborted) return
      await assignFor(organisation, on_duty, stopping).catch((err) => {
        tried.delete(organisation.id)
        // Plans requested by people come first; there will be another round.
        if (!(err instanceof Refusal)) throw err
      })
    }
  }
}
