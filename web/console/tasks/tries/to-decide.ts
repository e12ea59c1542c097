import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { keyOfToDecide, type Task, useCompany } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'

/** Nobody decides about more in one sitting, and the top bar asks for as many: the rest is fetched when these are done. */
export const mostToDecide = 100

export interface ToDecide {
  tasks: Task[]
  /** Whether there are more than these. */
  isMore: boolean
}

/** Failed tasks of any day about which somebody has to decide, the newest first. Other settings make it another list. */
export function useToDecide<Data = ToDecide>(select?: (found: ToDecide) => Data) {
  const settings = useCompany().data?.settings
  return useQuery({
    queryKey: [...keyOfToDecide, settings?.mostAttempts, settings?.afterLastAttempt],
    queryFn: async (): Promise<ToDecide> => {
      const query = { toDecide: true, order: 'newest', limit: mostToDecide } as const
      const { tasks, nextCursor } = await api.listTasks({ query })
      return { tasks, isMore: nextCursor !== undefined }
    },
    staleTime: 60_000,
    ...(select && { select }),
    enabled: useMay()('tasks:read') && settings !== undefined,
  })
}
