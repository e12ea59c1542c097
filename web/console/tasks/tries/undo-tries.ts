import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { WaybillError } from '../../../../sdk/calls.ts'
import { api } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import { problemText } from '../../../api/problem.ts'
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
      // Somebody else has deleted it already.
      if (error instanceof WaybillError && error.status === 404) return 'gone'
      if (!(error instanceof WaybillError && error.status === 409)) throw error
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
      let problem = ''
      try {
        for (const made of all) {
          if ((await deleteIfUntouched(made)) === 'touched') touched.push(made)
          left = left.filter((one) => one !== made)
        }
      } catch (error) {
        problem = problemText(error, say)
      }
      const n = all.length - left.length - touched.length
      const sentences = [
        n > 0 && say('triesUndone', { n }),
        touched.length > 0 && say('triesStay', { n: touched.length, awbs: nameAwbs(touched) }),
        problem,
        left.length > 0 && say('triesLeft', { n: left.length, awbs: nameAwbs(left) }),
      ]
      tell(sentences.filter(Boolean).join(' · '), { bad: n < all.length })
      for (const word of ['tasks', 'task', 'driver-tasks']) void client.invalidateQueries({ queryKey: [word] })
    },
    [client, tell, say],
  )
}
