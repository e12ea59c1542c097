import { useSay } from '../../words/driver.ts'
import { useDay, useDriverFormats, useNow } from '../looks/day.ts'
import { Card } from '../looks/parts.tsx'
import { notAccepted, paidIn, summarise, toHandIn } from '../route/summary.ts'

/** What the driver did today, and the money that has to be handed in. */
export function DaySummary() {
  const say = useSay()
  const { tasks, ops, day, refused } = useDay()
  const formats = useDriverFormats()
  const now = useNow()
  const paid = paidIn(day.payments ?? [], ops, day.aheadMs)
  const { done, failed, cash, card, waiting } = summarise(tasks, paid, now, day.user.company.timezone)
  const left = toHandIn(day.cash, paid)
  const open = notAccepted(refused)
  const facts = [
    ['dayDone', formats.number(done)],
    ['dayFailed', formats.number(failed)],
    ['dayCash', formats.money(cash)],
    ['dayCard', formats.money(card)],
    ...(day.cash?.handedIn ? ([['dayHandedIn', formats.money(day.cash.handedIn)]] as const) : []),
    ...(day.cash?.before ? ([['dayBefore', formats.money(day.cash.before)]] as const) : []),
    ...(left === undefined ? [] : ([['dayToHandIn', formats.money(left)]] as const)),
  ] as const
  return (
    <Card aria-labelledby="your-day" className="p-4">
      <h2 id="your-day" className="font-semibold text-large">
        {say('yourDay')}
      </h2>
      <dl className="mt-1">
        {facts.map(([word, value]) => (
          <div key={word} className="flex flex-wrap justify-between gap-x-3 py-1">
            <dt>{say(word)}</dt>
            <dd className="numbers font-bold">{value}</dd>
          </div>
        ))}
      </dl>
      {day.cash?.closedAt && <p>{say('dayIsClosed', { time: formats.time(day.cash.closedAt) })}</p>}
      {day.cash?.closedAt && day.cash.difference !== null && day.cash.difference !== 0 && (
        <p className="numbers font-semibold text-waiting">
          {say(day.cash.difference < 0 ? 'dayMissing' : 'dayExcess', {
            amount: formats.money(Math.abs(day.cash.difference)),
          })}
        </p>
      )}
      {waiting > 0 && (
        <p className="numbers font-semibold text-waiting">{say('dayWaits', { amount: formats.money(waiting) })}</p>
      )}
      {open > 0 && (
        <p className="numbers font-semibold text-bad">{say('dayNotAccepted', { amount: formats.money(open) })}</p>
      )}
    </Card>
  )
}
