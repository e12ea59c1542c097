import type { TaskFigures, TaskReport } from '../../../../contract/report.ts'
import { shareOnTime } from '../../../../core/punctuality.ts'
import { useFormats } from '../../../api/time.ts'
import { tableLook } from '../../../ui/page.tsx'
import { useSay } from '../record-words.ts'

const right = `${tableLook.cell} !py-1.5 text-right`
const rightHead = `${tableLook.head} !text-right`

const openOf = ({ unassigned, assigned, inTransit }: TaskFigures) => unassigned + assigned + inTransit
const shareOf = ({ windows, windowsMet }: TaskFigures) => shareOnTime({ judged: windows, onTime: windowsMet })

/** What each driver did, and all of them together. */
export function DriversTable({ drivers, all }: { drivers: TaskReport['drivers']; all: TaskFigures }) {
  const say = useSay()
  const { money, distance, number } = useFormats()
  return (
    <div className="overflow-x-auto shades-across">
      <table className={`${tableLook.table} numbers`}>
        <caption className="sr-only">{say('perDriver')}</caption>
        <thead>
          <tr>
            <th className={tableLook.head}>{say('driverName')}</th>
            <th className={rightHead}>{say('status9')}</th>
            <th className={rightHead}>{say('status10')}</th>
            <th className={rightHead}>{say('openTasks')}</th>
            <th className={rightHead}>{say('onTimeShare')}</th>
            <th className={rightHead}>{say('distancePlanned')}</th>
            <th className={rightHead}>{say('collected')}</th>
            <th className={rightHead}>{say('doneUnpaid')}</th>
          </tr>
        </thead>
        <tbody>
          {drivers.map((driver) => (
            <tr key={driver.driverId ?? 0} className={tableLook.row}>
              <th scope="row" className={`${tableLook.cell} !py-1.5 font-medium`}>
                {driver.driverId === null ? <span className="text-ink-soft">{say('statNoDriver')}</span> : driver.name}
              </th>
              <td className={right}>{number(driver.succeeded)}</td>
              <td className={driver.failed > 0 ? `${right} text-bad` : right}>{number(driver.failed)}</td>
              <td className={right}>{number(openOf(driver))}</td>
              <td className={right}>{shareOf(driver)}</td>
              <td className={right}>{driver.distanceMetres > 0 ? distance(driver.distanceMetres) : '–'}</td>
              <td className={right}>{money(driver.collected)}</td>
              <td className={right}>{money(driver.unpaid)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-line border-t-2 font-semibold">
            <th scope="row" className={`${tableLook.cell} !py-1.5`}>
              {say('total')}
            </th>
            <td className={right}>{number(all.succeeded)}</td>
            <td className={right}>{number(all.failed)}</td>
            <td className={right}>{number(openOf(all))}</td>
            <td className={right}>{shareOf(all)}</td>
            <td className={right}>{distance(all.distanceMetres)}</td>
            <td className={right}>{money(all.collected)}</td>
            <td className={right}>{money(all.unpaid)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
