import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Answer } from '../../../../contract/operations.ts'
import { addDays } from '../../../../core/day-range.ts'
import { isOpen } from '../../../../core/task-status.ts'
import { api } from '../../../api/client.ts'
import { keysOf, type Schedule } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { today as todayIn } from '../../../tasks/day.ts'
import { StatusBadge } from '../../../tasks/status.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useSave } from '../../../ui/save.ts'
import { Loaded } from '../../../ui/state.tsx'
import { useSpeech } from '../../../words/console.ts'
import { useSay } from '../record-words.ts'
import { dayName } from './sentence.ts'

type Occurrence = Answer<'listOccurrences'>['occurrences'][number]

/** As many days as the server lists at once. */
const shownDays = 92

/** The days of regular work: what has a task, what is to come, and what is left out and why. One day is skipped here. */
export function DaysDialog({ schedule: { id, name }, onClose }: { schedule: Schedule; onClose: () => void }) {
  const say = useSay()
  const { timeZone } = useFormats()
  const from = todayIn(timeZone)
  const params = { scheduleId: id }
  const days = useQuery({
    queryKey: [...keysOf.schedules, id, 'days', from],
    queryFn: async () =>
      (await api.listOccurrences({ params, query: { from, to: addDays(from, shownDays - 1) } })).occurrences,
  })
  /** As the list is now: somebody else may have skipped another day. */
  const save = useSave(
    async ({ day, isSkipped }: { day: string; isSkipped: boolean }) => {
      const { skips } = (await api.getSchedule({ params })).schedule
      const others = skips.filter((one) => one !== day)
      await api.updateSchedule({ params, body: { skips: isSkipped ? [...others, day] : others } })
    },
    { changes: ['schedules'] },
  )
  return (
    <Dialog title={say('daysOf', { name })} lead={say('daysLead')} open onClose={onClose} side>
      <Loaded query={days}>
        {(occurrences) =>
          occurrences.length === 0 ? (
            <p>{say('noDays')}</p>
          ) : (
            <ul className="grid">
              {occurrences.map((one) => (
                <Day
                  key={one.day}
                  occurrence={one}
                  busy={save.isPending}
                  onSkip={(isSkipped) => save.mutate({ day: one.day, isSkipped })}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  )
}

interface DayProps {
  occurrence: Occurrence
  busy: boolean
  onSkip: (isSkipped: boolean) => void
}

function Day({ occurrence, busy, onSkip }: DayProps) {
  const say = useSay()
  const { language } = useSpeech()
  const { day, leftOut, statusId, isChanged } = occurrence
  // What was edited or has begun stays whatever becomes of the series.
  const follows = statusId === null || (isOpen({ statusId }) && !isChanged)
  const date = dayName(day, language)
  return (
    <li
      data-day={day}
      className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-1 last:border-0"
    >
      <span className={leftOut && statusId === null ? 'numbers text-ink-soft line-through' : 'numbers font-medium'}>
        {date}
      </span>
      <span className="min-w-0 grow text-ink-soft">
        <State occurrence={occurrence} />
      </span>
      {leftOut === 'skipped' ? (
        <Button
          look="quiet"
          disabled={busy}
          aria-label={`${say('takeSkipBack')}: ${date}`}
          onClick={() => onSkip(false)}
        >
          {say('takeSkipBack')}
        </Button>
      ) : (
        leftOut === null &&
        follows && (
          <Button look="quiet" disabled={busy} aria-label={`${say('skipDay')}: ${date}`} onClick={() => onSkip(true)}>
            {say('skipDay')}
          </Button>
        )
      )}
    </li>
  )
}

function State({ occurrence: { leftOut, holiday, taskId, awb, statusId, isChanged } }: { occurrence: Occurrence }) {
  const say = useSay()
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {awb !== null && taskId !== null && statusId !== null ? (
        <>
          <Link
            to="/"
            search={{ task: taskId }}
            className="text-accent underline-offset-2 [overflow-wrap:anywhere] hover:underline"
          >
            {awb}
          </Link>
          <StatusBadge statusId={statusId} />
          {isChanged && <span>{say('editedByHand')}</span>}
        </>
      ) : (
        leftOut === null && say(taskId === null ? 'toBeMade' : 'deletedByHand')
      )}
      {leftOut === 'skipped' && say('daySkipped')}
      {leftOut === 'holiday' && (holiday || say('isHoliday'))}
      {leftOut === null && holiday !== null && `(${holiday || say('isHoliday')})`}
    </span>
  )
}
