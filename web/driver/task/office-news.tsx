import { ChevronRight, Headset } from 'lucide-react'
import { useRef, useState } from 'react'
import type { PhoneTask } from '../../../contract/sync.ts'
import type { ShownTask } from '../../../phone/state.ts'
import { useSay } from '../../words/driver.ts'
import { screens } from '../looks/screen.ts'
import { phone } from '../outbox/phone.ts'

/*
 * What the office writes while a stop is open must not push its buttons away under the thumb. It waits behind a line above
 * the main button, until the driver taps that.
 */

/** The stop with what was written about it when it was opened or last shown, and a way to show the rest. */
export function useOfficeNews(task: ShownTask, driverId: number) {
  const told = useRef<PhoneTask>(task)
  const [isSeen, setSeen] = useState(!task.isNew)
  if (!isSeen && !task.isNew) setSeen(true)
  const hasNews = isSeen && task.isNew
  if (!hasNews) told.current = task
  const { customerNotes, details, quantity, customFields, notes } = told.current
  const known = new Set(notes.map(({ id }) => id))
  const shown: ShownTask = hasNews
    ? {
        ...task,
        customerNotes,
        details,
        quantity,
        customFields,
        notes: task.notes.filter(({ id, userId }) => userId === driverId || known.has(id)),
      }
    : task
  const show = () => {
    void phone.noteSeen(task.id)
    document.getElementById('office-says')?.scrollIntoView()
  }
  return { shown, show: hasNews ? show : undefined }
}

const look =
  'mb-2.5 flex min-h-12 w-full items-center gap-2.5 rounded-xl bg-given-soft px-3 text-left font-semibold text-given'

const Line = () => (
  <>
    <Headset aria-hidden className="size-5.5 shrink-0" />
    <span className="min-w-0 flex-1">{useSay()('officeChanged')}</span>
    <ChevronRight aria-hidden className="size-5 shrink-0" />
  </>
)

/** Nothing if `onShow` is undefined. */
export const ShowNews = ({ onShow }: { onShow: (() => void) | undefined }) => (
  <div role="status">
    {onShow && (
      <button type="button" className={look} onClick={onShow}>
        <Line />
      </button>
    )}
  </div>
)

/** On the screens of a stop that do not show what the office says: leads to where it stands. */
export const NewsAtStop = ({ task }: { task: ShownTask }) => (
  <div role="status">
    {task.isNew && (
      <a href={screens.task(task.id)} className={look}>
        <Line />
      </a>
    )}
  </div>
)
