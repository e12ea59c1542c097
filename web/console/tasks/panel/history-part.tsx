import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { dayToFind } from '../../../tasks/day.ts'
import { Button } from '../../../ui/button.tsx'
import { useSay, type Word } from '../../../words/console.ts'
import { useDayName } from '../../day/day-name.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { FoundTask } from '../../day/found-task.tsx'
import { Part } from './fact.tsx'

const few = 5
const most = 100

/** The other tasks of the customer, whom we know by their phone, and those at the address, of any day. */
export function HistoryPart({ task }: { task: Task }) {
  const phone = task.customer?.phone ?? ''
  const { address } = task.address
  return (
    <>
      {phone.startsWith('+') && <Others task={task} title="customerHistory" wanted={{ phone }} />}
      {address && <Others task={task} title="addressHistory" wanted={{ address }} />}
    </>
  )
}

interface Props {
  task: Task
  title: Word
  wanted: { phone: string } | { address: string }
}

function Others({ task, title, wanted }: Props) {
  const say = useSay()
  const dayName = useDayName()
  const { timeZone } = useFormats()
  const { day } = useDispatch()
  const [limit, setLimit] = useState(few)
  const { data } = useQuery({
    queryKey: ['history', wanted, limit],
    // Itself is one of them.
    queryFn: () => api.listTasks({ query: { ...wanted, order: 'newest', limit: limit + 1 } }),
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  })
  const others = (data?.tasks ?? []).filter(({ id }) => id !== task.id).slice(0, limit)
  if (others.length === 0) return null
  return (
    <Part title={say(title)}>
      <ul className="-mx-1.5">
        {others.map((other) => {
          const found = dayToFind(other, day, timeZone)
          return (
            <li key={other.id}>
              <FoundTask task={other} day={found} dayName={dayName(found)} />
            </li>
          )
        })}
      </ul>
      {data?.nextCursor && limit < most && <Button onClick={() => setLimit(most)}>{say('more')}</Button>}
    </Part>
  )
}
