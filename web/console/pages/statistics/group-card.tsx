import { Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Card, tableLook } from '../../../ui/page.tsx'
import { saveCsv } from '../../files/save.ts'
import { useSay, type Word } from '../record-words.ts'

export interface Column<Row> {
  word: Word
  /** What it is sorted by, and what a file has. */
  value: (row: Row) => number | string | null
  show: (row: Row) => ReactNode
  isBad?: (row: Row) => boolean
}

interface Props<Row> {
  title: string
  /** The first column. */
  head: Word
  /** Null is those without one. */
  nameOf: (row: Row) => string | null
  nameless: string
  keyOf: (row: Row) => string | number
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  total?: Row
  /** Without its ending. */
  fileName: string
  /** What to show where there is nothing. */
  empty: string
}

const cell = `${tableLook.cell} !py-1.5`
const right = `${cell} whitespace-nowrap text-right`

interface Order {
  column: number
  isUp: boolean
}

/** One table of a report: sorted by any column, and saved as a file. */
export function GroupCard<Row>(props: Props<Row>) {
  const say = useSay()
  const { title, head, nameOf, nameless, columns, rows, fileName, empty } = props
  const [order, setOrder] = useState<Order>()
  const save = () =>
    saveCsv(fileName, {
      headers: [say(head), ...columns.map(({ word }) => say(word))],
      rows: rows.map((row) => [nameOf(row) ?? nameless, ...columns.map(({ value }) => value(row))]),
    })
  const actions = rows.length > 0 && (
    <Button className="no-print" onClick={save} aria-label={`${title}: ${say('asCsv')}`}>
      <Download aria-hidden />
      {say('asCsv')}
    </Button>
  )
  if (rows.length === 0)
    return (
      <Card title={title}>
        <p className="px-4 py-6 text-ink-soft">{empty}</p>
      </Card>
    )
  return (
    <Card title={title} actions={actions}>
      <div className="overflow-x-auto shades-across">
        <table className={`${tableLook.table} numbers`}>
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr>
              {[head, ...columns.map(({ word }) => word)].map((word, index) => (
                <Head
                  key={word}
                  word={word}
                  isName={index === 0}
                  order={order?.column === index ? order : undefined}
                  onSort={() => setOrder({ column: index, isUp: order?.column === index ? !order.isUp : index === 0 })}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {sort(props, order).map((row) => (
              <tr key={props.keyOf(row)} className={tableLook.row}>
                <th scope="row" className={`${cell} font-medium`}>
                  {nameOf(row) ?? <span className="text-ink-soft">{nameless}</span>}
                </th>
                {columns.map(({ word, show, isBad }) => (
                  <td key={word} className={isBad?.(row) ? `${right} text-bad` : right}>
                    {show(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {props.total && <Total columns={columns} total={props.total} />}
        </table>
      </div>
    </Card>
  )
}

function Head(props: { word: Word; isName: boolean; order: Order | undefined; onSort: () => void }) {
  const say = useSay()
  const { word, isName, order, onSort } = props
  const direction = order ? (order.isUp ? 'ascending' : 'descending') : 'none'
  return (
    <th aria-sort={direction} className={isName ? tableLook.head : `${tableLook.head} !text-right`}>
      <button type="button" className="cursor-pointer hover:underline" onClick={onSort}>
        {say(word)}
        {order && <span aria-hidden>{order.isUp ? ' ↑' : ' ↓'}</span>}
      </button>
    </th>
  )
}

function Total<Row>({ columns, total }: { columns: readonly Column<Row>[]; total: Row }) {
  const say = useSay()
  return (
    <tfoot>
      <tr className="border-line border-t-2 font-semibold">
        <th scope="row" className={cell}>
          {say('total')}
        </th>
        {columns.map(({ word, show }) => (
          <td key={word} className={right}>
            {show(total)}
          </td>
        ))}
      </tr>
    </tfoot>
  )
}

/** What has no value stays below, whichever way. */
function sort<Row>({ rows, columns, nameOf }: Props<Row>, order: Order | undefined): readonly Row[] {
  if (!order) return rows
  const column = columns[order.column - 1]
  const sorted = column?.value ?? nameOf
  return rows.toSorted((one, other) => {
    const [first, second] = [sorted(one), sorted(other)]
    if (first === null || second === null) return Number(first === null) - Number(second === null)
    const difference =
      typeof first === 'number' && typeof second === 'number'
        ? first - second
        : String(first).localeCompare(String(second))
    return order.isUp ? difference : -difference
  })
}
