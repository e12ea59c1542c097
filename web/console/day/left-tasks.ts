import { useQuery } from '@tanstack/react-query'
import { mostItems } from '../../../contract/limits.ts'
import type { LeftReason } from '../../../contract/planning.ts'
import { awaitsDriver } from '../../../core/delegation.ts'
import { api } from '../../api/client.ts'
import { keysOf, type Task, useSetting } from '../../api/data.ts'
import { useMay } from '../../api/session.ts'

type Reasons = ReadonlyMap<number, LeftReason>
const none: Reasons = new Map()

async function load(): Promise<Reasons> {
  const reasons = new Map<number, LeftReason>()
  let cursor: string | undefined
  do {
    const page = await api.listLeftTasks({ query: { limit: mostItems, ...(cursor && { cursor }) } })
    for (const { taskId, reason } of page.left) reasons.set(taskId, reason)
    cursor = page.nextCursor
  } while (cursor)
  return reasons
}

/** Why automatic assignment leaves a task without a driver, if it does. Every row asks, and all share one answer. */
export function useLeftReason(task: Task): LeftReason | undefined {
  const isOn = useSetting('enableAutoAssignMode') === true
  const may = useMay()('tasks:read')
  const { data = none } = useQuery({
    queryKey: keysOf.leftTasks,
    queryFn: load,
    staleTime: 60_000,
    enabled: isOn && may,
  })
  return isOn && awaitsDriver(task) ? data.get(task.id) : undefined
}
