import { CircleCheck, TriangleAlert } from 'lucide-react'
import { tableLook } from '../../../ui/page.tsx'
import { useSay } from '../../../words/console.ts'
import { type CheckedRow, problemSentence } from './check.ts'

/** Problem rows shown at most; all of them can be saved as a file. */
export const shownMax = 100

/** Shows which rows will be sent and which will not. */
export function CheckStep({ checked }: { checked: CheckedRow[] }) {
  const say = useSay()
  const bad = checked.filter(({ problems }) => problems.length > 0)
  const good = checked.filter(({ problems }) => problems.length === 0)
  return (
    <div className="grid gap-4">
      <p className="flex items-center gap-2">
        <CircleCheck aria-hidden className="size-4 text-good" />
        {say('rowsReady', { n: good.length })}
      </p>
      {bad.length > 0 && (
        <section className="grid gap-2">
          <p className="flex items-center gap-2 text-waiting">
            <TriangleAlert aria-hidden className="size-4" />
            {say('rowsWithProblems', { n: bad.length })}
          </p>
          <ProblemTable
            total={bad.length}
            rows={bad.slice(0, shownMax).map(({ row, problems }) => ({
              number: row.number,
              address: row.cells.filter(Boolean).slice(0, 3).join(' · '),
              text: problems.map((problem) => problemSentence(problem, say)).join('; '),
            }))}
          />
        </section>
      )}
      {good.length > 0 && <FirstRows rows={good.slice(0, 5)} />}
    </div>
  )
}

interface ProblemRow {
  number: number
  address: string
  text: string
}

/** The first rows with problems: their number in the file, and a sentence about each. */
export function ProblemTable({ rows, total }: { rows: ProblemRow[]; total: number }) {
  const say = useSay()
  return (
    <div className="overflow-x-auto rounded-lg border border-line">
      <table className={tableLook.table}>
        <thead>
          <tr>
            <th className={tableLook.head}>{say('rowNumber')}</th>
            <th className={tableLook.head}>{say('columnExamples')}</th>
            <th className={tableLook.head}>{say('rowProblem')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ number, address, text }) => (
            <tr key={number} className={tableLook.row}>
              <td className="numbers px-4 py-1.5 text-ink-soft">{number}</td>
              <td className="max-w-64 truncate px-4 py-1.5">{address}</td>
              <td className="px-4 py-1.5">{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {total > rows.length && <p className="px-4 py-2 text-ink-soft">{say('andMore', { n: total - rows.length })}</p>}
    </div>
  )
}

function FirstRows({ rows }: { rows: CheckedRow[] }) {
  const say = useSay()
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">{say('firstRows')}</h3>
      <div className="overflow-x-auto rounded-lg border border-line">
        <table className={tableLook.table}>
          <thead>
            <tr>
              {(['rowNumber', 'awb', 'address', 'timeWindow', 'customer', 'totalPrice'] as const).map((word) => (
                <th key={word} className={tableLook.head}>
                  {say(word)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="numbers">
            {rows.map(({ row, input }) => (
              <tr key={row.number} className={tableLook.row}>
                <td className="px-4 py-1.5 text-ink-soft">{row.number}</td>
                <td className="px-4 py-1.5">{input.awb}</td>
                <td className="px-4 py-1.5">{addressLine(input.address)}</td>
                <td className="whitespace-nowrap px-4 py-1.5">
                  {windowLine(input.completeAfter, input.completeBefore)}
                </td>
                <td className="px-4 py-1.5">{input.customer?.name ?? input.customer?.phone}</td>
                <td className="px-4 py-1.5 text-right">{input.totalPrice}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

type Address = CheckedRow['input']['address']
const addressLine = ({ address, streetName, streetNumber, city, lat, lng }: Address) =>
  [address ?? [streetName, streetNumber].filter(Boolean).join(' '), city].filter(Boolean).join(', ') || `${lat}, ${lng}`

const windowLine = (after?: string | null, before?: string | null) =>
  after && before && after.slice(0, 10) === before.slice(0, 10)
    ? `${after} – ${before.slice(11)}`
    : [after, before].filter(Boolean).join(' – ')
