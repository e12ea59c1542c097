import type { Interrupted } from './send.ts'
import { countRows, countSent, type SendSet } from './sets.ts'
import { useSay } from './words.ts'

const interruptedWords = { networkDown: 'importInterrupted', signedOut: 'importSignedOut' } as const

interface Props {
  sets: readonly SendSet[]
  isWaiting: boolean
  interrupted: Interrupted | undefined
}

/** How far it is, and why it does not go on. */
export function SendingStep({ sets, isWaiting, interrupted }: Props) {
  const say = useSay()
  return (
    <div className="grid gap-2 py-8">
      <Progress done={countSent(sets)} all={countRows(sets)} />
      {isWaiting && (
        <p role="status" className="text-center text-waiting">
          {say('importWaiting')}
        </p>
      )}
      {interrupted && interrupted !== 'stopped' && (
        <p role="alert" className="rounded-md bg-waiting-soft px-3 py-2 text-waiting">
          {say(interruptedWords[interrupted])}
        </p>
      )}
    </div>
  )
}

function Progress({ done, all }: { done: number; all: number }) {
  const say = useSay()
  const text = say('importing', { done, n: all })
  return (
    <>
      <progress value={done} max={all} aria-label={text} className="h-2 w-full" />
      <p className="numbers text-center text-ink-soft">{text}</p>
    </>
  )
}
