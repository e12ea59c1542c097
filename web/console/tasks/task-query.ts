import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { api, WaybillError } from '../../api/client.ts'
import type { Task } from '../../api/data.ts'

/** A task with its timeline. Every event about it fetches it again. */
export const taskQuery = (taskId: number) =>
  queryOptions({
    queryKey: ['task', taskId],
    queryFn: async () => (await api.getTask({ params: { taskId } })).task,
    staleTime: 10_000,
  })

export const useTask = (taskId: number): UseQueryResult<Task> => useQuery(taskQuery(taskId))

/** The task does not exist, or no longer. */
export const isGone = (error: unknown) => error instanceof WaybillError && error.status === 404
