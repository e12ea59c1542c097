import type { ReactNode } from 'react'
import { problemText } from '../api/problem.ts'
import { useSay } from '../words/shared.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { type Options, useSave } from './save.ts'

interface Asked {
  title: string
  children: ReactNode
  /** The text of the button that confirms. */
  action: string
  onClose: () => void
}

/** Asks for confirmation before something that cannot be undone. */
export function Confirm(props: Asked & { busy: boolean; problem?: string | undefined; onConfirm: () => void }) {
  const { title, children, action, busy, problem, onConfirm, onClose } = props
  const say = useSay()
  const footer = (
    <>
      <Button onClick={onClose}>{say('cancel')}</Button>
      <Button look="danger" busy={busy} onClick={onConfirm}>
        {action}
      </Button>
    </>
  )
  return (
    <Dialog title={title} open onClose={onClose} footer={footer}>
      <div className="text-ink-soft">
        <p>{children}</p>
        {problem && (
          <p role="alert" className="mt-2 text-bad">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}

/** The same with the write itself: closes when that is done, unless the page shows something afterwards. */
export function ConfirmWrite<Output>({
  write,
  changes,
  told,
  onDone,
  inForm = false,
  ...asked
}: Asked & Options<Output> & { write: () => Promise<Output> }) {
  const say = useSay()
  const save = useSave(write, { changes, ...(told && { told }), onDone: onDone ?? asked.onClose, inForm })
  return (
    <Confirm
      {...asked}
      busy={save.isPending}
      problem={inForm && save.error ? problemText(save.error, say) : undefined}
      onConfirm={() => save.mutate(undefined)}
    />
  )
}
