import type { UseQueryResult } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card, Page, tableLook } from '../../ui/page.tsx'
import { EmptyState, Loaded } from '../../ui/state.tsx'
import { useSay, type Word } from './record-words.ts'

interface TableProps<Item> {
  columns: readonly Word[]
  /** The cells of a row; the first one has its name. */
  row: (item: Item) => { key: number; cells: ReactNode[]; menu?: ReactNode }
}

interface Props<Item> extends TableProps<Item> {
  title: Word
  lead: Word
  query: UseQueryResult<Item[]>
  /** Shown when the list is empty. */
  none: { picture: ReactNode; title: Word; lead: Word }
  /** The button to create one; false if the person may not. */
  add: { word: Word; go: () => void } | false
  /** Further buttons beside it. */
  more?: ReactNode
  /** Dialogs opened over the list. */
  children: ReactNode
}

/** A page with a table of at most a few dozen things of one kind, and a button to create one. */
export function ListPage<Item>({ title, lead, query, none, add, more, children, ...table }: Props<Item>) {
  const say = useSay()
  const action = add && (
    <Button look="primary" onClick={add.go}>
      <Plus aria-hidden />
      {say(add.word)}
    </Button>
  )
  const empty = (
    <EmptyState picture={none.picture} title={say(none.title)} action={action}>
      {say(none.lead)}
    </EmptyState>
  )
  return (
    <Page
      title={say(title)}
      lead={say(lead)}
      actions={more ? <div className="flex flex-wrap gap-2">{[more, action]}</div> : action}
    >
      <Loaded query={query}>{(items) => (items.length === 0 ? empty : <Table items={items} {...table} />)}</Loaded>
      {children}
    </Page>
  )
}

/** The buttons stay in sight when the columns need more than the window has. On a phone they would leave nothing for them. */
const staying = 'sm:sticky sm:right-0 sm:bg-surface sm:group-hover:bg-hover'

function Table<Item>({ items, columns, row }: TableProps<Item> & { items: Item[] }) {
  const say = useSay()
  return (
    <Card>
      <div className="overflow-x-auto shades-across">
        <table className={tableLook.table}>
          <thead>
            <tr>
              {columns.map((word) => (
                <th key={word} scope="col" className={tableLook.head}>
                  {say(word)}
                </th>
              ))}
              <th className={`${tableLook.head} ${staying}`}>
                <span className="sr-only">{say('more')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map(row).map(({ key, ...cells }) => (
              <Row key={key} {...cells} columns={columns} />
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
    <tr className={`${tableLook.row} group`}>
      <th scope="row" className={`${tableLook.cell} min-w-36 font-medium`}>
        {first}
      </th>
      {rest.map((cell, index) => (
        <td key={columns[index + 1]} className={`${tableLook.cell} numbers`}>
          {cell}
        </td>
      ))}
      <td className={`${tableLook.cell} ${staying} !py-1 whitespace-nowrap`}>
        <div className="flex items-center justify-end">{menu}</div>
      </td>
    </tr>
  )
}
