import { TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import { join } from '../../ui/class-names.ts'
import { useSay, type Word } from '../../words/words.ts'
import { useDriverFormats, useNow } from '../looks/day.ts'
import { Tag } from '../looks/parts.tsx'
import type { ShownTask } from '../outbox/state.ts'
import { arrivalOf, lateMs } from './stops.ts'

export const StopNumber = ({ children }: { children: number }) => (
  <span className="numbers grid size-8 shrink-0 place-items-center rounded-full bg-given font-bold text-surface">
    {children}
  </span>
)

export const NewTag = () => <Tag className="bg-given-soft text-given">{useSay()('newMark')}</Tag>

export function Late({ ms }: { ms: number }) {
  const say = useSay()
  const formats = useDriverFormats()
  return (
    <Tag className="bg-bad-soft text-bad">
      <TriangleAlert aria-hidden className="size-4" />
      {say('minutesLate', { time: formats.duration(ms / 1000) })}
    </Tag>
  )
}

/** Window, arrival and money, always in this order. */
export function StopFacts({ task }: { task: ShownTask }) {
  const say = useSay()
  const formats = useDriverFormats()
  const now = useNow()
  const arrival = arrivalOf(task)
  const window = formats.window(task.completeAfter, task.completeBefore)
  const late = lateMs(task, now)
  const facts = [
    late > 0
      ? ['windowShort', <Late key="late" ms={late} />]
      : ['windowShort', window === '' ? say('noWindow') : window],
    ...(task.arrivalTime
      ? [['arrivedAt', formats.time(task.arrivalTime)]]
      : arrival
        ? [['arrivalShort', formats.time(arrival)]]
        : []),
    ...(task.leftToBePaid ? [['collectShort', formats.money(task.leftToBePaid)]] : []),
  ] as [Word, string | ReactElement][]
  return (
    <dl className="mt-2.5 flex border-line border-y py-2">
      {facts.map(([word, value]) => (
        <div key={word} className="border-line pr-2.5 not-first:border-l not-first:pl-2.5">
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
  )
}
