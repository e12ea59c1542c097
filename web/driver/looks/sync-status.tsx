import { ChevronRight, CloudAlert, CloudCheck, CloudOff, CloudUpload } from 'lucide-react'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/driver.ts'
import { useDay, useDriverFormats, useNow } from './day.ts'
import { screens } from './screen.ts'
import { tellTruth, waitingIn } from './truth.ts'

/** In a bar it lies under the title, which belongs to what can be tapped. */
const tallLine = 'relative -mt-7 -mb-1.5 pt-7 pb-1.5 text-small'

const looks = { good: 'text-good', plain: 'text-ink-soft', waiting: 'text-waiting', bad: 'text-bad' } as const

/** Whether everything the driver did has reached the server. The truth, in one line, always in the same place. */
export function SyncStatus({ inBar }: { inBar?: boolean }) {
  const say = useSay()
  const state = useDay()
  const formats = useDriverFormats()
  const now = useNow()
  const { count, oldest } = waitingIn(state)
  const ageMs = oldest ? now + state.day.aheadMs - Date.parse(oldest) : 0
  const unread = state.refused.filter(({ isRead }) => !isRead)
  const { isReachable, isUnreadable } = state
  const { tone, parts } = tellTruth({
    waiting: count,
    ageMs,
    isReachable,
    isUnreadable,
    notAccepted: unread.filter(({ decision }) => !decision).length,
    decided: unread.filter(({ decision }) => decision).length,
  })
  const Icon = tone === 'bad' ? CloudAlert : isReachable === false ? CloudOff : count > 0 ? CloudUpload : CloudCheck
  const time = formats.duration(Math.floor(ageMs / 60_000) * 60)
  const text = parts.map(({ word, n = 0 }) => say(word, { n, time }))
  return (
    <a
      href={screens.waiting}
      className={join('flex items-center gap-2 font-semibold', looks[tone], inBar ? tallLine : 'min-h-12 px-4 py-2')}
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
