import type { TaskFigures } from '../../../../contract/report.ts'
import { useFormats } from '../../../api/time.ts'
import { tableLook } from '../../../ui/page.tsx'
import { useSay } from '../record-words.ts'
import { firstTryOf, onTimeOf, openOf, type takenIn } from './figure-columns.ts'

const right = `${tableLook.cell} !py-1.5 whitespace-nowrap text-right`
const rightHead = `${tableLook.head} !text-right`

/** How each day or month went, with a bar as long as what ended in it. */
export function DaysChart({
  name,
  head,
  days,
  taken,
}: {
  name: string
  head: string
  days: (TaskFigures & { key: string; label: string })[]
  taken: ReturnType<typeof takenIn>
}) {
  const say = useSay()
  const { number, money } = useFormats()
  const most = Math.max(1, ...days.map(({ succeeded, failed }) => succeeded + failed))
  const share = (count: number) => ({ width: `${(100 * count) / most}%` })
  return (
    <div className="overflow-x-auto shades-across">
      <table className={`${tableLook.table} numbers`}>
        <caption className="sr-only">{name}</caption>
        <thead>
          <tr>
            <th className={tableLook.head}>{head}</th>
            <td className={`${tableLook.head} w-1/3 min-w-24`} />
            <th className={rightHead}>{say('status9')}</th>
            <th className={rightHead}>{say('status10')}</th>
            <th className={rightHead}>{say('openTasks')}</th>
            <th className={rightHead}>{say('onTimeShare')}</th>
            <th className={rightHead}>{say('firstTryShare')}</th>
            <th className={rightHead}>{say('collected')}</th>
            {taken.map(([part, word]) => (
              <th key={part} className={rightHead}>
                {say(word)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((one) => (
            <tr key={one.key} className={tableLook.row}>
              <th scope="row" className={`${tableLook.cell} !py-1.5 whitespace-nowrap font-medium`}>
                {one.label}
              </th>
              <td aria-hidden className={`${tableLook.cell} !py-1.5`}>
                <div className="flex h-2.5">
                  <div className="bg-good" style={share(one.succeeded)} />
                  {one.failed > 0 && <div className="border-2 border-bad bg-bad-soft" style={share(one.failed)} />}
                </div>
              </td>
              <td className={right}>{number(one.succeeded)}</td>
              <td className={one.failed > 0 ? `${right} text-bad` : right}>{number(one.failed)}</td>
              <td className={right}>{number(openOf(one))}</td>
              <td className={right}>{onTimeOf(one)}</td>
              <td className={right}>{firstTryOf(one)}</td>
              <td className={right}>{money(one.collected)}</td>
              {taken.map(([part]) => (
                <td key={part} className={right}>
                  {money(one[part])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
