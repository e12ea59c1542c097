import { TriangleAlert } from 'lucide-react'
import { expectedAt, lateSeconds } from '../../../core/arrival.ts'
import type { ShownTask } from '../../../phone/state.ts'
import { join } from '../../ui/class-names.ts'
import { useSay, type Word } from '../../words/driver.ts'
import { useDriverFormats, useNow } from '../looks/day.ts'
import { Tag } from '../looks/parts.tsx'

export const StopNumber = ({ children }: { children: number }) => (
  <span className="numbers grid size-[2em] shrink-0 place-items-center rounded-full bg-given font-bold text-surface">
    {children}
  </span>
)

export const NewTag = () => <Tag className="bg-given-soft text-given">{useSay()('newMark')}</Tag>

export function Late({ seconds }: { seconds: number }) {
  const say = useSay()
  const formats = useDriverFormats()
  return (
    <Tag className="bg-bad-soft text-bad">
      <TriangleAlert aria-hidden className="size-4" />
      {say('minutesLate', { time: formats.duration(seconds) })}
    </Tag>
  )
}

/** Window, arrival and money, always in this order. */
export function StopFacts({ task, left = task.leftToBePaid ?? 0 }: { task: ShownTask; left?: number }) {
  const say = useSay()
  const formats = useDriverFormats()
  const now = useNow()
  const arrival = expectedAt(task)
  const window = formats.window(task.completeAfter, task.completeBefore)
  const late = lateSeconds(task, now)
  const facts = [
    ...(window ? [['windowShort', window]] : []),
    ...(task.arrivalTime
      ? [['arrivedAt', formats.time(task.arrivalTime)]]
      : arrival
        ? [['arrivalShort', formats.time(arrival)]]
        : []),
    ...(left > 0 ? [['collectShort', formats.money(left)]] : []),
  ] as [Word, string][]
  if (facts.length === 0) return null
  return (
    <div className="mt-2.5 overflow-hidden border-line border-y py-2">
      {/* Where a line begins, the divider is outside the box. */}
      <dl className="-ml-[calc(var(--spacing)*2.5+1px)] flex flex-wrap gap-y-1.5">
        {facts.map(([word, value]) => (
          <div key={word} className="border-line border-l px-2.5">
            <dt className="text-small text-ink-soft">{say(word)}</dt>
            <dd
              className={join(
                'numbers whitespace-nowrap font-bold text-title max-[380px]:text-large',
                word === 'collectShort' && 'text-waiting',
              )}
            >
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {late > 0 && <Late seconds={late} />}
    </div>
  )
}
