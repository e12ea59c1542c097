import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { mostItems } from '../../../../contract/limits.ts'
import type { Answer } from '../../../../contract/operations.ts'
import type { Task } from '../../../api/data.ts'
import { itemProblem, problemText } from '../../../api/problem.ts'
import { useSay } from '../../../words/console.ts'

type Result = Answer<'bulkDelegateTasks'>['results'][number]

/** A task that stayed where it is, and why. */
export interface Refused {
  task: Task
  why: string
}

/**
 * Gives tasks to a partner, or back, as many at a time as the API takes. What the server refuses is kept, with its reason; if
 * the connection is lost, that is the reason for all that is left.
 */
export function useHandOver(send: (ids: number[]) => Promise<{ results: Result[] }>) {
  const client = useQueryClient()
  const say = useSay()
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused[]>([])

  const run = async (tasks: readonly Task[]) => {
    setBusy(true)
    const left = new Map(tasks.map((task) => [task.id, task]))
    const why = new Map<number, string>()
    try {
      for (let from = 0; from < tasks.length; from += mostItems) {
        const { results } = await send(tasks.slice(from, from + mostItems).map(({ id }) => id))
        for (const { id, success, error } of results)
          if (success) left.delete(id)
          else why.set(id, itemProblem(error, say))
      }
    } catch (error) {
      for (const id of left.keys()) if (!why.has(id)) why.set(id, problemText(error, say))
    }
    for (const { id } of tasks) void client.invalidateQueries({ queryKey: ['task', id] })
    // What was refused is not as the page shows it.
    if (why.size > 0) void client.invalidateQueries({ queryKey: ['tasks'] })
    const stayed = [...left.values()].map((task) => ({ task, why: why.get(task.id) ?? '' }))
    setRefused(stayed)
    setBusy(false)
    return { done: tasks.filter(({ id }) => !left.has(id)), stayed }
  }
  return { run, isBusy, refused }
}
