import type { ReactNode } from 'react'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { Button } from '../../../ui/button.tsx'
import { MenuItem } from '../../../ui/menu.tsx'
import { Card, tableLook } from '../../../ui/page.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { type CashDay, tellDifference, totalOf, useCashSay } from './cash-data.ts'
import type { CashAction } from './cash-dialogs.tsx'

export type CashOpen = { action: CashAction | 'details'; day: CashDay }

const right = `${tableLook.cell} numbers !text-right whitespace-nowrap`
const headRight = `${tableLook.head} !text-right`
/** On paper, for whoever counts and whoever hands in. */
const onPaper = 'hidden print:table-cell'
/** As high as somebody writes. */
const toSign = `${onPaper} h-14 min-w-36 border-line border-l`

/** The drivers of a day, and all of them together. */
export function CashTable({ days, onOpen }: { days: CashDay[]; onOpen: (open: CashOpen) => void }) {
  const say = useCashSay()
  const { money } = useFormats()
  const total = totalOf(days)
  return (
    <Card>
      <div className="overflow-x-auto shades-across">
        <table className={tableLook.table}>
          <thead>
            <tr>
              <th scope="col" className={tableLook.head}>
                {say('driver')}
              </th>
              {(['toCollect', 'cashTaken', 'cashByCard', 'cashHandedIn', 'cashToHandIn'] as const).map((word) => (
                <th key={word} scope="col" className={headRight}>
                  {say(word)}
                </th>
              ))}
              <th scope="col" className={tableLook.head}>
                {say('cashState')}
              </th>
              <th scope="col" className={`${tableLook.head} ${onPaper}`}>
                {say('cashSignature')}
              </th>
              <th className={`${tableLook.head} no-print`}>
                <span className="sr-only">{say('more')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <Row key={day.userId} day={day} onOpen={onOpen} />
            ))}
          </tbody>
          {days.length > 1 && (
            <tfoot>
              <tr className="border-line border-t font-semibold">
                <th scope="row" className={tableLook.cell}>
                  {say('cashTotal')}
                </th>
                {[total.toCollect, total.cash, total.card, total.handedIn, total.toHandIn].map((amount, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
                  <td key={at} className={right}>
                    {money(amount)}
                  </td>
                ))}
                <td className={tableLook.cell}>
                  <Difference
                    difference={days.every(({ closed }) => closed) ? total.difference : total.difference || null}
                  />
                </td>
                <td className={`${tableLook.cell} ${toSign}`} />
                <td className={`${tableLook.cell} no-print`} />
              </tr>
            </tfoot>
          )}
        </table>
      </div>
    </Card>
  )
}

function Row({ day, onOpen }: { day: CashDay; onOpen: (open: CashOpen) => void }) {
  const say = useCashSay()
  const may = useMay()
  const { money } = useFormats()
  const { user, closed } = day
  const mayWrite = may('cash:write')
  return (
    <tr className={tableLook.row}>
      <th scope="row" className={`${tableLook.cell} min-w-36 font-medium`}>
        {user.name}
        <Hints day={day} />
      </th>
      {[day.toCollect, day.cash, day.card, day.handedIn].map((amount, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
        <td key={at} className={right}>
          {money(amount)}
        </td>
      ))}
      <td className={`${right} font-semibold`}>{closed ? '' : money(day.toHandIn)}</td>
      <td className={`${tableLook.cell} min-w-40`}>
        <State day={day} />
      </td>
      <td className={`${tableLook.cell} ${toSign}`} />
      <td className={`${tableLook.cell} no-print !py-1 whitespace-nowrap`}>
        <div className="flex items-center justify-end gap-1">
          {mayWrite && !closed && (
            <Button onClick={() => onOpen({ action: 'close', day })}>
              {say('closeDay')}
              <span className="sr-only">: {user.name}</span>
            </Button>
          )}
          <RowMenu name={user.name}>
            <MenuItem onSelect={() => onOpen({ action: 'details', day })}>{say('cashDetails')}</MenuItem>
            {mayWrite && !closed && (
              <MenuItem onSelect={() => onOpen({ action: 'handIn', day })}>{say('addHandIn')}</MenuItem>
            )}
            {mayWrite && closed && (
              <MenuItem onSelect={() => onOpen({ action: 'correct', day })}>{say('correctDay')}</MenuItem>
            )}
          </RowMenu>
        </div>
      </td>
    </tr>
  )
}

/** What the sums do not say by themselves. */
function Hints({ day }: { day: CashDay }) {
  const say = useCashSay()
  const { money } = useFormats()
  const hint = (word: 'cashUnpaid' | 'cashLost' | 'cashOfEarlier', amount: number) =>
    amount !== 0 && say(word, { amount: money(amount) })
  const facts = [
    hint('cashUnpaid', day.unpaid),
    hint('cashLost', day.lost),
    hint('cashOfEarlier', day.earlier),
    day.other !== 0 && `${say('cashOtherwise')}: ${money(day.other)}`,
  ].filter(Boolean)
  if (facts.length === 0) return null
  return <span className="numbers block font-normal text-ink-soft text-xs">{facts.join(' · ')}</span>
}

function State({ day: { closed, closedBy, closedAt, difference, note } }: { day: CashDay }): ReactNode {
  const say = useCashSay()
  const { time } = useFormats()
  if (!closed) return <span className="text-ink-soft">{say('cashOpen')}</span>
  return (
    <>
      <Difference difference={difference} />
      <span className="block text-ink-faint text-xs">
        {say('cashClosedBy', { name: closedBy?.name ?? '', time: closedAt ? time(closedAt) : '' })}
      </span>
      {note && <span className="block text-ink-soft text-xs [overflow-wrap:anywhere]">{note}</span>}
    </>
  )
}

function Difference({ difference }: { difference: number | null }) {
  const say = useCashSay()
  const formats = useFormats()
  if (difference === null) return null
  const look = difference === 0 ? 'text-ok' : difference < 0 ? 'text-bad' : 'text-waiting'
  return <span className={`numbers font-medium ${look}`}>{tellDifference(difference, say, formats)}</span>
}
