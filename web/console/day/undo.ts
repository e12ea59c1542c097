import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from '../../api/client.ts'
import { itemProblem, problemText } from '../../api/problem.ts'
import { useTell } from '../../ui/toast.tsx'
import { useSay } from '../../words/console.ts'

const mostNamed = 5

/** A random UUID. `crypto.randomUUID` exists only over https. */
export function newUndoId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Undoes what was done with this id, as far as nobody else has changed it since, and says what is not as it was. */
export function useUndo() {
  const client = useQueryClient()
  const tell = useTell()
  const say = useSay()
  return useCallback(
    async (undoId: string) => {
      try {
        const { results } = await api.undoChanges({ body: { undoId } })
        const refused = results.filter(({ success }) => !success)
        const reason = itemProblem(refused[0]?.error, say)
        const toStart = results.filter(({ notRestored }) => notRestored)
        const texts = [
          refused.length === 0 && say('undone'),
          refused.length > 0 &&
            (refused.length < results.length
              ? say('undoneExcept', { n: refused.length, awbs: nameAwbs(refused), reason })
              : say('someRefused', { n: refused.length, reason })),
          toStart.length > 0 && say('startAgain', { n: toStart.length, awbs: nameAwbs(toStart) }),
        ]
        tell(texts.filter(Boolean).join(' · '), { bad: refused.length > 0 })
      } catch (error) {
        tell(problemText(error, say), { bad: true })
      }
      await Promise.all(
        [['tasks'], ['task'], ['driver-tasks']].map((queryKey) => client.invalidateQueries({ queryKey })),
      )
    },
    [client, tell, say],
  )
}

export const nameAwbs = (tasks: readonly { awb: string }[]) =>
  tasks
    .slice(0, mostNamed)
    .map(({ awb }) => awb)
    .join(', ') + (tasks.length > mostNamed ? ' …' : '')
