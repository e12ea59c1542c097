import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { mostItems } from '../../../contract/limits.ts'
import type { OpenConflict } from '../../../contract/sync.ts'
import { api } from '../../api/client.ts'
import { keysOf } from '../../api/data.ts'
import { useMay } from '../../api/session.ts'
import { groupConflicts } from './group.ts'

const atOnce = 100

/** Conflicts page by page. The server says when there is a new one, or one was settled; `live` then fetches them again. */
export const useConflicts = (settled: boolean) =>
  useInfiniteQuery({
    queryKey: [...keysOf.conflicts, settled ? 'settled' : 'open'],
    queryFn: ({ pageParam }) =>
      api.listConflicts({ query: { settled, limit: atOnce, ...(pageParam && { cursor: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 60_000,
  })

const settlingKey = ['settling']
const none: ReadonlySet<number> = new Set()
const read = (client: QueryClient) => client.getQueryData<ReadonlySet<number>>(settlingKey) ?? none

/** Hides conflicts that this person has decided. Returns the way back. */
export function hideConflicts(client: QueryClient, ids: readonly number[]) {
  client.setQueryData(settlingKey, new Set([...read(client), ...ids]))
  return () => client.setQueryData(settlingKey, new Set([...read(client)].filter((id) => !ids.includes(id))))
}

function useSettling(): ReadonlySet<number> {
  const client = useQueryClient()
  return useQuery({
    queryKey: settlingKey,
    queryFn: () => read(client),
    initialData: none,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  }).data
}

/** What still waits for a decision, with everything that helps to decide. */
export function useOpenConflicts() {
  const query = useConflicts(false)
  const settling = useSettling()
  const groups = useMemo(() => {
    const all = query.data?.pages.flatMap(({ conflicts }) => conflicts) ?? []
    return groupConflicts(all.filter(({ id }) => !settling.has(id)))
  }, [query.data, settling])
  return { query, groups }
}

/** All of them, like the tasks they mark: a mark that stops at the first hundred would say that the others are fine. */
async function loadMarks(): Promise<OpenConflict[]> {
  const loaded: OpenConflict[] = []
  let cursor: string | undefined
  do {
    const page = await api.listOpenConflicts({ query: { limit: mostItems, ...(cursor && { cursor }) } })
    loaded.push(...page.conflicts)
    cursor = page.nextCursor
  } while (cursor)
  return loaded
}

type Marks = ReadonlyMap<number, readonly OpenConflict[]>
const noMarks: Marks = new Map()

/** Every row asks for the same, so the last answer is kept. */
let last: { all: readonly OpenConflict[]; settling: ReadonlySet<number>; marks: Marks } | undefined
function marksOf(all: readonly OpenConflict[], settling: ReadonlySet<number>): Marks {
  if (last?.all === all && last.settling === settling) return last.marks
  const open = all.filter(({ id }) => !settling.has(id))
  last = { all, settling, marks: Map.groupBy(open, ({ taskId }) => taskId) }
  return last.marks
}

/** The tasks of which something waits for a decision, with whose work it is. The same map while they are the same. */
export function useTasksInConflict(): Marks {
  const { data } = useQuery({
    queryKey: [...keysOf.conflicts, 'marks'],
    queryFn: loadMarks,
    staleTime: 60_000,
    enabled: useMay()('tasks:read'),
  })
  const settling = useSettling()
  return data ? marksOf(data, settling) : noMarks
}
