import type { UseQueryResult } from '@tanstack/react-query'
import { CircleAlert, Lock, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { WaybillError } from '../api/client.ts'
import { problemText } from '../api/problem.ts'
import { useMay } from '../api/session.ts'
import { useFormats } from '../api/time.ts'
import { useSay } from '../words/shared.ts'
import { Button } from './button.tsx'

interface Props {
  picture?: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
}

/** Shown when there is no data: why, and what to do about it. */
export function EmptyState({ picture, title, children, action }: Props) {
  return (
    <div className="mx-auto grid max-w-sm justify-items-center gap-2 px-6 py-12 text-center">
      {picture && <div className="text-ink-faint [&_svg]:size-8">{picture}</div>}
      <h2 className="font-semibold text-base">{title}</h2>
      {children && <p className="text-ink-soft">{children}</p>}
      {action && <div className="mt-2 flex gap-2">{action}</div>}
    </div>
  )
}

/** What went wrong, in one sentence, with a retry button and the request id for support. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const say = useSay()
  const requestId = error instanceof WaybillError ? error.requestId : undefined
  return (
    <div role="alert">
      <EmptyState
        picture={<CircleAlert />}
        title={say('wentWrong')}
        action={onRetry && <Button onClick={onRetry}>{say('retry')}</Button>}
      >
        {problemText(error, say)}
        {requestId && <span className="block text-ink-faint text-xs">{say('requestId', { id: requestId })}</span>}
      </EmptyState>
    </div>
  )
}

/** Shown if fetching again failed: the old data stays, with its time. */
export function OldNotice({
  query,
}: {
  query: Pick<UseQueryResult, 'error' | 'dataUpdatedAt' | 'refetch' | 'isFetching'>
}) {
  const say = useSay()
  const { time } = useFormats()
  if (!query.error || query.dataUpdatedAt === 0) return null
  const values = { time: time(query.dataUpdatedAt), reason: problemText(query.error, say) }
  return (
    <div role="alert" className="flex items-center gap-2 bg-waiting-soft px-4 py-1.5 text-waiting">
      <TriangleAlert aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 grow">{say('notRefreshed', values)}</span>
      <Button busy={query.isFetching} onClick={() => void query.refetch()}>
        {say('retry')}
      </Button>
    </div>
  )
}

/** A placeholder while a query is loading. */
export function NotLoaded({
  query,
  rows,
}: {
  query: Pick<UseQueryResult, 'error' | 'refetch'>
  rows?: number | undefined
}) {
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return <LoadingState rows={rows} />
}

/** Shows the data of a query. If fetching again fails, it stays on the screen, marked as old. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}) {
  if (query.data === undefined) return <NotLoaded query={query} />
  return (
    <>
      <OldNotice query={query} />
      {children(query.data)}
    </>
  )
}

export function ForbiddenState() {
  const say = useSay()
  return (
    <EmptyState picture={<Lock />} title={say('adminsOnly')}>
      {say('adminsOnlyLead')}
    </EmptyState>
  )
}

/** A page only for people whose role has this scope. */
export const onlyWith = (scope: string, Page: () => ReactNode) =>
  function Allowed() {
    return useMay()(scope) ? <Page /> : <ForbiddenState />
  }

/** Grey bars while something is loading. They pulse together, one layer for the browser, and only if it takes long. */
export function LoadingState({ rows = 6 }: { rows?: number | undefined }) {
  const say = useSay()
  return (
    <div role="status" className="grid animate-pulse gap-2 p-4 [animation-delay:0.5s]">
      <span className="sr-only">{say('loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all bars are the same
        <div key={row} className="h-8 rounded-md bg-sunken" />
      ))}
    </div>
  )
}
