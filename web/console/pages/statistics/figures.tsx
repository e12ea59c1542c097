import type { ReactNode } from 'react'
import type { TaskFigures } from '../../../../contract/report.ts'
import { sumAmounts } from '../../../../core/money.ts'
import { shareOnTime } from '../../../../core/punctuality.ts'
import { Assigned, Failed, InTransit, type StatusId, Succeeded, Unassigned } from '../../../../core/task-status.ts'
import { useFormats } from '../../../api/time.ts'
import { StatusIcon, statusLooks } from '../../../tasks/status.tsx'
import { statusOrder } from '../../../tasks/status-order.ts'
import { useSay } from '../record-words.ts'
import { takenIn, takenParts } from './figure-columns.ts'

/** The days at a glance. */
export function Figures({ report }: { report: TaskFigures }) {
  const say = useSay()
  const formats = useFormats()
  const { tasks: all, windows: judged, windowsMet: onTime, meanLateSeconds, ratings, averageRating } = report
  const late = judged - onTime
  const taken = sumAmounts(takenParts.map(([part]) => report[part]))
  const counts: Record<StatusId, number> = {
    [Unassigned]: report.unassigned,
    [Assigned]: report.assigned,
    [InTransit]: report.inTransit,
    [Succeeded]: report.succeeded,
    [Failed]: report.failed,
  }
  return (
    <section aria-label={say('figures')} className="grid gap-4">
      <dl className="numbers grid grid-cols-2 gap-4 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
        <Figure term={say('tasksOfDay')} value={formats.number(all)}>
          {say('laneProgress', { done: report.succeeded + report.failed, all })}
        </Figure>
        <Figure term={say('onTimeShare')} value={shareOnTime({ judged, onTime })}>
          {judged === 0 ? say('nothingJudged') : say('onTimeOf', { n: onTime, of: judged })}
        </Figure>
        <Figure term={say('averageLateness')} value={late === 0 ? '–' : formats.duration(meanLateSeconds ?? 0)}>
          {judged === 0
            ? say('nothingJudged')
            : late === 0
              ? say('nobodyWasLate')
              : say('averageLatenessOf', { n: late })}
        </Figure>
        <Figure term={say('collected')} value={formats.money(report.collected)}>
          {say('moneyLeft', { open: formats.money(report.toCollect), unpaid: formats.money(report.unpaid) })}
        </Figure>
        {taken > 0 && (
          <Figure term={say('takenByDrivers')} value={formats.money(taken)}>
            {takenIn(report)
              .map(([part, word]) => `${say(word)}: ${formats.money(report[part])}`)
              .join(' · ')}
          </Figure>
        )}
        {averageRating !== null && (
          <Figure term={say('averageRating')} value={say('ofFiveStars', { average: formats.decimal(averageRating) })}>
            {say('averageRatingOf', { n: ratings })}
          </Figure>
        )}
      </dl>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-2">
        {statusOrder.map((status) => (
          <li key={status} className="flex items-center gap-2 rounded-lg border border-line bg-surface px-3 py-2">
            <StatusIcon statusId={status} />
            <span className="grow text-ink-soft">{say(statusLooks[status].word)}</span>
            <span className="numbers font-semibold" data-status={status}>
              {formats.number(counts[status])}
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
