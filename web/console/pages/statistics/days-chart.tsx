import type { TaskReport } from '../../../../contract/report.ts'
import { shareOnTime } from '../../../../core/punctuality.ts'
import { useFormats } from '../../../api/time.ts'
import { tableLook } from '../../../ui/page.tsx'
import { useSay } from '../record-words.ts'

const right = `${tableLook.cell} !py-1.5 whitespace-nowrap text-right`
const rightHead = `${tableLook.head} !text-right`

/** How each day went, with a bar as long as what ended on it. */
export function DaysChart({ days }: { days: TaskReport['days'] }) {
  const say = useSay()
  const { number, money, dayInWords } = useFormats()
  const most = Math.max(1, ...days.map(({ succeeded, failed }) => succeeded + failed))
  const share = (count: number) => ({ width: `${(100 * count) / most}%` })
  return (
    <div className="overflow-x-auto shades-across">
      <table className={`${tableLook.table} numbers`}>
        <caption className="sr-only">{say('perDay')}</caption>
        <thead>
          <tr>
            <th className={tableLook.head}>{say('day')}</th>
            <td className={`${tableLook.head} w-1/3 min-w-24`} />
            <th className={rightHead}>{say('status9')}</th>
            <th className={rightHead}>{say('status10')}</th>
            <th className={rightHead}>{say('openTasks')}</th>
            <th className={rightHead}>{say('onTimeShare')}</th>
            <th className={rightHead}>{say('collected')}</th>
          </tr>
        </thead>
        <tbody>
          {days.map((one) => (
            <tr key={one.day} className={tableLook.row}>
              <th scope="row" className={`${tableLook.cell} !py-1.5 whitespace-nowrap font-medium`}>
                {dayInWords(one.day, true)}
              </th>
              <td aria-hidden className={`${tableLook.cell} !py-1.5`}>
                <div className="flex h-2.5">
                  <div className="bg-good" style={share(one.succeeded)} />
                  {one.failed > 0 && <div className="border-2 border-bad bg-bad-soft" style={share(one.failed)} />}
                </div>
              </td>
              <td className={right}>{number(one.succeeded)}</td>
              <td className={one.failed > 0 ? `${right} text-bad` : right}>{number(one.failed)}</td>
              <td className={right}>{number(one.unassigned + one.assigned + one.inTransit)}</td>
              <td className={right}>{shareOnTime({ judged: one.windows, onTime: one.windowsMet })}</td>
              <td className={right}>{money(one.collected)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
