import { useState } from 'react'
import { WaybillError } from '../../api/client.ts'
import type { Task } from '../../api/data.ts'
import { problemText } from '../../api/problem.ts'
import { useTell } from '../../ui/toast.tsx'
import { useSay, type Word } from '../../words/words.ts'

const lanes = 6

/**
 * Does something to every task that the API does one at a time, a few at once, and tells how it went. What was refused
 * is told with the first reason; a lost connection or an ended session stops the rest.
 */
export function useInTurn(done: Word) {
  const tell = useTell()
  const say = useSay()
  const [finished, setFinished] = useState<number>()

  const run = async (tasks: Task[], act: (task: Task) => Promise<unknown>) => {
    const refusals: string[] = []
    const waiting = tasks.values()
    let worked = 0
    let stopped = false
    setFinished(0)
    const lane = async () => {
      for (const task of waiting) {
        if (stopped) return
        try {
          await act(task)
          worked += 1
        } catch (error) {
          refusals.push(problemText(error, say))
          stopped ||= !(error instanceof WaybillError) || error.status === 0 || error.status === 401
        }
        setFinished(worked + refusals.length)
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    setFinished(undefined)
    if (refusals[0]) tell(say('someRefused', { n: refusals.length, reason: refusals[0] }), { bad: true })
    if (worked > 0) tell(say(done, { n: worked }))
  }
  return { run, finished }
}
