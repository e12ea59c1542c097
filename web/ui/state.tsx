import { CircleAlert, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { WaybillError } from '../api/client.ts'
import { problemText } from '../api/problem.ts'
import { useSay } from '../words/words.ts'
import { Button } from './button.tsx'

interface Props {
  picture?: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
}

/** What stands where there is nothing to show: why, and what can be done about it. */
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

/** What went wrong, in one sentence, with the way to try again and the number support asks for. */
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

export function ForbiddenState() {
  const say = useSay()
  return (
    <EmptyState picture={<Lock />} title={say('forbidden')}>
      {say('forbiddenLead')}
    </EmptyState>
  )
}

/** Grey bars in the place of what is being loaded. */
export function LoadingState({ rows = 6 }: { rows?: number }) {
  const say = useSay()
  return (
    <div role="status" className="grid gap-2 p-4">
      <span className="sr-only">{say('loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars are all the same
        <div key={row} className="h-8 animate-pulse rounded-md bg-sunken" />
      ))}
    </div>
  )
}
