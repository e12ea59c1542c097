import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { isPassing, problemText } from '../../api/problem.ts'
import { useTell } from '../../ui/toast.tsx'
import { useSpeech } from '../../words/console.ts'

/** A random UUID. `crypto.randomUUID` exists only over https. */
export const newUndoId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** How to undo what was done with an id. What it takes is loaded when somebody does. */
export function useUndo() {
  const client = useQueryClient()
  const tell = useTell()
  const { language, say } = useSpeech()
  return useCallback(
    function undo(undoId: string): Promise<void> {
      // Who could not undo because the server did not answer wants to as soon as it does.
      const tellFailure = (error: unknown) =>
        tell(problemText(error, say), { bad: true, ...(isPassing(error) && { undo: () => void undo(undoId) }) })
      return import('./undo-now.ts')
        .then(({ undoNow }) => undoNow(undoId, { client, tell, language, say }))
        .catch(tellFailure)
    },
    [client, tell, language, say],
  )
}
