import { mostItems } from '../../contract/limits.ts'
import { api } from '../api/client.ts'
import type { Task } from '../api/data.ts'
import { mergeTasks } from './merge.ts'

export type Changed = Map<number, Task | undefined>

/** What was heard while lists are being loaded: their pages may be older than that. */
const heard = new Set<Changed>()

/** The tasks of a day. Events keep them up to date, so they are fetched once; but what belongs to a day depends on which is today. */
export const tasksOf = (day: string, today: string, timeZone: string) => ({
  queryKey: ['tasks', day, today] as const,
  queryFn: () => loadTasks(day, timeZone),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Every task of a day, page by page, with what changed meanwhile. */
async function loadTasks(day: string, timeZone: string): Promise<Task[]> {
  const meanwhile: Changed = new Map()
  heard.add(meanwhile)
  try {
    const loaded: Task[] = []
    let cursor: string | undefined
    do {
      const page = await api.listTasks({ query: { day, limit: mostItems, ...(cursor && { cursor }) } })
      loaded.push(...page.tasks)
      cursor = page.nextCursor
    } while (cursor)
    return mergeTasks(loaded, meanwhile, day, timeZone)
  } finally {
    heard.delete(meanwhile)
  }
}

/** Adds what was just heard to the lists that are being loaded. */
export function tellLoading(changed: Changed) {
  for (const meanwhile of heard) for (const [id, task] of changed) meanwhile.set(id, task)
}
