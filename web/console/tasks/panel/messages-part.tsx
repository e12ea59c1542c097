import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { keysOf, type Task } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { useSay } from '../../../words/console.ts'
import { causeInWords, MessageState, whyNot } from '../message-result.tsx'
import { Part } from './fact.tsx'

/** What the customer of a task was told. */
export function MessagesPart({ task }: { task: Task }) {
  const say = useSay()
  const may = useMay()
  const { dateTime } = useFormats()
  const { data } = useQuery({
    queryKey: [...keysOf.messages, 'task', task.id],
    queryFn: () => api.listMessages({ query: { taskId: task.id, limit: 50 } }),
    enabled: may('messages:read'),
  })
  if (!data?.messages.length) return null
  return (
    <Part title={say('messagesToCustomer')}>
      <ul className="grid gap-2">
        {data.messages.map((message) => (
          <li key={message.id}>
            <p className="flex flex-wrap items-center gap-x-2">
              <span className="font-medium">{causeInWords(message.cause, say)}</span>
              <MessageState message={message} />
              <span className="numbers text-ink-faint text-xs">{dateTime(message.endedAt ?? message.createdAt)}</span>
            </p>
            <p className="text-ink-soft [overflow-wrap:anywhere]">{whyNot(message, say) || message.text}</p>
          </li>
        ))}
      </ul>
    </Part>
  )
}
