import { CircleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { useSay } from '../words/words.ts'
import { Button } from './button.tsx'
import { EmptyState } from './state.tsx'

interface Props {
  /** What to do with the part that failed besides trying again. */
  onClose?: (() => void) | undefined
  children: ReactNode
}

/** Keeps a mistake in one part of the page from taking the rest with it. A new `key` begins anew. */
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

/** A part whose script could not be had stays missing until the page is loaded anew; the address keeps where one was. */
const isNotLoaded = (error: unknown) => error instanceof TypeError && /import|module/i.test(error.message)
