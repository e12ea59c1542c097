import { ChevronLeft, ChevronRight } from 'lucide-react'
import { mostReportDays } from '../../../../contract/limits.ts'
import {
  addDays,
  type DayRange,
  daysIn,
  nameOfRange,
  type RangeName,
  rangeNames,
  rangeOf,
} from '../../../../core/day-range.ts'
import { IconButton } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { inputLook } from '../../../ui/field.tsx'
import { DayInput } from '../../day/day-field.tsx'
import { useDayName } from '../../day/day-name.ts'
import { useSay, type Word } from '../record-words.ts'

const words = {
  today: 'today',
  yesterday: 'yesterday',
  thisWeek: 'thisWeek',
  lastWeek: 'lastWeek',
  last7Days: 'last7Days',
  thisMonth: 'thisMonth',
  lastMonth: 'lastMonth',
} as const satisfies Record<RangeName, Word>

interface Props {
  range: DayRange
  today: string
  onChange: (range: DayRange) => void
}

/** The days to look at: one of the usual ranges, or from a day to a day; the arrows move by as many days as it has. */
export function RangeField({ range, today, onChange }: Props) {
  const say = useSay()
  const dayName = useDayName()
  const name = nameOfRange(range, today)
  const days = daysIn(range)
  const move = (by: number) => onChange({ from: addDays(range.from, by), to: addDays(range.to, by) })
  return (
    <div className="flex flex-wrap items-center gap-1">
      <select
        aria-label={say('period')}
        value={name ?? ''}
        onChange={({ target }) => target.value && onChange(rangeOf(target.value as RangeName, today))}
        className={join(inputLook, 'no-print !w-auto')}
      >
        {name === undefined && <option value="">{say('otherPeriod')}</option>}
        {rangeNames.map((one) => (
          <option key={one} value={one}>
            {say(words[one])}
          </option>
        ))}
      </select>
      <div className="flex items-center">
        <IconButton
          label={say(days === 1 ? 'previousDay' : 'earlierDays')}
          className="no-print"
          onClick={() => move(-days)}
        >
          <ChevronLeft />
        </IconButton>
        <DayInput
          label={say('firstDay')}
          day={range.from}
          words={dayName(range.from)}
          onChange={(from) => onChange({ from, to: latest(from, range.to) })}
        />
        <span aria-hidden className="px-1">
          –
        </span>
        <DayInput
          label={say('lastDay')}
          day={range.to}
          words={dayName(range.to)}
          onChange={(to) => onChange({ from: earliest(range.from, to), to })}
        />
        <IconButton label={say(days === 1 ? 'nextDay' : 'laterDays')} className="no-print" onClick={() => move(days)}>
          <ChevronRight />
        </IconButton>
      </div>
    </div>
  )
}

/** The end that fits a new beginning: not before it, and not further than a report goes. */
function latest(from: string, to: string) {
  const furthest = addDays(from, mostReportDays - 1)
  return to < from ? from : to > furthest ? furthest : to
}

function earliest(from: string, to: string) {
  const furthest = addDays(to, 1 - mostReportDays)
  return from > to ? to : from < furthest ? furthest : from
}
