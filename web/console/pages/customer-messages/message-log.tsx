import { RotateCw, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
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
import { causeInWords, type Message, MessageState, stateInWords, whyNot } from '../../tasks/message-result.tsx'
import { useSay } from '../record-words.ts'
import { NoMessages } from './no-messages.tsx'

const typingMs = 300
const noFilter = { q: '', state: '', cause: '' }

/** The filter once nobody has typed for a moment. */
function useSettled(filter: typeof noFilter) {
  const [settled, setSettled] = useState(filter)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(filter), filter.q === settled.q ? 0 : typingMs)
    return () => clearTimeout(timer)
  }, [filter, settled.q])
  return settled
}

/** Every message and what became of it, newest first. */
export function MessageLog({ onTexts }: { onTexts: () => void }) {
  const say = useSay()
  const [filter, setFilter] = useState(noFilter)
  const settled = useSettled(filter)
  const q = settled.q.trim()
  const { state, cause } = settled
  const read = async (paging: object) => {
    const query = { ...(q && { q }), ...(state && { state }), ...(cause && { cause }), ...paging }
    const { messages: items, nextCursor } = await api.listMessages({ query })
    return { items, nextCursor }
  }
  return (
    <div className="grid gap-3">
      <search className="flex flex-wrap gap-2">
        <div className="relative min-w-56 flex-1 sm:max-w-sm">
          <Search aria-hidden className="absolute top-2 left-2 size-4 text-ink-faint" />
          <input
            type="search"
            autoComplete="off"
            aria-label={say('search')}
            placeholder={say('searchMessages')}
            maxLength={longest.search}
            value={filter.q}
            onChange={({ target }) => setFilter({ ...filter, q: target.value })}
            className={join(inputLook, 'pl-8')}
          />
        </div>
        <Choice
          label={say('state')}
          any={say('anyState')}
          value={filter.state}
          onChange={(next) => setFilter({ ...filter, state: next })}
        >
          {messageStates.map((one) => [one, stateInWords(one, say)])}
        </Choice>
        <Choice
          label={say('messageCause')}
          any={say('anyCause')}
          value={filter.cause}
          onChange={(next) => setFilter({ ...filter, cause: next })}
        >
          {[...causeNames, 'test'].map((one) => [one, causeInWords(one, say)])}
        </Choice>
      </search>
      <PagedList
        queryKey={[...keysOf.messages, 'log', q, state, cause]}
        read={read}
        everyMs={10_000}
        empty={
          <NoMessages
            isFiltered={q !== '' || state !== '' || cause !== ''}
            onClear={() => setFilter(noFilter)}
            onTexts={onTexts}
          />
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
    <li className="flex flex-wrap rounded-lg border border-line bg-surface">
      <details className="min-w-56 flex-1">
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
        </div>
      </details>
      {message.canRetry && <SendAgain message={message} />}
    </li>
  )
}

/** In sight, not behind a click: it is why people come here. What may have been sent is asked about first. */
function SendAgain({ message: { id, state, cause, awb } }: { message: Message }) {
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
        className="m-1.5 self-start"
        aria-label={`${say('sendAgain')}: ${[causeInWords(cause, say), awb].filter(Boolean).join(', ')}`}
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
