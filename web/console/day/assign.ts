import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { Assigned, isEnded, Unassigned } from '../../../core/task-status.ts'
import { api } from '../../api/client.ts'
import type { Driver, Task } from '../../api/data.ts'
import { itemProblem, problemText } from '../../api/problem.ts'
import { useTell } from '../../ui/toast.tsx'
import { type Say, useSay } from '../../words/console.ts'
import { showAhead } from './ahead.ts'

type Receiver = Pick<Driver, 'id' | 'name'> | null

/**
 * Assigns tasks to a driver, or unassigns them with `null`: at once on the screen, then on the server, with undo. Drag,
 * menu and keyboard all end here. Returns the tasks that did not change.
 */
export function useAssign() {
  const client = useQueryClient()
  const tell = useTell()
  const say = useSay()

  return useCallback(
    async (tasks: Task[], driver: Receiver): Promise<Task[]> => {
      const moving = tasks.filter(({ userId }) => userId !== (driver?.id ?? null))
      if (moving.length === 0) return []
      const { done, failed, why } = await give(client, moving, driver, say)
      if (why) tell(why, { bad: true })
      if (done.length > 0) {
        const n = done.length
        const undo = async () => {
          const results = []
          for (const group of Map.groupBy(done, ({ userId }) => userId).values())
            results.push(await give(client, group, receiverOf(group[0]), say))
          const wrong = results.find(({ why }) => why)?.why
          tell(wrong ?? say('undone'), { bad: wrong !== undefined })
        }
        tell(driver ? say('assigned', { n, driver: driver.name }) : say('unassigned', { n }), {
          undo: () => void undo(),
        })
      }
      return failed
    },
    [client, tell, say],
  )
}

const receiverOf = (task: Task | undefined): Receiver => task?.user ?? null

interface Given {
  done: Task[]
  failed: Task[]
  /** Why some failed, in one sentence. */
  why: string | undefined
}

/** Shows the change, sends it, and takes back what the server refused. */
async function give(client: QueryClient, tasks: Task[], driver: Receiver, say: Say): Promise<Given> {
  const open = tasks.filter((task) => !isEnded(task))
  const putBack = showAhead(client, open, () => changeTo(driver))
  const done: Task[] = []
  let refusal: Refusal | undefined
  let error: unknown
  try {
    // The API takes 1,000 at a time.
    for (let from = 0; from < tasks.length; from += 1000) {
      const sent = await send(tasks.slice(from, from + 1000), driver)
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

async function send(tasks: Task[], driver: Receiver): Promise<{ done: Task[]; refusal: Refusal | undefined }> {
  if (driver) {
    const body = { tasks: tasks.map(({ id }) => id) }
    const { results } = await api.assignTasksById({ params: { driverId: driver.id }, body })
    const done = new Set(results.filter(({ success }) => success).map(({ id }) => id))
    return { done: tasks.filter(({ id }) => done.has(id)), refusal: results.find(({ success }) => !success)?.error }
  }
  const { results } = await api.bulkUnassignTasks({ body: { tasks: tasks.map(({ awb }) => awb) } })
  const done = new Set(results.filter(({ success }) => success).map(({ awb }) => awb))
  return { done: tasks.filter(({ awb }) => done.has(awb)), refusal: results.find(({ success }) => !success)?.error }
}

function changeTo(driver: Receiver): Partial<Task> {
  const user = driver && { ...driver, avatar: null, email: null, phone: '', inShift: true, status: 1 }
  return { userId: driver?.id ?? null, user, statusId: driver ? Assigned : Unassigned, route: null, etaAt: null }
}
