import { MessageSquare, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { causeNames, messageStates } from '../../../../core/message-rules/causes.ts'
import { api } from '../../../api/client.ts'
import { keysOf } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { ConfirmWrite } from '../../../ui/confirm.tsx'
import { inputLook } from '../../../ui/field.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { useSave } from '../../../ui/save.ts'
import { EmptyState } from '../../../ui/state.tsx'
import { useSay } from '../../../words/console.ts'
import { causeInWords, type Message, MessageState, stateInWords, whyNot } from '../../tasks/message-result.tsx'

/** Every message and what became of it, newest first. */
export function MessageLog() {
  const say = useSay()
  const [state, setState] = useState('')
  const [cause, setCause] = useState('')
  const read = async (paging: object) => {
    const query = { ...(state && { state }), ...(cause && { cause }), ...paging }
    const { messages: items, nextCursor } = await api.listMessages({ query })
    return { items, nextCursor }
  }
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Choice label={say('state')} any={say('anyState')} value={state} onChange={setState}>
          {messageStates.map((one) => [one, stateInWords(one, say)])}
        </Choice>
        <Choice label={say('messageCause')} any={say('anyCause')} value={cause} onChange={setCause}>
          {[...causeNames, 'test'].map((one) => [one, causeInWords(one, say)])}
        </Choice>
      </div>
      <PagedList
        queryKey={[...keysOf.messages, 'log', state, cause]}
        read={read}
        everyMs={10_000}
        empty={
          <EmptyState picture={<MessageSquare />} title={say('noMessages')}>
            {say('noMessagesLead')}
          </EmptyState>
        }
      >
        {(message) => <Entry key={message.id} message={message} />}
      </PagedList>
    </div>
  )
}

interface ChoiceProps {
  label: string
  any: string
  value: string
  onChange: (value: string) => void
  children: [value: string, name: string][]
}

const Choice = ({ label, any, value, onChange, children }: ChoiceProps) => (
  <select
    aria-label={label}
    value={value}
    onChange={({ target }) => onChange(target.value)}
    className={join(inputLook, '!w-44')}
  >
    <option value="">{any}</option>
    {children.map(([one, name]) => (
      <option key={one} value={one}>
        {name}
      </option>
    ))}
  </select>
)

function Entry({ message }: { message: Message }) {
  const say = useSay()
  const { dateTime } = useFormats()
  const { cause, awb, to, text, subject, segments, createdAt, endedAt } = message
  const why = whyNot(message, say)
  return (
    <li className="rounded-lg border border-line bg-surface">
      <details>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
          <MessageState message={message} />
          <span className="font-medium">{causeInWords(cause, say)}</span>
          {awb && <span className="[overflow-wrap:anywhere]">{awb}</span>}
          {to && <span className="text-ink-soft [overflow-wrap:anywhere]">{say('messageTo', { address: to })}</span>}
          <span className="numbers ml-auto text-ink-faint">{dateTime(endedAt ?? createdAt)}</span>
          {why && <span className="w-full text-ink-soft [overflow-wrap:anywhere]">{why}</span>}
        </summary>
        <div className="grid gap-2 border-line border-t px-3 py-2">
          {subject && <p className="font-medium [overflow-wrap:anywhere]">{subject}</p>}
          <p className="whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>
          {segments !== null && <p className="text-ink-faint">{say('messageSegments', { n: segments })}</p>}
          {message.canRetry && <SendAgain message={message} />}
        </div>
      </details>
    </li>
  )
}

/** What may have been sent is asked about first. */
function SendAgain({ message: { id, state } }: { message: Message }) {
  const say = useSay()
  const may = useMay()
  const [isAsking, setIsAsking] = useState(false)
  const retry = useSave(() => api.retryMessage({ params: { messageId: id } }), {
    changes: ['messages'],
    told: say('sentAgain'),
  })
  if (!may('messages:write')) return null
  return (
    <>
      <Button
        className="justify-self-start"
        busy={retry.isPending}
        onClick={() => (state === 'unknown' ? setIsAsking(true) : retry.mutate(undefined))}
      >
        <RotateCw aria-hidden />
        {say('sendAgain')}
      </Button>
      {isAsking && (
        <ConfirmWrite
          title={say('sendAgain')}
          action={say('sendAgain')}
          write={() => api.retryMessage({ params: { messageId: id } })}
          changes={['messages']}
          told={say('sentAgain')}
          onClose={() => setIsAsking(false)}
        >
          {say('sendAgainUnknown')}
        </ConfirmWrite>
      )}
    </>
  )
}
