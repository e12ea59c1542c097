import { useQuery } from '@tanstack/react-query'
import { Check, Copy, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { inputLook } from '../../../ui/field.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { useSave } from '../../../ui/save.ts'
import { EmptyState, NotLoaded } from '../../../ui/state.tsx'
import { useTell } from '../../../ui/toast.tsx'
import { useSay } from '../record-words.ts'
import type { Delivery, Webhook } from './webhook.ts'

const states = ['pending', 'delivered', 'dead'] as const
type State = (typeof states)[number]
const looks = {
  pending: 'text-waiting bg-waiting-soft',
  delivered: 'text-good bg-good-soft',
  dead: 'text-bad bg-bad-soft',
}

/** Everything that was sent to a webhook, newest first, with a way to send it again. */
export function DeliveryLog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const say = useSay()
  const may = useMay()
  const tell = useTell()
  const [state, setState] = useState<State>()
  const params = { webhookId: webhook.id }
  const read = async (paging: object) => {
    const query = { ...(state && { state }), ...paging }
    const { deliveries: items, nextCursor } = await api.listDeliveries({ params, query })
    return { items, nextCursor }
  }
  const replay = useSave((body: { eventId?: number; state?: string }) => api.replayWebhook({ params, body }), {
    changes: ['deliveries'],
    onDone: ({ replayed }) => tell(say('replayed', { n: replayed })),
  })
  const send = may('webhooks:send') ? (eventId: number) => replay.mutate({ eventId }) : undefined
  return (
    <Dialog
      title={say('deliveriesOf', { url: webhook.url })}
      lead={say.known(`trigger${webhook.trigger}`) ?? ''}
      open
      onClose={onClose}
      side
      wide
    >
      <div className="mb-3 flex gap-2">
        <select
          aria-label={say('state')}
          value={state ?? ''}
          onChange={(event) => setState((event.target.value || undefined) as State | undefined)}
          className={join(inputLook, '!w-40')}
        >
          <option value="">{say('anyState')}</option>
          {states.map((one) => (
            <option key={one} value={one}>
              {say(`delivery_${one}`)}
            </option>
          ))}
        </select>
        {may('webhooks:send') && (
          <Button busy={replay.isPending} onClick={() => replay.mutate({ state: 'dead' })}>
            <RotateCw aria-hidden />
            {say('replayDead')}
          </Button>
        )}
      </div>
      <PagedList
        queryKey={['deliveries', webhook.id, state]}
        read={read}
        everyMs={3_000}
        empty={<EmptyState title={say('noDeliveries')}>{say('noDeliveriesLead')}</EmptyState>}
      >
        {(delivery) => <Entry key={delivery.eventId} webhookId={webhook.id} delivery={delivery} onReplay={send} />}
      </PagedList>
    </Dialog>
  )
}

interface EntryProps {
  webhookId: number
  delivery: Delivery
  onReplay: ((eventId: number) => void) | undefined
}

function Entry({ webhookId, delivery, onReplay }: EntryProps) {
  const say = useSay()
  const [isOpen, setOpen] = useState(false)
  const { dateTime, time } = useFormats()
  const state = delivery.state as State
  return (
    <li className="rounded-lg border border-line">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
          <span className={join('rounded px-1.5 py-0.5 font-medium text-xs', looks[state])}>
            {say(`delivery_${state}`)}
          </span>
          <span className="font-medium [overflow-wrap:anywhere]">{delivery.awb}</span>
          <span className="numbers grow text-ink-soft">{dateTime(delivery.time)}</span>
          <span className="text-ink-faint">
            {say('attempts', { n: delivery.attempts.length })}
            {delivery.nextAttemptAt && `, ${say('nextAttempt', { time: time(delivery.nextAttemptAt) })}`}
          </span>
        </summary>
        <div className="grid gap-2 border-line border-t px-3 py-2">
          {delivery.reason && <p className="text-bad">{delivery.reason}</p>}
          {delivery.attempts.map((attempt) => (
            <div key={`${attempt.number}-${attempt.attemptedAt}`} className="text-ink-soft">
              <span className="numbers font-medium text-ink">{say('attempt', { n: attempt.number })}</span>{' '}
              {dateTime(attempt.attemptedAt)}, {attempt.status ?? attempt.error}, {attempt.durationMs} ms
              {attempt.answer && (
                <pre className="mt-1 overflow-x-auto rounded bg-sunken p-2 text-xs">{attempt.answer}</pre>
              )}
            </div>
          ))}
          {isOpen && <Sent webhookId={webhookId} eventId={delivery.eventId} />}
          {onReplay && (
            <Button className="justify-self-start" onClick={() => onReplay(delivery.eventId)}>
              <RotateCw aria-hidden />
              {say('replay')}
            </Button>
          )}
        </div>
      </details>
    </li>
  )
}

/** The body, read when it is asked for: a page of a hundred would be megabytes. */
function Sent({ webhookId, eventId }: { webhookId: number; eventId: number }) {
  const say = useSay()
  const query = useQuery({
    queryKey: ['delivery', webhookId, eventId],
    queryFn: async () => (await api.getDelivery({ params: { webhookId, eventId } })).delivery,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [isCopied, setCopied] = useState(false)
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  const { data } = query
  if (!data) return <NotLoaded query={query} rows={3} />
  return (
    <section className="grid gap-1">
      <div className="flex items-center gap-2">
        <h4 className="grow font-medium">{say('deliveryBody')}</h4>
        <IconButton label={say(isCopied ? 'copied' : 'copy')} onClick={() => void copy(data.body)}>
          {isCopied ? <Check /> : <Copy />}
        </IconButton>
      </div>
      <p className="break-all text-ink-soft">webhook-id: {data.messageId}</p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className="max-h-96 overflow-auto rounded bg-sunken p-2 text-xs"
      >
        {laidOut(data.body)}
      </pre>
    </section>
  )
}

/** For people to read; copying gives it as it was sent. */
function laidOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
