import { useQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { erasedKinds } from '../../../../contract/erasure.ts'
import type { Answer } from '../../../../contract/operations.ts'
import { api } from '../../../api/client.ts'
import { keysOf } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { PagedList } from '../../../ui/paged-list.tsx'
import { EmptyState } from '../../../ui/state.tsx'
import { tellActor } from '../audit/tell.ts'
import { useSay } from '../record-words.ts'

type Receipt = Answer<'listErasures'>['erasures'][number]

/** Some take a while, and some are made by the setting. */
const everyMs = 20_000

const read = async (paging: object) => {
  const { erasures: items, nextCursor } = await api.listErasures({ query: paging })
  return { items, nextCursor }
}

/** What was erased, newest first. */
export function Receipts() {
  const say = useSay()
  return (
    <section className="grid gap-3">
      <div>
        <h2 className="font-semibold">{say('receipts')}</h2>
        <p className="text-ink-soft">{say('receiptsLead')}</p>
      </div>
      <PagedList
        queryKey={['erasures']}
        read={read}
        everyMs={everyMs}
        empty={
          <EmptyState picture={<ReceiptText />} title={say('receiptsNone')}>
            {say('receiptsNoneLead')}
          </EmptyState>
        }
      >
        {(erasure) => <ReceiptLine key={erasure.id} erasure={erasure} />}
      </PagedList>
    </section>
  )
}

/** One receipt: by whom or by which rule, how much, when, and its number. */
export function ReceiptLine({ erasure }: { erasure: Receipt }) {
  const say = useSay()
  const { dateTime } = useFormats()
  const nameOf = useNames()
  const { id, receipt, reason, actor, hours, driverId, taskIds, counts, createdAt, finishedAt } = erasure
  const erased = erasedKinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => say(`erased_${kind}`, { n: counts[kind] }))
  return (
    <li className="grid gap-1 rounded-lg border border-line bg-surface px-3 py-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="numbers text-ink-soft">#{id}</span>
        <span className="font-medium [overflow-wrap:anywhere]">
          {tellActor({ ...actor, name: nameOf(actor) }, say)}
        </span>
        <span>{say(`receiptBy_${reason}`, { n: hours ?? 0, number: String(driverId) })}</span>
        {!finishedAt && (
          <span className="rounded bg-waiting-soft px-1.5 text-waiting text-xs">{say('receiptAtWork')}</span>
        )}
        <span className="numbers ml-auto text-ink-soft">{dateTime(createdAt)}</span>
      </p>
      <p className="numbers">{erased.join(' · ')}</p>
      <p className="text-ink-soft text-xs">
        {say('receiptNumber')} <code className="select-all break-all">{receipt}</code>
      </p>
      {taskIds.length > 0 && (
        <details className="text-ink-soft text-xs">
          <summary className="w-fit cursor-pointer">{say('receiptTasks')}</summary>
          <p className="numbers [overflow-wrap:anywhere]">{taskIds.join(', ')}</p>
        </details>
      )}
    </li>
  )
}

/** A receipt has no names; who still works here is known by others. */
function useNames() {
  const people = useQuery({ queryKey: keysOf.people, queryFn: async () => (await api.listPeople()).people })
  const keys = useQuery({ queryKey: keysOf.keys, queryFn: async () => (await api.listKeys()).keys })
  return ({ type, id }: Receipt['actor']): string | null => {
    const known: readonly { id: number; name: string }[] | undefined = type === 'API' ? keys.data : people.data
    return known?.find((one) => one.id === id)?.name ?? null
  }
}
