import { useQuery } from '@tanstack/react-query'
import { CalendarSearch } from 'lucide-react'
import { useMemo } from 'react'
import { readSearch } from '../../../../core/search.ts'
import { api } from '../../../api/client.ts'
import { useFormats } from '../../../api/time.ts'
import { dayToFind, isShownOn } from '../../../tasks/day.ts'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { useSay } from '../../../words/console.ts'
import { useDayName } from '../../day/day-name.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { FoundTask } from '../../day/found-task.tsx'

const most = 50
/** A single letter finds half of all tasks. */
const fewestLetters = 2

/** What the search finds on other days, the newest first. The server knows them, the page does not. */
export default function OtherDays({ className }: { className?: string }) {
  const say = useSay()
  const { filters, day } = useDispatch()
  const { timeZone } = useFormats()
  const dayName = useDayName()
  const q = filters.q?.trim() ?? ''
  const isWorthIt = readSearch(q).some(([word = '']) => word.length >= fewestLetters)
  const { data, error, refetch } = useQuery({
    queryKey: ['search', q],
    queryFn: () => api.listTasks({ query: { q, order: 'newest', limit: most } }),
    enabled: isWorthIt,
    staleTime: 10_000,
  })
  const days = useMemo(() => {
    const others = (data?.tasks ?? []).filter((task) => !isShownOn(task, day, timeZone))
    const byDay = Map.groupBy(others, (task) => dayToFind(task, day, timeZone))
    return [...byDay].sort(([one], [other]) => (one < other ? 1 : -1))
  }, [data, day, timeZone])
  const count = days.reduce((sum, [, tasks]) => sum + tasks.length, 0)
  if (!isWorthIt || (count === 0 && !error)) return null
  return (
    <section
      aria-label={say('otherDays', { n: count })}
      className={join('min-h-0 shrink-0 overflow-y-auto border-line bg-surface p-1.5', className)}
    >
      {error && !data ? (
        <p role="alert" className="flex items-center gap-2 px-1.5 text-bad">
          {say('otherDaysFailed')}
          <Button onClick={() => void refetch()}>{say('retry')}</Button>
        </p>
      ) : (
        <>
          <h2 className="flex items-center gap-1.5 px-1.5 py-0.5 font-semibold">
            <CalendarSearch aria-hidden className="size-4 text-ink-soft" />
            {say('otherDays', { n: count })}
          </h2>
          {days.map(([day, tasks]) => (
            <div key={day}>
              <h3 className="numbers px-1.5 pt-1.5 text-ink-soft text-xs">{dayName(day)}</h3>
              <ul>
                {tasks.map((task) => (
                  <li key={task.id}>
                    <FoundTask task={task} day={day} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
          {data?.nextCursor && <p className="px-1.5 pt-1 text-ink-faint">{say('otherDaysMore', { n: most })}</p>}
        </>
      )}
    </section>
  )
}
