import type { ReactNode } from 'react'
import type { Task } from '../../api/data.ts'
import { join } from '../../ui/class-names.ts'

interface StopLineProps {
  task: Pick<Task, 'address'> | undefined
  awb: string
  /** The marks are of an order that has changed since. */
  isOld?: boolean
  children?: ReactNode
}
/** Where a stop of a row is, which task where there is room for it, and marks: below, if there is no room beside. */
export function StopLine({ task, awb, isOld, children }: StopLineProps) {
  return (
    <span className="flex min-w-0 grow flex-wrap items-center gap-x-2">
      <span className="@container flex min-w-32 grow basis-0 gap-1.5">
        <span className="min-w-0 truncate font-medium">{task?.address.address ?? awb}</span>
        <span className="@min-[10rem]:block hidden min-w-10 shrink-[3] truncate text-ink-faint">{awb}</span>
      </span>
      {children && (
        <span className={join('ml-auto flex flex-wrap items-center justify-end gap-x-2', isOld && 'opacity-50')}>
          {children}
        </span>
      )}
    </span>
  )
}
