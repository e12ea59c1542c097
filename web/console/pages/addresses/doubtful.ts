import { type QueryClient, useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { keyOfDoubtful, type Task } from '../../../api/data.ts'
import { replaceTasks } from '../../../live/merge.ts'

/** Of what the addresses are: a day, a driver's route, or everything that is open. */
export interface Scope {
  day?: string
  driver?: number
}

/** From an address that somebody may have edited. */
export function readScope(search: Record<string, unknown>): Scope {
  const day = /^\d{4}-\d\d-\d\d$/.test(String(search['day'])) ? String(search['day']) : undefined
  const driver = Number(search['driver'])
  return { ...(day && { day }), ...(Number.isSafeInteger(driver) && driver > 0 && { driver }) }
}

/** Nobody goes through more in one sitting, and whole tasks are long: the rest is fetched when these are done. */
const most = 1_000
const atOnce = 250
/** That an address was not found at all is no event. */
const lookEveryMs = 30_000

export interface Doubtful {
  tasks: Task[]
  /** Whether there are more than these. */
  isMore: boolean
}

/** Open tasks whose address is to be checked. Events keep them up to date (`live`), also with what needs no check any more. */
export const useDoubtful = (scope: Scope) =>
  useQuery({
    queryKey: [...keyOfDoubtful, scope],
    queryFn: () => load(scope),
    refetchInterval: lookEveryMs,
    gcTime: 0,
  })

async function load({ day, driver }: Scope): Promise<Doubtful> {
  const tasks: Task[] = []
  let cursor: string | undefined
  do {
    const scope = { doubtful: true, limit: atOnce, ...(day && { day }), ...(driver && { userId: driver }) }
    const page = await api.listTasks({ query: { ...scope, ...(cursor && { cursor }) } })
    tasks.push(...page.tasks)
    cursor = page.nextCursor
  } while (cursor && tasks.length < most)
  return { tasks, isMore: cursor !== undefined }
}

/** What was just written need not wait for its event. */
export function showWritten(client: QueryClient, task: Task) {
  const changed = new Map([[task.id, task]])
  client.setQueriesData<Doubtful>(
    { queryKey: keyOfDoubtful },
    (found) => found && { ...found, tasks: replaceTasks(found.tasks, changed) },
  )
}
