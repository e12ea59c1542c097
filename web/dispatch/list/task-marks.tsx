import { Banknote, PanelRightOpen } from 'lucide-react'
import type { Task } from '../../api/data.ts'
import type { Formats } from '../../api/time.ts'
import { useSay } from '../../words/words.ts'

/** What is to be collected, if anything is. */
export function Cash({ task, formats }: { task: Task; formats: Formats }) {
  const say = useSay()
  const cash = task.leftToBePaid ?? 0
  if (cash === 0) return null
  return (
    <span className="ml-auto flex items-center gap-1 whitespace-nowrap">
      <Banknote role="img" aria-label={say('cash')} className="size-3.5 text-ink-faint @max-3xs:sr-only" />
      {formats.money(cash)}
    </span>
  )
}

/** Opens a task for those who point; the keyboard has Enter. */
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
