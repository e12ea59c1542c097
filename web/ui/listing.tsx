import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSay, type Word } from '../words/words.ts'
import { Card, tableLook } from './page.tsx'
import { EmptyState, Loaded } from './state.tsx'

interface Props<Item> {
  query: UseQueryResult<Item[]>
  /** What stands there when there is none. */
  empty: { picture: ReactNode; title: Word; lead: Word; action?: ReactNode }
  columns: readonly Word[]
  /** The cells of a row; the first one names it. */
  children: (item: Item) => { key: number; cells: ReactNode[]; menu?: ReactNode }
}

/** A plain table of a few dozen things, with everything that can stand in its place. */
export function Listing<Item>({ query, ...rest }: Props<Item>) {
  return <Loaded query={query}>{(items) => <Items items={items} {...rest} />}</Loaded>
}

function Items<Item>({ items, empty, columns, children }: Omit<Props<Item>, 'query'> & { items: Item[] }) {
  const say = useSay()
  if (items.length === 0)
    return (
      <EmptyState picture={empty.picture} title={say(empty.title)} action={empty.action}>
        {say(empty.lead)}
      </EmptyState>
    )
  return (
    <Card>
      <div className="overflow-x-auto">
        <table className={tableLook.table}>
          <thead>
            <tr>
              {columns.map((word) => (
                <th key={word} scope="col" className={tableLook.head}>
                  {say(word)}
                </th>
              ))}
              <th className={tableLook.head}>
                <span className="sr-only">{say('more')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map(children).map(({ key, ...row }) => (
              <Row key={key} {...row} columns={columns} />
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

function Row({
  cells: [first, ...rest],
  menu,
  columns,
}: {
  cells: ReactNode[]
  menu?: ReactNode
  columns: readonly Word[]
}) {
  return (
    <tr className={tableLook.row}>
      <th scope="row" className={`${tableLook.cell} min-w-36 font-medium`}>
        {first}
      </th>
      {rest.map((cell, index) => (
        <td key={columns[index + 1]} className={`${tableLook.cell} numbers`}>
          {cell}
        </td>
      ))}
      <td className={`${tableLook.cell} !py-1 whitespace-nowrap`}>
        <div className="flex items-center justify-end">{menu}</div>
      </td>
    </tr>
  )
}
