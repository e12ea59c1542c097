import { useQuery } from '@tanstack/react-query'
import type { EtaFigures } from '../../../../contract/report.ts'
import { shareOf } from '../../../../core/share.ts'
import { api } from '../../../api/client.ts'
import { type Formats, useFormats } from '../../../api/time.ts'
import { tableLook } from '../../../ui/page.tsx'
import { Loaded } from '../../../ui/state.tsx'
import { type Say, useSay } from '../record-words.ts'

const right = `${tableLook.cell} !py-1.5 whitespace-nowrap text-right`
const rightHead = `${tableLook.head} !text-right`

interface Props {
  span: { from: string; to: string }
  isOver: boolean
}

/** How well the arrivals promised in a time came true, by the hour in which they were promised. */
export function EtaAccuracy({ span, isOver }: Props) {
  const say = useSay()
  const query = useQuery({
    queryKey: ['eta-report', span.from, span.to],
    queryFn: () => api.getEtaReport({ query: span }),
    refetchInterval: isOver ? false : 60_000,
  })
  return (
    <Loaded query={query}>
      {({ hours, ...all }) =>
        all.promises === 0 ? (
          <p className="px-4 py-6 text-ink-soft">
            {all.open === 0 ? say('nothingPromised') : say('noArrivalsYet', { n: all.open })}
          </p>
        ) : (
          <>
            <p className="px-4 pt-3 text-ink-soft">{say('etaAccuracyLead')}</p>
            <div className="overflow-x-auto shades-across">
              <table className={`${tableLook.table} numbers`}>
                <caption className="sr-only">{say('etaAccuracy')}</caption>
                <thead>
                  <tr>
                    <th className={tableLook.head}>{say('promisedAt')}</th>
                    <th className={rightHead}>{say('promisesCount')}</th>
                    <th className={rightHead}>{say('withinTenMinutes')}</th>
                    <th className={rightHead}>{say('meanError')}</th>
                    <th className={rightHead}>{say('meanTendency')}</th>
                    <th className={rightHead}>{say('promisesOpen')}</th>
                  </tr>
                </thead>
                <tbody>
                  {hours.map(({ hour, ...figures }) => (
                    <tr key={hour} className={tableLook.row}>
                      <th scope="row" className={`${tableLook.cell} !py-1.5 whitespace-nowrap font-normal`}>
                        {`${hour}:00–${hour + 1}:00`}
                      </th>
                      <Cells figures={figures} />
                    </tr>
                  ))}
                </tbody>
                <tfoot>
                  <tr className="border-line border-t-2 font-semibold">
                    <th scope="row" className={`${tableLook.cell} !py-1.5`}>
                      {say('total')}
                    </th>
                    <Cells figures={all} />
                  </tr>
                </tfoot>
              </table>
            </div>
          </>
        )
      }
    </Loaded>
  )
}

function Cells({ figures }: { figures: EtaFigures }) {
  const say = useSay()
  const formats = useFormats()
  const { promises, open, withinTenMinutes, meanErrorSeconds, meanLateSeconds } = figures
  return (
    <>
      <td className={right}>{formats.number(promises)}</td>
      <td className={right}>{shareOf(withinTenMinutes, promises)}</td>
      <td className={right}>{meanErrorSeconds === null ? '–' : formats.duration(meanErrorSeconds)}</td>
      <td className={right}>{meanLateSeconds === null ? '–' : tendency(meanLateSeconds, say, formats)}</td>
      <td className={right}>{formats.number(open)}</td>
    </>
  )
}

function tendency(lateSeconds: number, say: Say, { duration }: Formats): string {
  if (Math.abs(lateSeconds) < 30) return say('asPromised')
  return say(lateSeconds > 0 ? 'laterBy' : 'earlierBy', { time: duration(Math.abs(lateSeconds)) })
}
