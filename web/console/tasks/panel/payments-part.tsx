import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import { type PaymentMethod, paymentMethods } from '../../../../contract/payment.ts'
import { decimalsToPay, subtractAmount, sumAmounts } from '../../../../core/money.ts'
import { type MoneyProblem, readMoney } from '../../../../core/typed-money.ts'
import { api } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import { useOneKey } from '../../../api/one-key.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats, useMoneyReading } from '../../../api/time.ts'
import { moneyWords } from '../../../tasks/money-words.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Form, textOf } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { useSay, type Word } from '../../../words/console.ts'
import { Part } from './fact.tsx'

const methodWords: Record<PaymentMethod, Word> = { cash: 'cash', card: 'card', other: 'otherMethod' }

/** Under the key of the task: every event about it fetches its payments again, too. */
const usePayments = (taskId: number) =>
  useQuery({
    queryKey: ['task', taskId, 'payments'],
    queryFn: async () => (await api.listPayments({ params: { taskId } })).payments,
  })

/** What was paid: to whom, when and how. */
export function PaymentsPart({ task }: { task: Task }) {
  const say = useSay()
  const may = useMay()
  const { dateTime, money } = useFormats()
  const { data: payments = [] } = usePayments(task.id)
  const [isAdding, setAdding] = useState(false)
  const price = task.totalPrice ?? 0
  if (price === 0 && payments.length === 0) return null
  const excess = subtractAmount(sumAmounts(payments.map(({ amount }) => amount)), price)
  return (
    <Part
      title={say('payments')}
      actions={
        may('tasks:write') && (
          <Button onClick={() => setAdding(true)}>
            <Plus aria-hidden />
            {say('addPayment')}
          </Button>
        )
      }
    >
      {payments.length === 0 && <p className="text-ink-soft">{say('noPayments')}</p>}
      <ul className="grid gap-2">
        {payments.map(({ id, amount, method, note, user, occurredAt }) => (
          <li key={id}>
            <span className="numbers font-medium">{money(amount)}</span>
            <span className="text-ink-soft"> · {say(methodWords[method])}</span>
            {note && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{note}</p>}
            <p className="numbers text-ink-faint text-xs">
              {user.name} · {dateTime(occurredAt)}
            </p>
          </li>
        ))}
      </ul>
      {excess > 0 && <p className="mt-2 text-waiting">{say('overpaid', { amount: money(excess) })}</p>}
      {isAdding && <PaymentDialog task={task} onClose={() => setAdding(false)} />}
    </Part>
  )
}

const fields = ['amount', 'method', 'note']

function PaymentDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const say = useSay()
  const { keyOf } = useOneKey()
  const save = useSave(
    ({ form, amount }: { form: FormData; amount: number }) => {
      const body = { amount, method: form.get('method') as PaymentMethod, note: textOf(form, 'note') }
      return api.addPayment({ params: { taskId: task.id }, body, idempotencyKey: keyOf(body) })
    },
    { changes: ['task'], told: say('paymentAdded'), onDone: onClose, inForm: true },
  )
  const next = task.reattemptedAs
  const wrong = (field: string) => fieldProblem(save.error, field, say)
  const { typedMoney } = useFormats()
  const { currency, decimals: usual } = useMoneyReading()
  const decimals = decimalsToPay([task.totalPrice ?? 0, task.leftToBePaid ?? 0], usual)
  const [misread, setMisread] = useState<MoneyProblem>()
  const submit = (form: FormData) => {
    const amount = readMoney(String(form.get('amount')), { decimals, currency })
    setMisread(typeof amount === 'string' ? amount : undefined)
    if (typeof amount === 'number') save.mutate({ form, amount })
  }
  return (
    <Dialog title={say('addPayment')} lead={task.awb} open onClose={onClose}>
      <Form busy={save.isPending} problem={otherProblem(save.error, fields, say)} onCancel={onClose} onSubmit={submit}>
        <TextField
          label={say('amount')}
          hint={next ? say('paidAtNextTry', { awb: next.awb }) : say('amountHint')}
          name="amount"
          autoComplete="off"
          maxLength={longest.amount}
          defaultValue={task.leftToBePaid && !next ? typedMoney(task.leftToBePaid) : undefined}
          required
          error={misread ? say(moneyWords[misread]) : wrong('amount')}
        />
        <SelectField label={say('method')} name="method" error={wrong('method')}>
          {paymentMethods.map((method) => (
            <option key={method} value={method}>
              {say(methodWords[method])}
            </option>
          ))}
        </SelectField>
        {/* Amounts can still be corrected, but nobody would erase what is written now. */}
        {!task.erasedAt && (
          <TextField label={say('paymentNote')} name="note" maxLength={longest.text} error={wrong('note')} />
        )}
      </Form>
    </Dialog>
  )
}
