import { useEffect, useRef, useState } from 'react'
import { api } from '../../../api/client.ts'
import type { CheckedRow } from './check.ts'
import { isToAsk, type Known, type KnownRows, readResult, updateOf } from './existing.ts'

const askAtOnce = 250
/** After the last key: people type faster than that. */
const typedMs = 400

/**
 * What the server knows of the AWBs of these rows. Asked when they are first shown, and again for a row that was edited,
 * some at a time, so that ten thousand rows neither wait for each other nor hold anything up for long.
 */
export function useExisting(checked: readonly CheckedRow[]) {
  const [known, setKnown] = useState<KnownRows>(new Map())
  const [hasFailed, setFailed] = useState(false)
  const isAsking = useRef(false)
  useEffect(() => {
    const toAsk: CheckedRow[] = []
    for (const one of checked) {
      if (isToAsk(one, known)) toAsk.push(one)
      if (toAsk.length === askAtOnce) break
    }
    if (toAsk.length === 0 || hasFailed || isAsking.current) return
    const ask = async () => {
      isAsking.current = true
      try {
        const tasks = toAsk.map(({ input }) => updateOf(input))
        const { results } = await api.bulkUpdateTasks({ body: { tasks, dryRun: true } })
        const answers = toAsk.flatMap((one, index): [number, Known][] => {
          const result = results[index]
          return result ? [[one.row.number, { input: one.input, said: readResult(result, one.input) }]] : []
        })
        setKnown((before) => new Map([...before, ...answers]))
      } catch {
        setFailed(true)
      } finally {
        isAsking.current = false
      }
    }
    const timer = setTimeout(() => void ask(), toAsk.length < askAtOnce && known.size > 0 ? typedMs : 0)
    return () => clearTimeout(timer)
  }, [checked, known, hasFailed])
  return { known, hasFailed, askAgain: () => setFailed(false) }
}
