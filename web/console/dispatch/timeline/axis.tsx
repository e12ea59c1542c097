import { useFormats } from '../../../api/time.ts'
import { useSay } from '../../../words/console.ts'
import type { Scale } from './scale.ts'

const hourMs = 3_600_000

/** The hours of the day above the lanes; as many as are readable. */
export function Axis({ scale, now, tail }: { scale: Scale; now: number | undefined; tail: number }) {
  const say = useSay()
  const { time } = useFormats()
  const step = scale.hourPx >= 44 ? (scale.hourPx >= 180 ? 0.5 : 1) : 2
  const marks: number[] = []
  for (let moment = scale.start; moment < scale.end; moment += step * hourMs) marks.push(moment)
  const isUnderNow = (moment: number) => now !== undefined && Math.abs(scale.x(moment) + 20 - scale.x(now)) < 40
  return (
    <div className="sticky top-0 z-20 flex h-7 border-line border-b bg-page text-ink-faint text-xs">
      <div className="sticky left-0 z-10 flex w-(--lane-head) shrink-0 items-center border-line border-r bg-page pl-3">
        {say('drivers')}
      </div>
      <div aria-hidden style={{ width: scale.width }} className="numbers relative shrink-0 overflow-hidden">
        {marks.map((moment) => (
          <span
            key={moment}
            style={{ left: scale.x(moment) }}
            className="absolute inset-y-0 flex items-center border-line border-l pl-1"
          >
            {!isUnderNow(moment) && time(moment)}
          </span>
        ))}
        {now !== undefined && (
          <span
            style={{ left: Math.min(Math.max(scale.x(now), 22), scale.width - 22) }}
            className="absolute top-1 -translate-x-1/2 rounded bg-brand px-1 py-px font-semibold text-on-brand"
          >
            {time(now)}
          </span>
        )}
      </div>
      {tail > 0 && (
        <div
          style={{ width: tail }}
          className="right-0 z-10 flex shrink-0 items-center border-line border-l bg-page pl-2 @2xl:sticky"
        >
          {say('notPlanned')}
        </div>
      )}
    </div>
  )
}
