import { CircleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { isNotLoaded } from '../api/problem.ts'
import { useSay } from '../words/shared.ts'
import { Button } from './button.tsx'
import { EmptyState } from './state.tsx'

interface Props {
  /** Offered besides trying again. */
  onClose?: (() => void) | undefined
  children: ReactNode
}

/** Keeps an error in one part of the page from breaking the rest. A new `key` resets it. */
export class ErrorBoundary extends Component<Props, { failed?: { error: unknown } | undefined }> {
  override state: { failed?: { error: unknown } | undefined } = {}
  static getDerivedStateFromError = (error: unknown) => ({ failed: { error } })
  override render() {
    const { failed } = this.state
    if (!failed) return this.props.children
    return (
      <PartFailed
        error={failed.error}
        reset={() => this.setState({ failed: undefined })}
        onClose={this.props.onClose}
      />
    )
  }
}

interface FailedProps {
  error: unknown
  reset: () => void
  onClose?: (() => void) | undefined
}

/** Says that a part could not be shown, and offers to try again. */
export function PartFailed({ error, reset, onClose }: FailedProps) {
  const say = useSay()
  const notLoaded = isNotLoaded(error)
  return (
    <div role="alert">
      <EmptyState
        picture={<CircleAlert />}
        title={say(notLoaded ? 'networkDown' : 'wentWrong')}
        action={
          <>
            {/* A script that failed to load can be loaded only by reloading the page; the address keeps what was shown. */}
            <Button onClick={notLoaded ? () => location.reload() : reset}>{say('retry')}</Button>
            {onClose && <Button onClick={onClose}>{say('close')}</Button>}
          </>
        }
      >
        {say('partFailed')}
      </EmptyState>
    </div>
  )
}
