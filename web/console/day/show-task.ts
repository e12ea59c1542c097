import { dayOf } from '../../../core/task-day.ts'
import type { Task } from '../../api/data.ts'
import { useFormats } from '../../api/time.ts'
import { dayToFind } from '../../tasks/day.ts'
import { useTell } from '../../ui/toast.tsx'
import { useSay } from '../../words/console.ts'
import { useDispatch } from './dispatch.tsx'

/** Shows a day; for today the address has no date. */
export function useGoToDay() {
  const { change } = useDispatch()
  const { timeZone } = useFormats()
  return (day: string, task?: number) =>
    change({ day: day === dayOf(Date.now(), timeZone) ? undefined : day, task }, false)
}

/** Shows that a task was saved and, if it is not on the selected day, on which day it is. */
export function useTellStored() {
  const { day } = useDispatch()
  const { dayInWords, timeZone } = useFormats()
  const tell = useTell()
  const say = useSay()
  const goTo = useGoToDay()
  return (task: Task, isNew: boolean) => {
    const { awb, id } = task
    const where = dayToFind(task, day, timeZone)
    const text = say(isNew ? 'taskCreated' : 'taskSaved', { awb })
    const elsewhere = where === day ? '' : ` · ${say('onDay', { day: dayInWords(where) })}`
    const link = { label: say('show'), go: () => goTo(where, id) }
    tell(text + elsewhere, isNew || elsewhere ? { link } : {})
  }
}
