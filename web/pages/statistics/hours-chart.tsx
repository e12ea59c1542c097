import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '../../app/theme.tsx'
import { tableLook } from '../../ui/page.tsx'
import { useSay } from '../../words/words.ts'
import type { DayCount } from './day-statistics.ts'

type Hours = DayCount['hours']
const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`
const height = 180

/** What ended in each hour, drawn and, for those who cannot see it or want the numbers, as a table. */
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

function Bars({ hours }: { hours: Hours }) {
  const say = useSay()
  const { shown } = useTheme()
  const place = useRef<HTMLDivElement>(null)
  const [good, bad] = [say('status9'), say('status10')]
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shown` decides what the names of the colours stand for
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const chart = new uPlot(optionsFor(element, hours, good, bad), seriesOf(hours), element)
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
  }, [hours, shown, good, bad])
  return (
    <>
      <ul aria-hidden className="flex gap-4 pb-1 text-ink-soft text-xs">
        <li className="flex items-center gap-1.5">
          <span className="size-2.5 rounded-sm bg-good" />
          {good}
        </li>
        <li className="flex items-center gap-1.5">
          <span className="size-2.5 rounded-sm border-2 border-bad" />
          {bad}
        </li>
      </ul>
      <div ref={place} role="img" aria-label={say('perHourPicture')} style={{ height }} />
    </>
  )
}

/** Failures are stacked on successes: the first series is the sum of both, and the second is drawn over it. */
const seriesOf = (hours: Hours): uPlot.AlignedData => [
  hours.map(({ hour }) => hour),
  hours.map(({ succeeded, failed }) => succeeded + failed),
  hours.map(({ succeeded }) => succeeded),
]

function optionsFor(element: HTMLElement, hours: Hours, good: string, bad: string): uPlot.Options {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const bars = uPlot.paths.bars?.({ size: [0.6, 48], radius: 0.1 })
  const axis: uPlot.Axis = {
    stroke: colour('--ink-faint'),
    font: `11px ${style.fontFamily}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  }
  const most = Math.max(...hours.map(({ succeeded, failed }) => succeeded + failed))
  const [first = 0, last = 0] = [hours[0]?.hour, hours.at(-1)?.hour]
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [first - 0.7, last + 0.7] },
      y: { range: [0, Math.max(4, Math.ceil(most * 1.1))] },
    },
    axes: [
      { ...axis, size: 28, grid: { show: false }, incrs: [1, 2, 3, 4, 6], values: (_, marks) => marks.map(clock) },
      { ...axis, size: 32, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] },
    ],
    series: [
      {},
      {
        label: bad,
        stroke: colour('--bad'),
        fill: colour('--bad-soft'),
        width: 2,
        points: { show: false },
        ...(bars && { paths: bars }),
      },
      {
        label: good,
        stroke: colour('--good'),
        fill: colour('--good'),
        width: 2,
        points: { show: false },
        ...(bars && { paths: bars }),
      },
    ],
  }
}
