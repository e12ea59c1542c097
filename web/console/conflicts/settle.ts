import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api, isPageLeaving, WaybillError } from '../../api/client.ts'
import { keysOf } from '../../api/data.ts'
import { problemText } from '../../api/problem.ts'
import { useTell } from '../../ui/toast.tsx'
import { type Say, useSay } from '../../words/console.ts'
import { appliedOf, type ConflictGroup } from './group.ts'
import { hideConflicts } from './open-conflicts.ts'

/**
 * Settles what a driver did on one task. What is applied cannot be taken back, so it is sent only when the notice with
 * its undo goes away; until then the conflict is hidden here, and open for everyone else.
 */
export function useSettle() {
  const client = useQueryClient()
  const tell = useTell()
  const say = useSay()
  return useCallback(
    (group: ConflictGroup, apply: boolean) => {
      const { awb, user } = group.conflicts[0]
      const show = hideConflicts(
        client,
        group.conflicts.map(({ id }) => id),
      )
      const send = async () => {
        const problem = await settle(client, group, apply, say)
        if (problem) tell(problem, { bad: true })
        await client.invalidateQueries({ queryKey: keysOf.conflicts })
        show()
      }
      tell(say(apply ? 'willApply' : 'willKeep', { awb, driver: user.name }), {
        undo: () => {
          show()
          tell(say('settleUndone', { awb }))
        },
        whenGone: () => void send(),
      })
    },
    [client, tell, say],
  )
}

/** One after the other, as they were done. Returns what went wrong, in a sentence. */
async function settle(client: QueryClient, group: ConflictGroup, apply: boolean, say: Say) {
  const applied = new Set(apply ? appliedOf(group) : [])
  for (const conflict of group.conflicts) {
    const { id, awb } = conflict
    try {
      const sent = api.settleConflict({ params: { conflictId: id }, body: { apply: applied.has(conflict) } })
      // A page that closes cannot wait, or show anything.
      if (isPageLeaving()) sent.catch(() => {})
      else await sent
    } catch (error) {
      const isSettled = error instanceof WaybillError && error.code === 'CONFLICT_SETTLED'
      if (isSettled) return (await settledFirst(client, id, say)) ?? problemText(error, say)
      return say('notSettled', { awb, reason: problemText(error, say) })
    }
  }
  return undefined
}

/** Who was faster, and what they decided. */
async function settledFirst(client: QueryClient, id: number, say: Say): Promise<string | undefined> {
  const { conflicts } = await client
    .fetchQuery({
      queryKey: [...keysOf.conflicts, 'settled lately'],
      queryFn: () => api.listConflicts({ query: { settled: true, limit: 100 } }),
      staleTime: 0,
    })
    .catch(() => ({ conflicts: [] }))
  const found = conflicts.find((conflict) => conflict.id === id)
  if (!found) return undefined
  const word = found.applied ? 'settledFirstApplied' : 'settledFirstKept'
  return say(word, { awb: found.awb, name: found.settledBy ?? '' })
}
