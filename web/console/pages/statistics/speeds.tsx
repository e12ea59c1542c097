import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { useFormats } from '../../../api/time.ts'
import { tableLook } from '../../../ui/page.tsx'
import { Loaded } from '../../../ui/state.tsx'
import { type Say, useSay } from '../record-words.ts'

/** Five columns fit a phone. */
const narrow = '!px-2 sm:!px-4'
const left = `${tableLook.cell} !py-1.5 ${narrow}`
const right = `${left} whitespace-nowrap text-right`
const head = `${tableLook.head} ${narrow}`
const rightHead = `${head} !text-right`

/** How much longer trips take than the roads of the imported map say, by vehicle, and how much that stands on. */
export function Speeds() {
  const say = useSay()
  const { number } = useFormats()
  const query = useQuery({ queryKey: ['speeds'], queryFn: () => api.getLearnedSpeeds() })
  return (
    <Loaded query={query}>
      {({ speeds: { vehicles, needs } }) =>
        vehicles.length === 0 ? (
          <p className="px-4 py-6 text-ink-soft">{say('speedsNone')}</p>
        ) : (
          <>
            <p className="px-4 pt-3 text-ink-soft">{say('speedsLead', needs)}</p>
            <div className="overflow-x-auto shades-across">
              <table className={`${tableLook.table} numbers`}>
                <caption className="sr-only">{say('speeds')}</caption>
                <thead>
                  <tr>
                    <th className={head}>{say('transport')}</th>
                    <th className={head}>{say('speedsTrips')}</th>
                    <th className={rightHead}>{say('speedsHours')}</th>
                    <th className={rightHead}>{say('drivers')}</th>
                    <th className={rightHead}>{say('perDay')}</th>
                  </tr>
                </thead>
                <tbody>
                  {vehicles.map(({ transportationId, factor, count, drivers, days }) => (
                    <tr key={transportationId} className={tableLook.row}>
                      <th scope="row" className={`${left} font-normal`}>
                        {say.known(`transport${transportationId}`)}
                      </th>
                      <td className={left}>{inWords(factor, say)}</td>
                      <td className={right}>{number(count)}</td>
                      <td className={right}>{number(drivers)}</td>
                      <td className={right}>{number(days)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )
      }
    </Loaded>
  )
}

function inWords(factor: number | null, say: Say): string {
  if (factor === null) return say('speedsNotEnough')
  const percent = Math.round(Math.abs(factor - 1) * 100)
  if (percent === 0) return say('speedsSame')
  return say(factor > 1 ? 'speedsLonger' : 'speedsShorter', { percent })
}
