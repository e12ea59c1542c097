import type { ReactNode } from 'react'
import { shareOnTime } from '../../../../core/punctuality.ts'
import { useFormats } from '../../../api/time.ts'
import { StatusIcon, statusLooks } from '../../../tasks/status.tsx'
import { statusOrder } from '../../../tasks/status-order.ts'
import { useSay } from '../../../words/console.ts'
import type { DayCount } from './day-statistics.ts'

/** The day at a glance. */
export function Figures({ counted: { all, byStatus, punctuality, money, rating } }: { counted: DayCount }) {
  const say = useSay()
  const formats = useFormats()
  const { judged, onTime, lateSeconds } = punctuality
  const late = judged - onTime
  return (
    <section aria-label={say('figures')} className="grid gap-4">
      <dl className="numbers grid grid-cols-2 gap-4 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
        <Figure term={say('tasksOfDay')} value={formats.number(all)}>
          {say('laneProgress', { done: byStatus[9] + byStatus[10], all })}
        </Figure>
        <Figure term={say('onTimeShare')} value={shareOnTime(punctuality)}>
          {judged === 0 ? say('nothingJudged') : say('onTimeOf', { n: onTime, of: judged })}
        </Figure>
        <Figure term={say('averageLateness')} value={late === 0 ? '–' : formats.duration(lateSeconds)}>
          {late === 0 ? say('nobodyWasLate') : say('averageLatenessOf', { n: late })}
        </Figure>
        <Figure term={say('collected')} value={formats.money(money.collected)}>
          {say('moneyLeft', { open: formats.money(money.toCollect), unpaid: formats.money(money.unpaid) })}
        </Figure>
        {rating.count > 0 && (
          <Figure term={say('averageRating')} value={say('ofFiveStars', { average: formats.decimal(rating.average) })}>
            {say('averageRatingOf', { n: rating.count })}
          </Figure>
        )}
      </dl>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-2">
        {statusOrder.map((status) => (
          <li key={status} className="flex items-center gap-2 rounded-lg border border-line bg-surface px-3 py-2">
            <StatusIcon statusId={status} />
            <span className="grow text-ink-soft">{say(statusLooks[status].word)}</span>
            <span className="numbers font-semibold" data-status={status}>
              {formats.number(byStatus[status])}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Figure = ({ term, value, children }: { term: string; value: string; children: ReactNode }) => (
  <div className="rounded-xl border border-line bg-surface px-4 py-3">
    <dt className="text-ink-faint">{term}</dt>
    <dd className="font-semibold text-lg leading-tight [overflow-wrap:anywhere] sm:text-2xl">{value}</dd>
    <dd className="text-ink-soft text-xs">{children}</dd>
  </div>
)
