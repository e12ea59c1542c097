import { tableLook } from '../../../ui/page.tsx'
import { useSay } from '../record-words.ts'

interface Bar {
  succeeded: number
  failed: number
}

interface Props<One extends Bar> {
  bars: One[]
  name: string
  /** What the chart is, for those who do not see it. */
  picture: string
  head: string
  labelOf: (bar: One) => string
  /** Under a bar, if the label is too long for that. */
  shortOf?: (bar: One) => string
}

/** Ended tasks by hour or day, as a chart and, for screen readers, exact numbers and paper, as a table. */
export function BarChart<One extends Bar>({ bars, name, picture, head, labelOf, shortOf = labelOf }: Props<One>) {
  const say = useSay()
  if (bars.length === 0) return <p className="px-4 py-6 text-ink-soft">{say('nothingHere')}</p>
  return (
    <div className="px-4 py-3">
      <Bars bars={bars} picture={picture} shortOf={shortOf} />
      <details className="mt-2">
        <summary className="cursor-pointer text-ink-soft">{say('asTable')}</summary>
        <table className={`${tableLook.table} numbers mt-2 max-w-md`}>
          <caption className="sr-only">{name}</caption>
          <thead>
            <tr>
              <th className={tableLook.head}>{head}</th>
              <th className={`${tableLook.head} !text-right`}>{say('status9')}</th>
              <th className={`${tableLook.head} !text-right`}>{say('status10')}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={labelOf(bar)} className={tableLook.row}>
                <th scope="row" className={`${tableLook.cell} font-normal`}>
                  {labelOf(bar)}
                </th>
                <td className={`${tableLook.cell} text-right`}>{bar.succeeded}</td>
                <td className={`${tableLook.cell} text-right`}>{bar.failed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  )
}

/** More labels than this do not fit side by side. */
const mostLabels = 16

/** Failures on top of successes. Plain elements, which follow theme, language and print styles. */
function Bars<One extends Bar>({ bars, picture, shortOf }: Required<Pick<Props<One>, 'bars' | 'picture' | 'shortOf'>>) {
  const say = useSay()
  const most = Math.max(1, ...bars.map(({ succeeded, failed }) => succeeded + failed))
  const share = (count: number) => ({ height: `${(100 * count) / most}%` })
  const every = Math.ceil(bars.length / mostLabels)
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
      <div role="img" aria-label={picture} className="numbers flex text-ink-faint text-xs">
        {bars.map((bar, index) => (
          <div key={shortOf(bar)} className="min-w-0 flex-1">
            <div className="flex h-40 flex-col items-center justify-end border-line border-b pt-5">
              {bar.succeeded + bar.failed > 0 && every === 1 && (
                <span className="-mt-5 h-5">{bar.succeeded + bar.failed}</span>
              )}
              {bar.failed > 0 && (
                <div className="w-3/5 max-w-12 border-2 border-bad bg-bad-soft" style={share(bar.failed)} />
              )}
              <div className="w-3/5 max-w-12 bg-good" style={share(bar.succeeded)} />
            </div>
            <div className={every === 1 ? 'truncate pt-1 text-center' : 'h-5 overflow-visible whitespace-nowrap pt-1'}>
              {index % every === 0 && shortOf(bar)}
            </div>
          </div>
        ))}
      </div>
    </>
  )
}
