import type { Task } from '../../api/data.ts'
import { StatusIcon } from '../../tasks/status.tsx'
import { AddressOf } from './erased.tsx'
import { useGoToDay } from './show-task.ts'

/** A task of any day, on a line that leads to it. */
export function FoundTask({ task, day, dayName }: { task: Task; day: string; dayName?: string }) {
  const goTo = useGoToDay()
  return (
    <button
      type="button"
      onClick={() => goTo(day, task.id)}
      className="flex w-full items-center gap-2 rounded px-1.5 py-1 text-left leading-tight hover:bg-hover"
    >
      <StatusIcon statusId={task.statusId} side={task.side} />
      <span className="min-w-0 grow">
        <span className="block truncate">
          <AddressOf task={task} />
        </span>
        <span className="numbers block truncate text-ink-soft text-xs">
          {[dayName, task.awb, task.customer?.name].filter(Boolean).join(' · ')}
        </span>
      </span>
    </button>
  )
}
