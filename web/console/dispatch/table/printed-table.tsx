import { createPortal } from 'react-dom'
import type { Task } from '../../../api/data.ts'
import { usePrinting } from '../../../ui/printing.ts'
import { useDayName } from '../../day/day-name.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import type { CellContext, Column } from './columns.tsx'
import '../../../ui/print.css'

interface Props {
  tasks: readonly Task[]
  shown: readonly Column[]
  context: CellContext
}

/** The table on paper: every row, in the order and with the columns of the screen. Drawn only while it is printed. */
export function PrintedTable(props: Props) {
  return usePrinting() && createPortal(<Paper {...props} />, document.body)
}

function Paper({ tasks, shown, context }: Props) {
  const { say, formats } = context
  const { all, day } = useDispatch()
  const dayName = useDayName()
  const count =
    tasks.length < all.length
      ? say('progressOf', { done: formats.number(tasks.length), all: formats.number(all.length) })
      : formats.number(all.length)
  return (
    <div id="printed" className="numbers text-ink text-xs">
      <h1 className="mb-2 font-semibold text-base">{`${say('tasksTitle')}: ${dayName(day)} (${count})`}</h1>
      <table className="w-full border-collapse">
        <thead>
          <tr>
            {shown.map(({ id, word, end }) => (
              <th key={id} className={`border-ink border-b px-1.5 py-1 ${end ? 'text-right' : 'text-left'}`}>
                {say(word)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tasks.map((task) => (
            <tr key={task.id} className="border-line border-b">
              {shown.map(({ id, end, cell }) => (
                <td key={id} className={`px-1.5 py-1 align-top ${end ? 'text-right' : ''}`}>
                  {cell(task, context)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
