import type { TaskReport } from '../../../../contract/report.ts'
import { type Money, noMoney } from '../../../../core/money.ts'
import { useFormats } from '../../../api/time.ts'
import { tableLook } from '../../../ui/page.tsx'
import { useSay, type Word } from '../record-words.ts'

const right = `${tableLook.cell} !py-1.5 text-right`
const rightHead = `${tableLook.head} !text-right`

const columns = [
  ['collected', 'collected'],
  ['toCollect', 'stillToCollect'],
  ['unpaid', 'doneUnpaid'],
  ['lost', 'notCollected'],
] as const satisfies [keyof Money, Word][]

/** Both, also if one of them brought nothing. */
const usual = [1, 2].map((paymentTypeId) => ({ paymentTypeId, ...noMoney }))

export function PaymentsTable({ report }: { report: TaskReport }) {
  const say = useSay()
  const { money } = useFormats()
  if (columns.every(([what]) => report[what] === 0)) return <p className="px-4 py-6 text-ink-soft">{say('noMoney')}</p>
  return (
    <div className="overflow-x-auto shades-across">
      <table className={`${tableLook.table} numbers`}>
        <caption className="sr-only">{say('cashByPayment')}</caption>
        <thead>
          <tr>
            <th className={tableLook.head}>{say('statPaymentType')}</th>
            {columns.map(([what, word]) => (
              <th key={what} className={rightHead}>
                {say(word)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {usual
            .map((one) => report.payments.find(({ paymentTypeId }) => paymentTypeId === one.paymentTypeId) ?? one)
            .map((payment) => (
              <tr key={payment.paymentTypeId} className={tableLook.row}>
                <th scope="row" className={`${tableLook.cell} !py-1.5 font-normal`}>
                  {say(payment.paymentTypeId === 2 ? 'payment2' : 'payment1')}
                </th>
                {columns.map(([what]) => (
                  <td key={what} className={right}>
                    {money(payment[what])}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}
