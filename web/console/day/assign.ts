import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Placing } from '../../../contract/planning.ts'
import { Assigned, isEnded, Unassigned } from '../../../core/task-status.ts'
import { api } from '../../api/client.ts'
import type { Driver, Task } from '../../api/data.ts'
import { itemProblem, problemText } from '../../api/problem.ts'
import { useTell } from '../../ui/toast.tsx'
import { type Say, useSay } from '../../words/console.ts'
import { showAhead } from './ahead.ts'
import { onDay, useDispatch } from './dispatch.tsx'
import { useMayUnassign } from './may-unassign.ts'
import { newUndoId, useUndo } from './undo.ts'

type Receiver = Pick<Driver, 'id' | 'name'> | null

interface How {
  /** Where in the route of the day that is shown; if not given, at its end without a plan. */
  placing?: Placing | undefined
  /** If it is only a part of something: what that is undone by. */
  undoId?: string
}

/**
 * Assigns tasks to a driver, or unassigns them with `null`: at once on the screen, then on the server, with undo. Drag,
 * menu and keyboard all end here. Returns the tasks that did not change.
 */
export function useAssign() {
  const client = useQueryClient()
  const tell = useTell()
  const say = useSay()
  const undo = useUndo()
  const { planDay } = useDispatch()
  const mayUnassign = useMayUnassign()

  return useCallback(
    async (tasks: Task[], driver: Receiver, how: How = {}): Promise<Task[]> => {
      // What has its driver already can still be put somewhere else in the route.
      const moving = how.placing ? tasks : tasks.filter(({ userId }) => userId !== (driver?.id ?? null))
      if (moving.length === 0) return []
      const undoId = how.undoId ?? newUndoId()
      const { done, failed, why } = await give(client, moving, driver, { ...how, planDay, undoId }, say)
      if (why) tell(why, { bad: true })
      if (done.length > 0) {
        const n = done.length
        // Tasks that had no driver could not be given back.
        const canUndo = mayUnassign || done.some(({ userId }) => userId !== null)
        tell(driver ? say('assigned', { n, driver: driver.name }) : say('unassigned', { n }), {
          ...(canUndo && { undo: () => void undo(undoId) }),
        })
      }
      return failed
    },
    [client, tell, say, undo, planDay, mayUnassign],
  )
}

type Sent = How & { planDay: string | undefined; undoId: string }

interface Given {
  done: Task[]
  failed: Task[]
  /** Why some failed, in one sentence. */
  why: string | undefined
}

/** Shows the change, sends it, and takes back what the server refused. */
async function give(client: QueryClient, tasks: Task[], driver: Receiver, how: Sent, say: Say): Promise<Given> {
  const receiving = tasks.filter((task) => !isEnded(task) && task.userId !== (driver?.id ?? null))
  const putBack = showAhead(client, receiving, () => changeTo(driver))
  const done: Task[] = []
  let refusal: Refusal | undefined
  let error: unknown
  try {
    // The API takes 1,000 at a time.
    for (let from = 0; from < tasks.length; from += 1000) {
      const sent = await send(tasks.slice(from, from + 1000), driver, how)
      done.push(...sent.done)
      refusal ??= sent.refusal
    }
  } catch (thrown) {
    error = thrown
  }
  const isDone = new Set(done)
  const failed = tasks.filter((task) => !isDone.has(task))
  putBack(failed)
  // After a refusal the screen is out of date. Without an answer, fetching again would fail too.
  if (refusal) void client.invalidateQueries({ queryKey: ['tasks'] })
  const n = failed.length
  if (error) return { done, failed, why: say('someRefused', { n, reason: problemText(error, say) }) }
  return { done, failed, why: n > 0 ? say('someRefused', { n, reason: itemProblem(refusal, say) }) : undefined }
}

type Refusal = { code: string; message: string }

async function send(
  tasks: Task[],
  driver: Receiver,
  { placing, planDay, undoId }: Sent,
): Promise<{ done: Task[]; refusal: Refusal | undefined }> {
  if (driver) {
    const body = { tasks: tasks.map(({ id }) => id), undoId, ...(placing && { position: placing, ...onDay(planDay) }) }
    const { results } = await api.assignTasksById({ params: { driverId: driver.id }, body })
    const done = new Set(results.filter(({ success }) => success).map(({ id }) => id))
    return { done: tasks.filter(({ id }) => done.has(id)), refusal: results.find(({ success }) => !success)?.error }
  }
  const { results } = await api.bulkUnassignTasks({ body: { tasks: tasks.map(({ awb }) => awb), undoId } })
  const done = new Set(results.filter(({ success }) => success).map(({ awb }) => awb))
  return { done: tasks.filter(({ awb }) => done.has(awb)), refusal: results.find(({ success }) => !success)?.error }
}

function changeTo(driver: Receiver): Partial<Task> {
  const user = driver && { ...driver, avatar: null, email: null, phone: '', inShift: true, status: 1 }
  return { userId: driver?.id ?? null, user, statusId: driver ? Assigned : Unassigned, route: null, etaAt: null }
}
