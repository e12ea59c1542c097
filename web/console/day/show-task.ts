import { dayOf } from '../../../core/task-day.ts'
import type { Task } from '../../api/data.ts'
import { useFormats } from '../../api/time.ts'
import { dayToFind } from '../../tasks/day.ts'
import { useTell } from '../../ui/toast.tsx'
import { useSay } from '../../words/words.ts'
import { useDispatch } from './dispatch.tsx'

/** Goes to a day, today being the one without a name in the address. */
export function useGoToDay() {
  const { change } = useDispatch()
  const { timeZone } = useFormats()
  return (day: string, task?: number) =>
    change({ day: day === dayOf(Date.now(), timeZone) ? undefined : day, task }, false)
}

/** Tells that a task was stored and, if it is not among those that are shown, under which day it is. */
export function useTellStored() {
  const { day } = useDispatch()
  const { date, timeZone } = useFormats()
  const tell = useTell()
  const say = useSay()
  const goTo = useGoToDay()
  return (task: Task, isNew: boolean) => {
    const { awb, id } = task
    const where = dayToFind(task, day, timeZone)
    const text = say(isNew ? 'taskCreated' : 'taskSaved', { awb })
    // Noon is on the same day in every zone we write it in.
    const elsewhere = where === day ? '' : ` · ${say('onDay', { day: date(`${where}T12:00:00Z`) })}`
    const link = { label: say('show'), go: () => goTo(where, id) }
    tell(text + elsewhere, isNew || elsewhere ? { link } : {})
  }
}
