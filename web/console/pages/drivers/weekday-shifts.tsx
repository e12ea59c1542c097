import { type ReactNode, useState } from 'react'
import type { Driver } from '../../../api/data.ts'
import { SelectField } from '../../../ui/field.tsx'
import { textOf } from '../../../ui/form.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { readWeek, WeekdayHours } from '../weekday-hours.tsx'

/** What the form says about hours: one shift for every day, or one for each day of the week that has any. */
export const readHours = (form: FormData) =>
  form.get('hours') === 'week'
    ? { shiftTimes: readWeek(form) }
    : {
        startShiftTime: textOf(form, 'startShiftTime'),
        endShiftTime: textOf(form, 'endShiftTime'),
        shiftTimes: [],
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
  const hours = driver?.shiftTimes ?? []
  const [byWeekday, setByWeekday] = useState(hours.length > 0)
  const usual = { start: driver?.startShiftTime ?? '08:00', end: driver?.endShiftTime ?? '16:00' }
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
        <WeekdayHours hours={hours} days={[1, 2, 3, 4, 5]} usual={usual} wrong={wrong} />
      ) : (
        <div className="grid grid-cols-2 gap-3">{children}</div>
      )}
    </fieldset>
  )
}
