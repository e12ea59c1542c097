import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from '../../../api/client.ts'
import { keyOfToDecide, type Task } from '../../../api/data.ts'
import { problemText } from '../../../api/problem.ts'
import { useTell } from '../../../ui/toast.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { nameAwbs } from '../../day/name-awbs.ts'

/** Has tasks that were left as they are wait for a decision again. */
export function useUndoLeaving() {
  const client = useQueryClient()
  const tell = useTell()
  const say = useLaterSay('tries')
  return useCallback(
    async (left: readonly Task[]) => {
      try {
        const { results } = await api.bulkCloseTasks({ body: { tasks: left.map(({ awb }) => awb), closed: false } })
        const stayed = left.filter((_, index) => !results[index]?.success)
        const n = left.length - stayed.length
        const sentences = [
          n > 0 && say('leavingUndone', { n }),
          stayed.length > 0 && `${say('notTried', { n: stayed.length })}: ${nameAwbs(stayed)}`,
        ]
        tell(sentences.filter(Boolean).join(' · '), { bad: stayed.length > 0 })
      } catch (error) {
        tell(problemText(error, say), { bad: true })
      }
      for (const { id } of left) void client.invalidateQueries({ queryKey: ['task', id] })
      for (const key of [['tasks'], keyOfToDecide]) void client.invalidateQueries({ queryKey: key })
    },
    [client, tell, say],
  )
}
