import type { PhoneTask } from '../../../contract/sync.ts'
import type { Settings } from '../../../core/settings.ts'
import type { Formats } from '../../api/formats.ts'
import { shortAddress } from '../../tasks/address.ts'

/** What a line of the list says, by the path the organisation has chosen; empty if the task has nothing there. */
function readPath(task: PhoneTask, path: string, formats: Formats): string {
  if (path === 'address.address') return shortAddress(task)
  if (path === 'completeBefore' || path === 'completeAfter')
    return formats.window(task.completeAfter, task.completeBefore)
  let value: unknown = task
  for (const part of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[part]
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? formats.dateTime(value) : value
  return typeof value === 'number' ? formats.number(value) : ''
}

/** The lines of a task in the list. What the organisation left out, or the task does not have, takes no place. */
export function linesOf(task: PhoneTask, settings: Settings, formats: Formats): string[] {
  const paths = [settings.orderListViewDataLine1, settings.orderListViewDataLine2, settings.orderListViewDataLine3]
  const lines = paths.map((path) => (path ? readPath(task, path, formats) : '')).filter(Boolean)
  return lines.length > 0 ? lines : [shortAddress(task)]
}
