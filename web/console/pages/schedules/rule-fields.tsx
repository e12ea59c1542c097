import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { mostInterval } from '../../../../contract/limits.ts'
import type { PreviewInput } from '../../../../contract/schedule.ts'
import { frequencies, weeksOfMonth } from '../../../../core/recurrence.ts'
import { api } from '../../../api/client.ts'
import { Checkbox, SelectField, TextField } from '../../../ui/field.tsx'
import { useSpeech } from '../../../words/console.ts'
import { useSay } from '../record-words.ts'
import { type RuleDraft, ruleOf } from './rule.ts'
import { dayName, tellRule, weekdayName } from './sentence.ts'

const week = [1, 2, 3, 4, 5, 6, 7]

interface Props {
  rule: RuleDraft
  set: (more: Partial<RuleDraft>) => void
  wrong: (field: string) => string | undefined
}

/** How often something repeats, with its next dates below. */
export function RuleFields({ rule, set, wrong }: Props) {
  const say = useSay()
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">{say('whenItHappens')}</legend>
      <div className="grid grid-cols-2 gap-3">
        <SelectField
          label={say('repeatsEvery')}
          value={rule.every}
          onChange={({ target }) => set({ every: target.value as RuleDraft['every'] })}
        >
          {frequencies.map((every) => (
            <option key={every} value={every}>
              {say(`every_${every}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={say('repeatInterval')}
          hint={say('repeatIntervalHint')}
          type="number"
          min={1}
          max={mostInterval}
          required
          value={rule.interval}
          onChange={({ target }) => set({ interval: target.value })}
          error={wrong('repeats.interval')}
        />
      </div>
      {rule.every === 'week' && <Weekdays rule={rule} set={set} />}
      {rule.every === 'month' && <DayOfMonth rule={rule} set={set} wrong={wrong} />}
      <div className="grid grid-cols-2 gap-3">
        {(['start', 'end'] as const).map((name) => (
          <TextField
            key={name}
            label={say(name === 'start' ? 'windowFrom' : 'windowUntil')}
            type="time"
            value={rule[name]}
            onChange={({ target }) => set({ [name]: target.value })}
            error={wrong(name)}
          />
        ))}
        {(['from', 'until'] as const).map((name) => (
          <TextField
            key={name}
            label={say(name === 'from' ? 'beginsOn' : 'endsOn')}
            type="date"
            required={name === 'from'}
            value={rule[name]}
            onChange={({ target }) => set({ [name]: target.value })}
            error={wrong(name)}
          />
        ))}
      </div>
      <Checkbox
        label={say('leaveOutHolidays')}
        checked={rule.skipHolidays}
        onChange={({ target }) => set({ skipHolidays: target.checked })}
      />
      <NextDates input={ruleOf(rule)} />
    </fieldset>
  )
}

function Weekdays({ rule: { weekdays }, set }: Pick<Props, 'rule' | 'set'>) {
  const say = useSay()
  const { language } = useSpeech()
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1 font-medium text-ink-soft">{say('onWeekdays')}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1.5">
        {week.map((day) => (
          <Checkbox
            key={day}
            label={weekdayName(day, language, 'short')}
            checked={weekdays.includes(day)}
            onChange={({ target }) =>
              set({ weekdays: week.filter((one) => (one === day ? target.checked : weekdays.includes(one))) })
            }
          />
        ))}
      </div>
    </fieldset>
  )
}

function DayOfMonth({ rule, set, wrong }: Props) {
  const say = useSay()
  const { language } = useSpeech()
  const nth = (at: number, weekday: string) =>
    at === -1 ? say('nth_last', { weekday }) : say(`nth_${at as 1}`, { weekday })
  return (
    <div className="grid grid-cols-2 gap-3">
      <SelectField label={say('dayInMonth')} value={rule.which} onChange={({ target }) => set({ which: target.value })}>
        <option value="date">{say('byDate')}</option>
        {weeksOfMonth.map((at) => (
          <option key={at} value={at}>
            {nth(at, weekdayName(rule.weekday, language))}
          </option>
        ))}
      </SelectField>
      {rule.which === 'date' ? (
        <TextField
          label={say('dateInMonth')}
          type="number"
          min={1}
          max={31}
          required
          value={rule.monthDay}
          onChange={({ target }) => set({ monthDay: target.value })}
          error={wrong('repeats.monthDay')}
        />
      ) : (
        <SelectField
          label={say('onWeekdays')}
          value={rule.weekday}
          onChange={({ target }) => set({ weekday: Number(target.value) })}
        >
          {week.map((day) => (
            <option key={day} value={day}>
              {weekdayName(day, language)}
            </option>
          ))}
        </SelectField>
      )}
    </div>
  )
}

/** What the rule comes to, in words and as dates; the server reckons them, by the same rule as its worker. */
function NextDates({ input }: { input: PreviewInput }) {
  const say = useSay()
  const { language } = useSpeech()
  const { data, isError } = useQuery({
    queryKey: ['schedules', 'preview', input],
    queryFn: async () => (await api.previewSchedule({ body: input })).days,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const rule = {
    repeats: input.repeats,
    from: input.from ?? data?.[0]?.day ?? '2026-01-01',
    start: input.start ?? null,
    end: input.end ?? null,
    skipHolidays: input.skipHolidays ?? false,
  }
  return (
    <section className="grid gap-1 rounded-md bg-sunken px-3 py-2" aria-live="polite">
      <h3 className="font-medium">{say('nextDates')}</h3>
      <p className="text-ink-soft">{tellRule(rule, say, language)}</p>
      {isError && <p className="text-bad">{say('datesUnknown')}</p>}
      {!isError && data?.length === 0 && <p>{say('noDates')}</p>}
      {!isError && data && data.length > 0 && (
        <ul className="numbers grid grid-cols-2 gap-x-3">
          {data.map(({ day, leftOut, holiday }) => (
            <li key={day} className={leftOut ? 'text-ink-soft line-through' : ''}>
              {dayName(day, language)}
              {holiday !== null && <span className="text-ink-soft"> ({holiday || say('isHoliday')})</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
