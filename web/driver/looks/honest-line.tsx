import { ChevronRight, CloudCheck, CloudOff, CloudUpload } from 'lucide-react'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/words.ts'
import type { State } from '../outbox/state.ts'
import { useDay, useDriverFormats, useNow } from './day.ts'
import { screens } from './screen.ts'

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

/** In a bar it lies under the title, which belongs to what can be tapped. */
const tallLine = 'relative -mt-7 -mb-1.5 pt-7 pb-1.5 text-small'

/** Whether everything the driver did has reached the server. The truth, in one line, always in the same place. */
export function HonestLine({ inBar }: { inBar?: boolean }) {
  const say = useSay()
  const state = useDay()
  const formats = useDriverFormats()
  const now = useNow()
  const { count, oldest } = waitingIn(state)
  const ageMs = oldest ? now + state.day.aheadMs - Date.parse(oldest) : 0
  const isOld = ageMs >= oldMs
  const Icon = count === 0 ? CloudCheck : state.isReachable === false ? CloudOff : CloudUpload
  const look = count === 0 ? 'text-good' : isOld ? 'text-waiting' : 'text-ink-soft'
  const age = ageMs < 60_000 ? say('oldestNew') : formats.duration(Math.floor(ageMs / 60_000) * 60)
  const text =
    count === 0
      ? [say('allSent')]
      : [say('thingsWait', { n: count }), ageMs < 60_000 ? age : say('oldestIs', { time: age })]
  return (
    <a
      href={screens.waiting}
      className={join('flex items-center gap-2 font-semibold', look, inBar ? tallLine : 'min-h-12 px-4 py-2')}
    >
      <Icon aria-hidden className="size-5 shrink-0" />
      <span role="status" className="min-w-0 flex-1">
        {text.map((part, at) => (
          <span key={part} className="inline-block">
            {at > 0 && <span>&nbsp;·&nbsp;</span>}
            {part}
          </span>
        ))}
      </span>
      {!inBar && <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-soft" />}
    </a>
  )
}
