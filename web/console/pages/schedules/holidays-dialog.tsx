import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import type { Answer } from '../../../../contract/operations.ts'
import type { HolidayInput } from '../../../../contract/schedule.ts'
import { api } from '../../../api/client.ts'
import { keysOf } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { today as todayIn } from '../../../tasks/day.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Form, textOf } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { Loaded } from '../../../ui/state.tsx'
import { useSpeech } from '../../../words/console.ts'
import { useSay } from '../record-words.ts'
import { dayName } from './sentence.ts'

type Holiday = Answer<'listHolidays'>['holidays'][number]

/** The days off of a year: the public ones, and the organisation's own. */
export function HolidaysDialog({ onClose }: { onClose: () => void }) {
  const say = useSay()
  const may = useMay()('tasks:write')
  const { timeZone } = useFormats()
  const thisYear = Number(todayIn(timeZone).slice(0, 4))
  const [year, setYear] = useState(thisYear)
  const [added, setAdded] = useState(0)
  const query = useQuery({
    queryKey: [...keysOf.schedules, 'holidays', year],
    queryFn: async () => (await api.listHolidays({ query: { year } })).holidays,
  })
  const changes = ['schedules']
  const add = useSave((body: HolidayInput) => api.addHoliday({ body }), {
    changes,
    inForm: true,
    onDone: ({ holiday }) => {
      setYear(Number(holiday.day.slice(0, 4)))
      setAdded((count) => count + 1)
    },
  })
  const write = useSave(
    (one: Holiday) =>
      one.id === null
        ? api.addHoliday({ body: { day: one.day, isWorkingDay: true } })
        : api.deleteHoliday({ params: { holidayId: one.id } }),
    { changes },
  )
  return (
    <Dialog title={say('holidays')} lead={say('holidaysLead')} open onClose={onClose} side>
      <div className="grid gap-4">
        <SelectField
          label={say('year')}
          value={year}
          onChange={({ target }) => setYear(Number(target.value))}
          className="w-32"
        >
          {[thisYear, thisYear + 1, thisYear + 2].map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </SelectField>
        <Loaded query={query}>
          {(holidays) =>
            holidays.length === 0 ? (
              <p className="text-ink-soft">{say('noHolidays')}</p>
            ) : (
              <ul className="grid">
                {holidays.map((one) => (
                  <Day
                    key={one.day}
                    holiday={one}
                    onWrite={may ? () => write.mutate(one) : undefined}
                    busy={write.isPending}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
        {may && (
          <Form
            key={added}
            busy={add.isPending}
            problem={otherProblem(add.error, ['day', 'name'], say)}
            action={say('addHoliday')}
            onCancel={onClose}
            onSubmit={(form) => add.mutate({ day: textOf(form, 'day') ?? '', name: textOf(form, 'name') ?? '' })}
          >
            <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
              <TextField
                label={say('dayOff')}
                name="day"
                type="date"
                required
                error={fieldProblem(add.error, 'day', say)}
              />
              <TextField
                label={say('name')}
                name="name"
                maxLength={longest.name}
                error={fieldProblem(add.error, 'name', say)}
              />
            </div>
          </Form>
        )}
      </div>
    </Dialog>
  )
}

interface DayProps {
  holiday: Holiday
  busy: boolean
  /** Undefined for who may not. */
  onWrite: (() => void) | undefined
}

/** A public day off can become a working day; what the organisation has written itself can go. */
function Day({ holiday: { id, day, name, isWorkingDay }, busy, onWrite }: DayProps) {
  const say = useSay()
  const { language } = useSpeech()
  const date = dayName(day, language)
  const action = say(id === null ? 'workThatDay' : isWorkingDay ? 'offAgain' : 'delete')
  return (
    <li
      data-day={day}
      className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-1 last:border-0"
    >
      <span className={isWorkingDay ? 'numbers text-ink-soft line-through' : 'numbers font-medium'}>{date}</span>
      <span className="min-w-0 grow text-ink-soft [overflow-wrap:anywhere]">
        {[name, isWorkingDay ? say('isWorkingDay') : id !== null && say('ownHoliday')].filter(Boolean).join(' · ')}
      </span>
      {onWrite && (
        <Button look="quiet" disabled={busy} aria-label={`${action}: ${date}`} onClick={onWrite}>
          {action}
        </Button>
      )}
    </li>
  )
}
