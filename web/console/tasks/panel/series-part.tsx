import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isEnded } from '../../../../core/task-status.ts'
import { api } from '../../../api/client.ts'
import { keysOf, type Task } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { isGone } from '../task-query.ts'
import { Part } from './fact.tsx'

/** The regular work that made a task, and what is to be changed: this one, or the rest. */
export default function SeriesPart({ task, onEdit }: { task: Task; onEdit: () => void }) {
  const say = useLaterSay('records')
  const may = useMay()('tasks:write')
  const scheduleId = task.scheduleId as number
  const { data, error } = useQuery({
    queryKey: [...keysOf.schedules, scheduleId],
    queryFn: async () => (await api.getSchedule({ params: { scheduleId } })).schedule,
    retry: (count, error) => count < 2 && !isGone(error),
    staleTime: 60_000,
  })
  if (isGone(error)) return <Part title={say('partOfEnded')}>{null}</Part>
  if (!data) return null
  const isOpen = !isEnded(task) && task.erasedAt === undefined
  return (
    <Part title={say('partOf', { name: data.name })}>
      {may && (
        <>
          {isOpen && <p className="mb-2 text-ink-soft">{say('partOfLead')}</p>}
          <div className="flex flex-wrap items-center gap-2">
            {isOpen && <Button onClick={onEdit}>{say('editThisOne')}</Button>}
            <Link
              to="/schedules"
              search={{ edit: scheduleId }}
              className="rounded-md px-2 py-1 font-medium text-accent underline-offset-2 hover:underline"
            >
              {say('editTheRest')}
            </Link>
          </div>
        </>
      )}
    </Part>
  )
}
