import type { ReactNode } from 'react'
import { useSay } from '../words/words.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  title: string
  children: ReactNode
  /** What the button says that does it. */
  action: string
  busy?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks once more before something that cannot be taken back. */
export function Confirm({ title, children, action, busy, onConfirm, onClose }: Props) {
  const say = useSay()
  const footer = (
    <>
      <Button onClick={onClose}>{say('cancel')}</Button>
      <Button look="danger" busy={busy ?? false} onClick={onConfirm}>
        {action}
      </Button>
    </>
  )
  return (
    <Dialog title={title} open onClose={onClose} footer={footer}>
      <div className="text-ink-soft">{children}</div>
    </Dialog>
  )
}
