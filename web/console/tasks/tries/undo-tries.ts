import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { WaybillError } from '../../../../sdk/calls.ts'
import { api } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import { isPassing, problemText } from '../../../api/problem.ts'
import { useTell } from '../../../ui/toast.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { nameAwbs } from '../../day/name-awbs.ts'
import { isUntouched } from './untouched.ts'

type Outcome = 'gone' | 'touched'

/** A task is looked at so often, because the service changes it too, as when its address is found. */
const mostLooks = 5

async function deleteIfUntouched(made: Task): Promise<Outcome> {
  for (let looks = 0; looks < mostLooks; looks += 1) {
    try {
      const { task } = await api.getTask({ params: { taskId: made.id } })
      if (!isUntouched(made, task)) return 'touched'
      // What happens after this look is refused there, and looked at again.
      await api.deleteTask({ params: { awb: task.awb }, query: { updatedAt: task.updatedAt } })
      return 'gone'
    } catch (error) {
      if (!(error instanceof WaybillError) || isPassing(error) || error.code === 'RATE_LIMITED') throw error
      // Somebody else has deleted it already.
      if (error.status === 404) return 'gone'
      // The driver has just set off with it, for example.
      if (error.code !== 'TOO_LATE') return 'touched'
    }
  }
  return 'touched'
}

/** Takes back next tries and returns: the new tasks are deleted, except those with which something happened. */
export function useUndoTries() {
  const client = useQueryClient()
  const tell = useTell()
  const say = useLaterSay('tries')
  return useCallback(
    async (all: readonly Task[]) => {
      const touched: Task[] = []
      let left = [...all]
      try {
        for (const made of all) {
          if ((await deleteIfUntouched(made)) === 'touched') touched.push(made)
          left = left.filter((one) => one !== made)
        }
      } catch (error) {
        touched.push(...left)
        tell(problemText(error, say), { bad: true })
      }
      const n = all.length - touched.length
      const sentences = [
        n > 0 && say('triesUndone', { n }),
        touched.length > 0 && say('triesStay', { n: touched.length, awbs: nameAwbs(touched) }),
      ]
      tell(sentences.filter(Boolean).join(' · '), { bad: touched.length > 0 })
      for (const word of ['tasks', 'task', 'driver-tasks']) void client.invalidateQueries({ queryKey: [word] })
    },
    [client, tell, say],
  )
}
