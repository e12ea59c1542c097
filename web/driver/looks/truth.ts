import type { State } from '../../../phone/state.ts'
import type { Word } from '../../words/driver.ts'

/** From then on it is worth a look. */
const oldMs = 5 * 60_000

/** How much has not been sent, and since when. What was only seen is not work. */
export function waitingIn({ ops, unsentFiles }: Pick<State, 'ops' | 'unsentFiles'>) {
  const times = [
    ...ops.filter(({ op }) => op.type !== 'seen').map(({ op }) => op.occurredAt),
    ...unsentFiles.map(({ takenAt }) => takenAt),
  ].sort()
  return { count: times.length, oldest: times[0] }
}

interface Facts {
  waiting: number
  /** Of what has waited longest. */
  ageMs: number
  /** What the server did not accept and what the office decided, as long as the driver has not read it. */
  notAccepted: number
  decided: number
  isReachable: boolean | undefined
  isUnreadable: boolean
}

interface Truth {
  tone: 'good' | 'plain' | 'waiting' | 'bad'
  parts: { word: Word; n?: number }[]
}

/** Green only if nothing says otherwise: whatever could contradict "all sent" stands here. */
export function tellTruth({ waiting, ageMs, notAccepted, decided, isReachable, isUnreadable }: Facts): Truth {
  const isOffline = isReachable === false
  const isAllSent = waiting === 0 && notAccepted === 0 && !isUnreadable
  const parts: (Truth['parts'][number] | false)[] = [
    isUnreadable && { word: 'memoryUnreadable' },
    notAccepted > 0 && { word: 'someNotAccepted', n: notAccepted },
    waiting > 0 && { word: 'thingsWait', n: waiting },
    waiting > 0 && { word: ageMs < 60_000 ? 'oldestNew' : 'oldestIs' },
    isAllSent && { word: 'allSent' },
    decided > 0 && { word: 'officeDecided', n: decided },
    isOffline && { word: 'noConnection' },
  ]
  return {
    tone:
      notAccepted > 0 || isUnreadable
        ? 'bad'
        : waiting > 0 && ageMs >= oldMs
          ? 'waiting'
          : isAllSent && decided === 0 && !isOffline
            ? 'good'
            : 'plain',
    parts: parts.filter((part) => part !== false),
  }
}
