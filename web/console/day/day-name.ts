import { dayOf } from '../../../core/task-day.ts'
import { useFormats } from '../../api/time.ts'

/** The name of a day given as YYYY-MM-DD: "Sat, Nov 15", and the year if it is another. */
export function useDayName() {
  const { dayInWords, timeZone } = useFormats()
  const [thisYear] = dayOf(Date.now(), timeZone).split('-')
  return (day: string) => {
    const [year] = day.split('-')
    return `${dayInWords(day, true)}${year === thisYear ? '' : ` ${year}`}`
  }
}
