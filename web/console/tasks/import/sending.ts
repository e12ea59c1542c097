import { useRef, useState } from 'react'
import { type KeptImport, keepSet, whileSending } from './kept.ts'
import { type Interrupted, sendSets } from './send.ts'
import { countRows, countSent, type SendSet } from './sets.ts'

/** What is sent and what was answered, while it goes on and afterwards. */
export function useSending() {
  const [sets, setSets] = useState<readonly SendSet[]>([])
  const [leftOut, setLeftOut] = useState<KeptImport['leftOut']>([])
  const [interrupted, setInterrupted] = useState<Interrupted>()
  const [isWaiting, setWaiting] = useState(false)
  const [isStopping, setStopping] = useState(false)
  const stop = useRef(false)

  /** What is sent from now on, and what is not, with the reason. */
  const begin = (out: KeptImport['leftOut'], all: readonly SendSet[]) => {
    stop.current = false
    setStopping(false)
    setInterrupted(undefined)
    setLeftOut(out)
    setSets(all)
  }
  /** Sends what is not answered yet. What is kept comes first: a set that was sent must be known after a crash. */
  const send = async (id: string, all: readonly SendSet[]) => {
    let current = all
    const why = await whileSending(id, () =>
      sendSets(all, {
        onSet: (set) => {
          current = current.map((one) => (one.number === set.number ? set : one))
          if (set.outcomes) setSets(current)
          return keepSet(id, set)
        },
        onWaiting: setWaiting,
        isStopped: () => stop.current,
      }),
    )
    setWaiting(false)
    setSets(current)
    setInterrupted(why)
    return { why, sets: current }
  }
  const halt = () => {
    stop.current = true
    setStopping(true)
  }
  const clear = () => {
    setSets([])
    setLeftOut([])
  }
  const rest = countRows(sets) - countSent(sets)
  return { sets, leftOut, interrupted, isWaiting, isStopping, rest, begin, send, halt, clear }
}
