import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Task } from '../../api/data.ts'

/**
 * Changes by this person that have not come back as an event yet. They are laid over the tasks and never written into
 * them: removing one shows the last state from the server again, and a newer `updatedAt` of the task ends it.
 */
interface Ahead {
  updatedAt: string
  change: Partial<Task>
}
type AllAhead = ReadonlyMap<number, readonly Ahead[]>

const key = ['ahead']
const nothing: AllAhead = new Map()
const read = (client: QueryClient) => client.getQueryData<AllAhead>(key) ?? nothing

/** Shows a change of tasks at once. Returns how to take it back, for tasks the server refuses. */
export function showAhead(client: QueryClient, tasks: readonly Task[], changeOf: (task: Task) => Partial<Task>) {
  const mine = new Map(tasks.map((task) => [task.id, { updatedAt: task.updatedAt, change: changeOf(task) }]))
  const all = new Map(read(client))
  for (const [id, ahead] of mine) {
    const earlier = all.get(id)?.filter(({ updatedAt }) => updatedAt === ahead.updatedAt) ?? []
    all.set(id, [...earlier, ahead])
  }
  client.setQueryData<AllAhead>(key, all)

  return (failed: readonly Task[]) => {
    const all = new Map(read(client))
    for (const { id } of failed) {
      const others = all.get(id)?.filter((ahead) => ahead !== mine.get(id)) ?? []
      all.set(id, others)
    }
    client.setQueryData<AllAhead>(key, all)
  }
}

export function layOver(tasks: Task[], all: AllAhead): Task[] {
  if (all.size === 0) return tasks
  return tasks.map((task) => {
    const changes = all.get(task.id)?.filter(({ updatedAt }) => updatedAt === task.updatedAt) ?? []
    return changes.length === 0 ? task : Object.assign({}, task, ...changes.map(({ change }) => change))
  })
}

/** The tasks with this person's own changes, until the server has newer data. */
export function useWithAhead(tasks: Task[]): Task[] {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => read(client),
    initialData: nothing,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(() => layOver(tasks, data), [tasks, data])
}
