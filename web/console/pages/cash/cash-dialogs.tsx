import { useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import { needsReason } from '../../../../core/cash.ts'
import { decimalsToPay } from '../../../../core/money.ts'
import { type MoneyProblem, readMoney } from '../../../../core/typed-money.ts'
import { api } from '../../../api/client.ts'
import { useOneKey } from '../../../api/one-key.ts'
import { useFormats, useMoneyReading } from '../../../api/time.ts'
import { moneyWords } from '../../../tasks/money-words.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, textOf } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { type CashDay, differenceNow, tellDifference, useCashSay, type Word } from './cash-data.ts'

export type CashAction = 'close' | 'handIn' | 'correct'

interface Given {
  day: CashDay
  amount: number
  note: string | null
  idempotencyKey: string
}

interface Kind {
  title: Word
  lead: Word
  label: Word
  action: Word
  told: Word
  field: 'counted' | 'amount'
  write: (given: Given) => Promise<unknown>
}

const kinds: Record<CashAction, Kind> = {
  close: {
    title: 'closeDayOf',
    lead: 'closeDayLead',
    label: 'cashCounted',
    action: 'closeDay',
    told: 'dayClosed',
    field: 'counted',
    write: ({ day: { userId, day }, amount: counted, note, idempotencyKey }) =>
      api.closeOutCash({ body: { userId, day, counted, note }, idempotencyKey }),
  },
  handIn: {
    title: 'handInOf',
    lead: 'handInLead',
    label: 'amount',
    action: 'addHandIn',
    told: 'handedInNow',
    field: 'amount',
    write: ({ day: { userId, day }, amount, note, idempotencyKey }) =>
      api.addHandIn({ body: { userId, day, amount, note }, idempotencyKey }),
  },
  correct: {
    title: 'correctDayOf',
    lead: 'correctDayLead',
    label: 'amount',
    action: 'correctDay',
    told: 'dayCorrected',
    field: 'amount',
    write: ({ day: { userId, day }, amount, note, idempotencyKey }) =>
      api.correctCash({ body: { userId, day, amount, note: note ?? '' }, idempotencyKey }),
  },
}

interface Props {
  action: CashAction
  day: CashDay
  onClose: () => void
}

/** Counted money is typed, with a comma or a point; what it comes to is shown before it is sent. */
export function CashDialog({ action, day, onClose }: Props) {
  const say = useCashSay()
  const formats = useFormats()
  const { currency, decimals: usual } = useMoneyReading()
  const kind = kinds[action]
  const decimals = decimalsToPay([day.cash, day.handedIn], usual)
  const [typed, setTyped] = useState('')
  const [misread, setMisread] = useState<MoneyProblem>()
  const { keyOf } = useOneKey()
  const save = useSave(kind.write, { changes: ['cash'], told: say(kind.told), onDone: onClose, inForm: true })
  const wrong = (field: string) => fieldProblem(save.error, field, say)
  const read = (text: string) => readMoney(text, { decimals, currency })
  const amount = typed.trim() === '' ? undefined : read(typed)
  const counted = typeof amount === 'number' ? amount : undefined
  const isDifferent = action === 'close' && counted !== undefined && needsReason(day, counted)
  const submit = (form: FormData) => {
    const amount = read(typed)
    setMisread(typeof amount === 'string' ? amount : undefined)
    if (typeof amount !== 'number') return
    const note = textOf(form, 'note')
    save.mutate({ day, amount, note, idempotencyKey: keyOf({ amount, note }) })
  }
  const difference = counted === undefined ? undefined : tellDifference(differenceNow(day, counted), say, formats)
  return (
    <Dialog
      title={say(kind.title, { name: day.user.name })}
      lead={`${formats.dayInWords(day.day, true)} · ${say(kind.lead)}`}
      open
      onClose={onClose}
    >
      <Form
        busy={save.isPending}
        problem={otherProblem(save.error, [kind.field, 'note'], say)}
        action={say(kind.action)}
        onCancel={onClose}
        onSubmit={submit}
      >
        <TextField
          label={say(kind.label)}
          hint={hintOf(action, say, formats.money(day.toHandIn))}
          name={kind.field}
          inputMode={action === 'close' ? 'decimal' : 'text'}
          autoComplete="off"
          maxLength={longest.amount}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          required
          error={misread ? say(moneyWords[misread]) : wrong(kind.field)}
        />
        {action === 'close' && (
          <p aria-live="polite" className={isDifferent ? 'font-medium text-waiting' : 'text-ink-soft'}>
            {difference ?? ' '}
          </p>
        )}
        <TextField
          label={say('cashNote')}
          hint={isDifferent && difference ? say('cashWhyDifferent', { difference }) : undefined}
          name="note"
          maxLength={longest.text}
          required={action === 'correct' || isDifferent || (action === 'handIn' && (counted ?? 0) < 0)}
          error={wrong('note')}
        />
      </Form>
    </Dialog>
  )
}

function hintOf(action: CashAction, say: ReturnType<typeof useCashSay>, amount: string): string {
  if (action === 'correct') return say('correctHint')
  return action === 'close' ? say('cashCountedHint', { amount }) : say('handInHint')
}
