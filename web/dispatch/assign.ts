import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { Assigned, InTransit, Unassigned } from '../../core/task-status.ts'
import { api } from '../api/client.ts'
import type { Driver, Task } from '../api/data.ts'
import { itemProblem, problemText } from '../api/problem.ts'
import { useTell } from '../ui/toast.tsx'
import { type Say, useSay } from '../words/words.ts'

type ItemResult = { success: boolean; error?: { code: string; message: string } }

/**
 * Gives tasks to a driver, or takes them back with `null`: at once on the screen, then on the server, with a way back.
 * Drag, menu and keyboard all end here.
 */
export function useAssign() {
  const client = useQueryClient()
  const tell = useTell()
  const say = useSay()

  return useCallback(
    async (tasks: Task[], driver: Pick<Driver, 'id' | 'name'> | null) => {
      const moving = tasks.filter(({ userId }) => userId !== (driver?.id ?? null))
      if (moving.length === 0) return
      showDriver(client, moving, driver)
      try {
        const refused = await send(moving, driver?.id ?? null)
        const done = moving.length - refused.length
        const undo = () => void giveBack(client, moving, tell, say)
        if (refused.length > 0) {
          const reason = itemProblem(refused[0]?.error, say)
          tell(say('someRefused', { n: refused.length, reason }), { bad: true })
        }
        if (done > 0)
          tell(driver ? say('assigned', { n: done, driver: driver.name }) : say('unassigned', { n: done }), { undo })
        if (refused.length > 0) await client.invalidateQueries({ queryKey: ['tasks'] })
      } catch (error) {
        tell(problemText(error, say), { bad: true })
        await client.invalidateQueries({ queryKey: ['tasks'] })
      }
    },
    [client, tell, say],
  )
}

/** The refused items; the rest was done. A thousand at a time, which is what the API takes. */
async function send(tasks: Task[], driverId: number | null): Promise<ItemResult[]> {
  const refused: ItemResult[] = []
  for (let from = 0; from < tasks.length; from += 1000) {
    const some = tasks.slice(from, from + 1000)
    const { results } =
      driverId === null
        ? await api.bulkUnassignTasks({ body: { tasks: some.map(({ awb }) => awb) } })
        : await api.assignTasksById({ params: { driverId }, body: { tasks: some.map(({ id }) => id) } })
    refused.push(...(results as ItemResult[]).filter(({ success }) => !success))
  }
  return refused
}

/** Puts each task back to the driver it had. */
async function giveBack(client: QueryClient, tasks: Task[], tell: ReturnType<typeof useTell>, say: Say) {
  const groups = Map.groupBy(tasks, ({ userId }) => userId)
  try {
    let refused: ItemResult[] = []
    for (const [driverId, group] of groups) refused = refused.concat(await send(group, driverId))
    if (refused[0])
      tell(say('someRefused', { n: refused.length, reason: itemProblem(refused[0].error, say) }), { bad: true })
    else tell(say('undone'))
  } catch (error) {
    tell(problemText(error, say), { bad: true })
  }
  await client.invalidateQueries({ queryKey: ['tasks'] })
}

/** What the screen shows until the event with the stored task arrives. */
function showDriver(client: QueryClient, tasks: Task[], driver: Pick<Driver, 'id' | 'name'> | null) {
  const moving = new Set(tasks.map(({ id }) => id))
  client.setQueriesData<Task[]>({ queryKey: ['tasks'] }, (all) =>
    all?.map((task) => {
      const isOpen = [Unassigned, Assigned, InTransit].includes(task.statusId as 1)
      if (!moving.has(task.id) || !isOpen) return task
      const user = driver && { ...driver, avatar: null, email: null, phone: '', inShift: true, status: 1 }
      return { ...task, userId: driver?.id ?? null, user, statusId: driver ? Assigned : Unassigned, route: null }
    }),
  )
}
