import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../api/client.ts'
import { keysOf } from '../../api/data.ts'
import { useMay } from '../../api/session.ts'
import { groupConflicts } from './group.ts'

const atOnce = 100

/** Conflicts page by page. The server says when there is a new one, or one was settled; `live` then fetches them again. */
export const useConflicts = (settled: boolean, enabled = true) =>
  useInfiniteQuery({
    queryKey: [...keysOf.conflicts, settled ? 'settled' : 'open'],
    queryFn: ({ pageParam }) =>
      api.listConflicts({ query: { settled, limit: atOnce, ...(pageParam && { cursor: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 60_000,
    enabled,
  })

const settlingKey = ['settling']
const none: ReadonlySet<number> = new Set()
const read = (client: QueryClient) => client.getQueryData<ReadonlySet<number>>(settlingKey) ?? none

/** Hides conflicts that this person has decided. Returns the way back. */
export function hideConflicts(client: QueryClient, ids: readonly number[]) {
  client.setQueryData(settlingKey, new Set([...read(client), ...ids]))
  return () => client.setQueryData(settlingKey, new Set([...read(client)].filter((id) => !ids.includes(id))))
}

/** What still waits for a decision. */
export function useOpenConflicts(enabled = true) {
  const client = useQueryClient()
  const query = useConflicts(false, enabled)
  const { data: settling } = useQuery({
    queryKey: settlingKey,
    queryFn: () => read(client),
    initialData: none,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const groups = useMemo(() => {
    const all = query.data?.pages.flatMap(({ conflicts }) => conflicts) ?? []
    return groupConflicts(all.filter(({ id }) => !settling.has(id)))
  }, [query.data, settling])
  return { query, groups }
}

/** The tasks of which something waits for a decision, as far as it is known. The same set while they are the same. */
export function useTasksInConflict(): ReadonlySet<number> {
  const may = useMay()('tasks:read')
  const { groups } = useOpenConflicts(may)
  const written = JSON.stringify([...new Set(groups.map(({ conflicts: [{ taskId }] }) => taskId))])
  return useMemo(() => new Set(JSON.parse(written) as number[]), [written])
}
