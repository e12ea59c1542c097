import { Banknote, PanelRightOpen } from 'lucide-react'
import { moneyOf } from '../../../../core/money.ts'
import type { Task } from '../../../api/data.ts'
import type { Formats } from '../../../api/time.ts'
import { useSay } from '../../../words/console.ts'

/** The money still to be collected, if any. */
export function ToCollect({ task, formats }: { task: Task; formats: Formats }) {
  const say = useSay()
  const { toCollect } = moneyOf(task)
  if (toCollect === 0) return null
  return (
    <span className="ml-auto flex items-center gap-1 whitespace-nowrap">
      <Banknote role="img" aria-label={say('toCollect')} className="size-3.5 text-ink-faint @max-3xs:sr-only" />
      {formats.money(toCollect)}
    </span>
  )
}

/** Opens a task with the mouse; the keyboard has Enter. */
export function OpenButton({ task, onOpen }: { task: Task; onOpen: (id: number) => void }) {
  const say = useSay()
  const label = say('openTask', { awb: task.awb })
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      title={label}
      onClick={(event) => {
        event.stopPropagation()
        onOpen(task.id)
      }}
      className="grid size-6 place-items-center rounded-md border border-line bg-raised text-ink-soft hover:text-ink"
    >
      <PanelRightOpen aria-hidden className="size-3.5" />
    </button>
  )
}
