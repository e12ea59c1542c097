import { addDays } from '../../../../core/day-range.ts'
import { useFormats } from '../../../api/time.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/state.tsx'
import {
  type CashDay,
  type CashLine,
  tellDifference,
  useCashDays,
  useCashLines,
  useCashSay,
  type Word,
} from './cash-data.ts'

const historyDays = 30

const kindWords = {
  payment: 'cashKind_payment',
  handIn: 'cashKind_handIn',
  closeOut: 'cashKind_closeOut',
  correction: 'cashKind_correction',
} as const satisfies Record<CashLine['kind'], Word>
const methodWords = { cash: 'cash', card: 'card', other: 'otherMethod' } as const

/** All lines of a driver's day, and how the days before came out. */
export function DriverCash({ day: { userId, user, day }, onClose }: { day: CashDay; onClose: () => void }) {
  const say = useCashSay()
  const { dayInWords } = useFormats()
  const lines = useCashLines({ from: day, to: day, userId })
  const history = useCashDays({ from: addDays(day, -historyDays), to: addDays(day, -1), userId })
  return (
    <Dialog title={say('cashOf', { name: user.name })} lead={dayInWords(day, true)} open onClose={onClose} side>
      <div className="grid gap-5">
        <section aria-label={say('cashLines')} className="grid gap-1">
          <h3 className="font-semibold">{say('cashLines')}</h3>
          <Loaded query={lines}>
            {(lines) =>
              lines.length === 0 ? (
                <p className="text-ink-soft">{say('noCashLines')}</p>
              ) : (
                <ul className="grid gap-2">
                  {lines.map((line) => (
                    <Line key={line.id} line={line} />
                  ))}
                </ul>
              )
            }
          </Loaded>
        </section>
        <section aria-label={say('cashHistory')} className="grid gap-1">
          <h3 className="font-semibold">{say('cashHistory')}</h3>
          <Loaded query={history}>
            {(days) =>
              days.length === 0 ? (
                <p className="text-ink-soft">{say('noCashHistory')}</p>
              ) : (
                <ul className="grid gap-2">
                  {days.map((day) => (
                    <Earlier key={day.day} day={day} />
                  ))}
                </ul>
              )
            }
          </Loaded>
        </section>
      </div>
    </Dialog>
  )
}

function Line({ line }: { line: CashLine }) {
  const say = useCashSay()
  const { money, time, dayInWords } = useFormats()
  const { kind, method, amount, awb, ofDay, countedBy, note, occurredAt } = line
  const facts = [
    kind === 'payment' ? say(methodWords[method]) : countedBy && say('cashCountedBy', { name: countedBy.name }),
    awb,
    time(occurredAt),
    ofDay && say('cashLate', { day: dayInWords(ofDay) }),
  ]
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-3">
      <span className="font-medium">{say(kindWords[kind])}</span>
      <span className="numbers font-medium">{money(amount)}</span>
      <span className="numbers w-full text-ink-faint text-xs">{facts.filter(Boolean).join(' · ')}</span>
      {note && <span className="w-full whitespace-pre-line [overflow-wrap:anywhere]">{note}</span>}
    </li>
  )
}

function Earlier({ day }: { day: CashDay }) {
  const say = useCashSay()
  const formats = useFormats()
  const { difference, closedBy } = day
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-3">
      <span>{formats.dayInWords(day.day, true)}</span>
      <span className="numbers">{formats.money(day.cash)}</span>
      <span className={`w-full text-xs ${difference ? 'text-waiting' : 'text-ink-faint'}`}>
        {difference === null
          ? `${say('cashOpen')} · ${say('cashToHandIn')} ${formats.money(day.toHandIn)}`
          : `${tellDifference(difference, say, formats)} · ${closedBy?.name ?? ''}`}
      </span>
    </li>
  )
}
