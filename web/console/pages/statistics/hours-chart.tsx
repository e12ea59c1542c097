import { tableLook } from '../../../ui/page.tsx'
import { useSay } from '../../../words/console.ts'
import type { DayCount } from './day-statistics.ts'

type Hours = DayCount['hours']
const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** Ended tasks by hour, as a chart and, for screen readers and exact numbers, as a table. */
export function HoursChart({ hours }: { hours: Hours }) {
  const say = useSay()
  if (hours.length === 0) return <p className="px-4 py-6 text-ink-soft">{say('nothingHere')}</p>
  return (
    <div className="px-4 py-3">
      <Bars hours={hours} />
      <details className="mt-2">
        <summary className="cursor-pointer text-ink-soft">{say('asTable')}</summary>
        <table className={`${tableLook.table} numbers mt-2 max-w-md`}>
          <caption className="sr-only">{say('perHour')}</caption>
          <thead>
            <tr>
              <th className={tableLook.head}>{say('hour')}</th>
              <th className={`${tableLook.head} !text-right`}>{say('status9')}</th>
              <th className={`${tableLook.head} !text-right`}>{say('status10')}</th>
            </tr>
          </thead>
          <tbody>
            {hours.map(({ hour, succeeded, failed }) => (
              <tr key={hour} className={tableLook.row}>
                <th scope="row" className={`${tableLook.cell} font-normal`}>
                  {clock(hour)}
                </th>
                <td className={`${tableLook.cell} text-right`}>{succeeded}</td>
                <td className={`${tableLook.cell} text-right`}>{failed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  )
}

/** One bar per hour, failures on top of successes. Plain elements, which follow theme, language and print styles. */
function Bars({ hours }: { hours: Hours }) {
  const say = useSay()
  const most = Math.max(...hours.map(({ succeeded, failed }) => succeeded + failed))
  const share = (count: number) => ({ height: `${(100 * count) / most}%` })
  return (
    <>
      <ul aria-hidden className="flex gap-4 pb-1 text-ink-soft text-xs">
        <li className="flex items-center gap-1.5">
          <span className="size-2.5 rounded-sm bg-good" />
          {say('status9')}
        </li>
        <li className="flex items-center gap-1.5">
          <span className="size-2.5 rounded-sm border-2 border-bad" />
          {say('status10')}
        </li>
      </ul>
      <div role="img" aria-label={say('perHourPicture')} className="numbers flex text-ink-faint text-xs">
        {hours.map(({ hour, succeeded, failed }) => (
          <div key={hour} className="min-w-0 flex-1">
            <div className="flex h-40 flex-col items-center justify-end border-line border-b pt-5">
              {succeeded + failed > 0 && <span className="-mt-5 h-5">{succeeded + failed}</span>}
              {failed > 0 && <div className="w-3/5 max-w-12 border-2 border-bad bg-bad-soft" style={share(failed)} />}
              <div className="w-3/5 max-w-12 bg-good" style={share(succeeded)} />
            </div>
            <div className="truncate pt-1 text-center">{clock(hour)}</div>
          </div>
        ))}
      </div>
    </>
  )
}
