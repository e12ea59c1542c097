import { type ReactNode, useState } from 'react'
import type { Driver } from '../../../api/data.ts'
import { Checkbox, inputLook, SelectField } from '../../../ui/field.tsx'
import { textOf } from '../../../ui/form.tsx'
import { useSpeech } from '../../../words/console.ts'
import { useLaterSay } from '../../../words/later.ts'
import { weekdayName, weekdays } from './week.ts'

/** What the form says about hours: one shift for every day, or one for each day of the week that has any. */
export function readHours(form: FormData) {
  if (form.get('hours') !== 'week')
    return {
      startShiftTime: textOf(form, 'startShiftTime'),
      endShiftTime: textOf(form, 'endShiftTime'),
      shiftTimes: [],
    }
  return {
    shiftTimes: weekdays
      .filter((day) => form.has(`works${day}`))
      .map((day) => ({ day, start: String(form.get(`start${day}`)), end: String(form.get(`end${day}`)) })),
  }
}

interface Props {
  driver: Driver | undefined
  /** The fields of the shift that is the same every day. */
  children: ReactNode
  /** What is wrong with a field. */
  wrong: (field: string) => string | undefined
}

/** When a driver works: the same hours every day, or other ones on each day of the week. */
export function WeekdayShifts({ driver, children, wrong }: Props) {
  const say = useLaterSay('days')
  const { language } = useSpeech()
  const known = new Map(driver?.shiftTimes.map((shift) => [shift.day, shift]))
  const [byWeekday, setByWeekday] = useState(known.size > 0)
  const [works, setWorks] = useState<ReadonlySet<number>>(
    () => new Set(known.size > 0 ? known.keys() : [1, 2, 3, 4, 5]),
  )
  const usual = { start: driver?.startShiftTime ?? '08:00', end: driver?.endShiftTime ?? '16:00' }
  const problem = [0, 1, 2, 3, 4, 5, 6]
    .flatMap((index) => ['start', 'end', 'day'].map((part) => wrong(`shiftTimes.${index}.${part}`)))
    .find(Boolean)
  const toggle = (day: number, isOn: boolean) =>
    setWorks((before) => new Set(isOn ? [...before, day] : [...before].filter((one) => one !== day)))
  return (
    <fieldset className="grid gap-2">
      <legend className="sr-only">{say('shiftHours')}</legend>
      <SelectField
        label={say('shiftHours')}
        name="hours"
        value={byWeekday ? 'week' : 'same'}
        onChange={({ target }) => setByWeekday(target.value === 'week')}
      >
        <option value="same">{say('sameEveryDay')}</option>
        <option value="week">{say('byWeekday')}</option>
      </SelectField>
      {byWeekday ? (
        weekdays.map((day) => {
          const name = weekdayName(language, day, 'long')
          return (
            <div key={day} className="grid grid-cols-[1fr_7rem_7rem] items-center gap-2">
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
        })
      ) : (
        <div className="grid grid-cols-2 gap-3">{children}</div>
      )}
      {problem && <p className="text-bad">{problem}</p>}
    </fieldset>
  )
}
