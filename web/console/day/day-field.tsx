import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef } from 'react'
import { useFormats } from '../../api/time.ts'
import { addDays } from '../../tasks/day.ts'
import { IconButton } from '../../ui/button.tsx'
import { inputLook } from '../../ui/field.tsx'
import { useSay } from '../../words/console.ts'
import { useDayName } from './day-name.ts'

interface Props {
  day: string
  isToday: boolean
  onChange: (day: string) => void
}

/** A day, with buttons for the days before and after. */
export function DayField({ day, isToday, onChange }: Props) {
  const say = useSay()
  const { dayInWords } = useFormats()
  const dayName = useDayName()
  return (
    <div className="flex shrink-0 items-center">
      <IconButton label={say('previousDay')} onClick={() => onChange(addDays(day, -1))}>
        <ChevronLeft />
      </IconButton>
      <DayInput
        label={say('day')}
        day={day}
        words={isToday ? `${say('today')}, ${dayInWords(day)}` : dayName(day)}
        onChange={onChange}
      />
      <IconButton label={say('nextDay')} onClick={() => onChange(addDays(day, 1))}>
        <ChevronRight />
      </IconButton>
    </div>
  )
}

interface InputProps {
  label: string
  day: string
  words: string
  onChange: (day: string) => void
}

/**
 * A day in words. The browser's date field is under the words: a click opens its calendar. It becomes visible while
 * someone types, because it has its own format and language.
 */
export function DayInput({ label, day, words, onChange }: InputProps) {
  const field = useRef<HTMLInputElement>(null)
  const openCalendar = () => {
    try {
      field.current?.showPicker()
    } catch {
      // In a browser without a calendar a date can still be typed.
    }
  }
  return (
    <span className="relative grid">
      <span
        aria-hidden
        className="numbers flex h-8 min-w-28 items-center justify-center whitespace-nowrap rounded-md border border-line bg-surface px-2.5 font-medium"
      >
        {words}
      </span>
      <input
        ref={field}
        type="date"
        aria-label={label}
        value={day}
        onClick={openCalendar}
        onChange={(event) => event.target.value && onChange(event.target.value)}
        className={`${inputLook} absolute inset-0 cursor-pointer !px-2 opacity-0 focus-visible:opacity-100 [&::-webkit-calendar-picker-indicator]:hidden`}
      />
    </span>
  )
}
