import { Banknote } from 'lucide-react'
import { moneyOf } from '../../../../core/money.ts'
import type { Task } from '../../../api/data.ts'
import type { Formats } from '../../../api/time.ts'
import { join } from '../../../ui/class-names.ts'
import { useSay } from '../../../words/console.ts'
import type { Selection } from '../../day/selection.ts'

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

interface Selecting {
  task: Task
  chosen: boolean
  onToggle: Selection['toggle']
  className?: string
}

/** Selects a task; with Shift all up to this one. Always in sight, for those who have no mouse. The keyboard has x. */
export function SelectBox({ task, chosen, onToggle, className }: Selecting) {
  const say = useSay()
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      aria-label={say('selectTask', { awb: task.awb })}
      checked={chosen}
      onClick={(event) => event.stopPropagation()}
      onChange={({ nativeEvent }) => onToggle(task.id, (nativeEvent as MouseEvent).shiftKey)}
      className={join('size-4 accent-(--brand) pointer-coarse:size-5', className)}
    />
  )
}
