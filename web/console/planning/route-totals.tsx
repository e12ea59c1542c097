import { useFormats } from '../../api/time.ts'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/console.ts'
import type { Route } from './route.ts'

const rows = [
  ['travelTime', 'travelSeconds'],
  ['routeLength', 'distanceMetres'],
  ['waitingTime', 'waitSeconds'],
  ['lateness', 'lateSeconds'],
  ['overtime', 'overtimeSeconds'],
] as const

/** What the new order saves, and what it costs. */
export function RouteTotals({ route: { before, after } }: { route: Route }) {
  const say = useSay()
  const { duration, distance } = useFormats()
  return (
    <table className="numbers grow border-collapse text-right">
      <caption className="sr-only">{say('totals')}</caption>
      <thead>
        <tr className="text-ink-faint text-xs">
          <td />
          {(['orderNow', 'orderAfter', 'planChange'] as const).map((word) => (
            <th key={word} scope="col" className="pb-1 pl-3 font-medium">
              {say(word)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([word, field]) => {
          const show = field === 'distanceMetres' ? distance : duration
          return (
            <tr key={field}>
              <th scope="row" className="py-0.5 text-left font-medium text-ink-faint">
                {say(word)}
              </th>
              <td className="pl-3 text-ink-soft">{show(before[field])}</td>
              <td className="pl-3 font-semibold">{show(after[field])}</td>
              <td className="pl-3">
                <Change value={after[field] - before[field]} show={show} least={field === 'distanceMetres' ? 10 : 30} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Less is better for all of these numbers. */
function Change({ value, show, least }: { value: number; show: (value: number) => string; least: number }) {
  const say = useSay()
  if (Math.abs(value) < least) return <span className="text-ink-faint">{say('unchanged')}</span>
  return (
    <span className={join('font-semibold', value < 0 ? 'text-good' : 'text-bad')}>
      {value < 0 ? '−' : '+'}
      {show(Math.abs(value))}
    </span>
  )
}
