import { useState } from 'react'
import { WaybillError } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import { problemText } from '../../../api/problem.ts'
import { useTell } from '../../../ui/toast.tsx'
import { useSay, type Word } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { doFewAtOnce } from './few-at-once.ts'

/**
 * Calls an operation that takes one task for every task, a few at once, and shows the result. Refusals are shown with
 * the first reason; a lost connection or an ended session stops the rest. Tasks that were not done stay selected.
 */
export function useInTurn(done: Word) {
  const { selection } = useDispatch()
  const tell = useTell()
  const say = useSay()
  const [finished, setFinished] = useState<number>()

  const run = async (tasks: Task[], act: (task: Task) => Promise<unknown>) => {
    setFinished(0)
    const { left, why } = await doFewAtOnce(tasks, {
      act,
      isHopeless: (error) => !(error instanceof WaybillError) || error.status === 0 || error.status === 401,
      onProgress: setFinished,
    })
    setFinished(undefined)
    const worked = tasks.length - left.length
    if (why) tell(say('someRefused', { n: left.length, reason: problemText(why, say) }), { bad: true })
    if (worked > 0) tell(say(done, { n: worked }))
    selection.set(left.map(({ id }) => id))
  }
  return { run, finished }
}
