import { useState } from 'react'
import type { Company } from '../../api/data.ts'
import { Checkbox, inputLook } from '../../ui/field.tsx'
import { useSpeech } from '../../words/console.ts'
import { useLaterSay } from '../../words/later.ts'
import { weekdayName, weekdays } from './drivers/week.ts'

type Hours = Company['shiftTimes']

/** The hours in a form, of each day of the week that has any. */
export const readWeek = (form: FormData): Hours =>
  weekdays
    .filter((day) => form.has(`works${day}`))
    .map((day) => ({ day, start: String(form.get(`start${day}`)), end: String(form.get(`end${day}`)) }))

interface Props {
  hours: Hours
  /** The days that are ticked at first, if there are no hours yet, and their hours. */
  days?: readonly number[]
  usual: { start: string; end: string }
  /** What is wrong with a field. */
  wrong: (field: string) => string | undefined
}

/** Hours for each day of the week. */
export function WeekdayHours({ hours, days = [], usual, wrong }: Props) {
  const say = useLaterSay('days')
  const { language } = useSpeech()
  const known = new Map(hours.map((one) => [one.day, one]))
  const [works, setWorks] = useState<ReadonlySet<number>>(() => new Set(known.size > 0 ? known.keys() : days))
  const problem = weekdays
    .flatMap((_, index) => ['start', 'end', 'day'].map((part) => wrong(`shiftTimes.${index}.${part}`)))
    .find(Boolean)
  const toggle = (day: number, isOn: boolean) =>
    setWorks((before) => new Set(isOn ? [...before, day] : [...before].filter((one) => one !== day)))
  return (
    <>
      {weekdays.map((day) => {
        const name = weekdayName(language, day, 'long')
        return (
          <div
            key={day}
            className="grid grid-cols-[minmax(0,1fr)_6.5rem_6.5rem] items-center gap-2 max-sm:grid-cols-[minmax(0,1fr)_5.5rem_5.5rem] max-sm:[&_input]:px-1.5"
          >
            <Checkbox
              label={name}
              name={`works${day}`}
              checked={works.has(day)}
              onChange={({ target }) => toggle(day, target.checked)}
            />
            {(['start', 'end'] as const).map((part) => (
              <input
                key={part}
                type="time"
                name={`${part}${day}`}
                aria-label={say(part === 'start' ? 'shiftStartOn' : 'shiftEndOn', { day: name })}
                defaultValue={known.get(day)?.[part] ?? usual[part]}
                disabled={!works.has(day)}
                required
                className={inputLook}
              />
            ))}
          </div>
        )
      })}
      {problem && <p className="text-bad">{problem}</p>}
    </>
  )
}
