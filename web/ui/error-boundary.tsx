import { CircleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { isNotLoaded } from '../api/problem.ts'
import { useSay } from '../words/shared.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { EmptyState } from './state.tsx'

interface Props {
  /** Offered besides trying again. */
  onClose?: (() => void) | undefined
  /** For a dialog: the page has no place for its failure, which is then shown in a dialog, too. */
  isDialog?: boolean
  /** For what most people never need: nothing is shown instead of it. */
  isQuiet?: boolean
  children: ReactNode
}

/** Keeps an error in one part of the page from breaking the rest. A new `key` resets it. */
export class ErrorBoundary extends Component<Props, { failed?: { error: unknown } | undefined }> {
  override state: { failed?: { error: unknown } | undefined } = {}
  static getDerivedStateFromError = (error: unknown) => ({ failed: { error } })
  override render() {
    const { failed } = this.state
    const { onClose, isDialog, isQuiet, children } = this.props
    if (!failed) return children
    if (isQuiet) return null
    const Shown = isDialog ? DialogFailed : PartFailed
    return <Shown error={failed.error} reset={() => this.setState({ failed: undefined })} onClose={onClose} />
  }
}

interface FailedProps {
  error: unknown
  reset: () => void
  onClose?: (() => void) | undefined
}

/** Says that a part could not be shown, and offers to try again. */
export function PartFailed({ onClose, ...failed }: FailedProps) {
  const say = useSay()
  return (
    <div role="alert">
      <EmptyState
        picture={<CircleAlert />}
        title={say(titleOf(failed.error))}
        action={
          <>
            <RetryButton {...failed} />
            {onClose && <Button onClick={onClose}>{say('close')}</Button>}
          </>
        }
      >
        {say('partFailed')}
      </EmptyState>
    </div>
  )
}

function DialogFailed({ onClose, ...failed }: FailedProps) {
  const say = useSay()
  const close = onClose ?? failed.reset
  return (
    <Dialog
      title={say(titleOf(failed.error))}
      open
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{say('close')}</Button>
          <RetryButton {...failed} />
        </>
      }
    >
      <p role="alert">{say('partFailed')}</p>
    </Dialog>
  )
}

const titleOf = (error: unknown) => (isNotLoaded(error) ? 'networkDown' : 'wentWrong')

/** A script that failed to load can be loaded only by reloading the page; the address keeps what was shown. */
function RetryButton({ error, reset }: Omit<FailedProps, 'onClose'>) {
  const say = useSay()
  return <Button onClick={isNotLoaded(error) ? () => location.reload() : reset}>{say('retry')}</Button>
}
