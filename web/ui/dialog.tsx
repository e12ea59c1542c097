import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useSay } from '../words/shared.ts'
import { Button, IconButton } from './button.tsx'
import { join } from './class-names.ts'
import { useReturnFocus } from './return-focus.ts'
import { UnsavedScope, useLeave, useUnsavedScope } from './unsaved.ts'

interface Props {
  title: string
  lead?: ReactNode
  open: boolean
  onClose: () => void
  /** At the side of the page instead of in the middle. */
  side?: boolean
  wide?: boolean
  children: ReactNode
  footer?: ReactNode
}

const fields = 'input:not([type=hidden], [type=file]), select, textarea'

/** Focuses the first field. With focus on the close button, typing a space would close the dialog. */
function focusFirstField(event: Event) {
  event.preventDefault()
  const dialog = event.currentTarget as HTMLElement
  const first = [...dialog.querySelectorAll<HTMLElement>(fields)].find((field) => !field.matches(':disabled'))
  ;(first ?? dialog).focus()
}

const middle = 'left-1/2 top-1/2 max-h-[90vh] w-[min(94vw,30rem)] -translate-x-1/2 -translate-y-1/2 rounded-xl'
const beside = 'right-0 top-0 h-full w-[min(96vw,28rem)]'

/** Closes by Escape, a click outside or its buttons; with something typed in it, it asks first. */
export function Dialog({ title, lead, open, onClose, side, wide, children, footer }: Props) {
  const say = useSay()
  const { rememberFocus, onCloseAutoFocus } = useReturnFocus()
  const { scope, isAsking, leave, stay, discard } = useUnsavedScope(onClose)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && leave()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            rememberFocus()
            focusFirstField(event)
          }}
          onCloseAutoFocus={onCloseAutoFocus}
          className={join(
            'fixed z-50 flex flex-col border border-line bg-raised shadow-raised outline-none',
            side ? beside : middle,
            wide && (side ? '!w-[min(96vw,44rem)]' : '!w-[min(94vw,60rem)]'),
          )}
          {...(!lead && { 'aria-describedby': undefined })}
        >
          <header className="flex items-start gap-3 border-line border-b px-4 py-3">
            <div className="min-w-0 grow">
              <Radix.Title className="font-semibold text-base [overflow-wrap:anywhere]">{title}</Radix.Title>
              {lead && <Radix.Description className="text-ink-soft">{lead}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <IconButton label={say('close')}>
                <X />
              </IconButton>
            </Radix.Close>
          </header>
          <UnsavedScope scope={scope}>
            <div className="min-h-0 grow overflow-y-auto p-4">{children}</div>
            {footer && <footer className="flex justify-end gap-2 border-line border-t px-4 py-3">{footer}</footer>}
          </UnsavedScope>
          {isAsking && <LeaveDialog onStay={stay} onLeave={discard} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Closes the dialog around it. */
export function CancelButton() {
  const say = useSay()
  return <Button onClick={useLeave()}>{say('cancel')}</Button>
}

/** The question before something typed would be lost. */
export function LeaveDialog({ lead, onStay, onLeave }: { lead?: string; onStay: () => void; onLeave: () => void }) {
  const say = useSay()
  return (
    <Dialog
      title={say('discardTitle')}
      open
      onClose={onStay}
      footer={
        <>
          <Button onClick={onStay}>{say('keepEditing')}</Button>
          <Button look="danger" onClick={onLeave}>
            {say('discard')}
          </Button>
        </>
      }
    >
      <p>{lead ?? say('discardLead')}</p>
    </Dialog>
  )
}
