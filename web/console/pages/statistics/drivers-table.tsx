import { shareOnTime } from '../../../../core/punctuality.ts'
import { useFormats } from '../../../api/time.ts'
import { tableLook } from '../../../ui/page.tsx'
import { useSay } from '../../../words/console.ts'
import type { DriverDay } from './day-statistics.ts'

const right = `${tableLook.cell} !py-1.5 text-right`
const rightHead = `${tableLook.head} !text-right`

export function DriversTable({ drivers }: { drivers: DriverDay[] }) {
  const say = useSay()
  const { money, distance } = useFormats()
  const sum = (field: 'succeeded' | 'failed' | 'open' | 'judged' | 'onTime' | 'distanceMetres') =>
    drivers.reduce((total, driver) => total + driver[field], 0)
  const sumOf = (what: 'collected' | 'unpaid') => drivers.reduce((total, driver) => total + driver.money[what], 0)
  return (
    <div className="overflow-x-auto">
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
              <td className={right}>{driver.succeeded}</td>
              <td className={driver.failed > 0 ? `${right} text-bad` : right}>{driver.failed}</td>
              <td className={right}>{driver.open}</td>
              <td className={right}>{shareOnTime(driver)}</td>
              <td className={right}>{driver.distanceMetres > 0 ? distance(driver.distanceMetres) : '–'}</td>
              <td className={right}>{money(driver.money.collected)}</td>
              <td className={right}>{money(driver.money.unpaid)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-line border-t-2 font-semibold">
            <th scope="row" className={`${tableLook.cell} !py-1.5`}>
              {say('total')}
            </th>
            <td className={right}>{sum('succeeded')}</td>
            <td className={right}>{sum('failed')}</td>
            <td className={right}>{sum('open')}</td>
            <td className={right}>{shareOnTime({ judged: sum('judged'), onTime: sum('onTime') })}</td>
            <td className={right}>{distance(sum('distanceMetres'))}</td>
            <td className={right}>{money(sumOf('collected'))}</td>
            <td className={right}>{money(sumOf('unpaid'))}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
