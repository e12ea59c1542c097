import type { Task } from '../../api/data.ts'

/** Where a stop of a row is and which task, the latter where there is room for both. */
export function StopName({ task, awb }: { task: Pick<Task, 'address'> | undefined; awb: string }) {
  return (
    <span className="@container flex min-w-0 grow gap-1.5">
      <span className="min-w-0 truncate font-medium">{task?.address.address ?? awb}</span>
      <span className="@min-[8rem]:block hidden min-w-10 shrink-[3] truncate text-ink-faint">{awb}</span>
    </span>
  )
}
