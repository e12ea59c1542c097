import { Check, CopyPlus, Ellipsis, FileCheck, Pencil, Printer, Trash2, X } from 'lucide-react'
import { lazy, useState } from 'react'
import { isEnded } from '../../../../core/task-status.ts'
import type { Task } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { canDelete, canForce } from '../../../tasks/moves.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { Later } from '../../../ui/later.tsx'
import { Menu, MenuItem, MenuLine } from '../../../ui/menu.tsx'
import { useSay } from '../../../words/console.ts'
import { AboutPartners } from '../hand-over/about-partners.tsx'
import type { AfterEnd } from '../tries/try-items.tsx'
import { DeleteDialog, ForceDialog } from './confirm-dialogs.tsx'
import { type HandOver, PartnerItems } from './partner-items.tsx'

const GiveDialog = lazy(() => import('../hand-over/give-dialog.tsx'))
const ProofDialog = lazy(() => import('../proof-dialog.tsx'))
const LabelsDialog = lazy(() => import('../labels-dialog.tsx'))
const TakeBackDialog = lazy(() => import('../hand-over/take-back-dialog.tsx'))

const TryItems = lazy(() => import('../tries/try-items.tsx'))
const AfterEndDialog = lazy(() => import('../tries/after-end.tsx'))

const afterEnd = (open: Open | undefined): open is AfterEnd =>
  open === 'again' || open === 'back' || open === 'leave' || open === 'correct'

type Open = 'succeed' | 'fail' | 'delete' | 'proof' | 'labels' | HandOver | AfterEnd

interface Props {
  task: Task
  onEdit: () => void
  onCopy: () => void
  onDeleted: () => void
}

/** The actions a task allows in its state. One that was erased cannot be changed, shown to others or used again. */
export function TaskActions({ task, onEdit, onCopy, onDeleted }: Props) {
  const say = useSay()
  const may = useMay()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const isErased = task.erasedAt !== undefined
  if (!may('tasks:write') || (isErased && !canDelete(task))) return null
  return (
    <>
      {!isErased && (
        <Button className="shrink-0" onClick={onEdit}>
          <Pencil aria-hidden />
          {say('edit')}
        </Button>
      )}
      <Menu
        trigger={
          <IconButton label={say('more')}>
            <Ellipsis />
          </IconButton>
        }
      >
        {canForce(task) && (
          <>
            <MenuItem onSelect={() => setOpen('succeed')}>
              <Check aria-hidden />
              {say('markSucceeded')}
            </MenuItem>
            <MenuItem onSelect={() => setOpen('fail')}>
              <X aria-hidden />
              {say('markFailed')}
            </MenuItem>
            <MenuLine />
          </>
        )}
        {!isErased && (
          <MenuItem onSelect={() => setOpen('labels')}>
            <Printer aria-hidden />
            {say('labels')}
          </MenuItem>
        )}
        {isEnded(task) && !isErased && (
          <ErrorBoundary isQuiet>
            <Later>
              <TryItems task={task} onChoose={setOpen} />
            </Later>
          </ErrorBoundary>
        )}
        {isEnded(task) && !isErased && (
          <MenuItem onSelect={() => setOpen('proof')}>
            <FileCheck aria-hidden />
            {say('proof')}
          </MenuItem>
        )}
        {!isErased && (
          <MenuItem onSelect={onCopy}>
            <CopyPlus aria-hidden />
            {say('duplicate')}
          </MenuItem>
        )}
        {!isErased && (
          <AboutPartners tasks={[task]}>
            <PartnerItems task={task} onChoose={setOpen} />
          </AboutPartners>
        )}
        {canDelete(task) && (
          <MenuItem danger onSelect={() => setOpen('delete')}>
            <Trash2 aria-hidden />
            {say('delete')}
          </MenuItem>
        )}
      </Menu>
      {(open === 'succeed' || open === 'fail') && (
        <ForceDialog task={task} succeeds={open === 'succeed'} onClose={close} />
      )}
      {(open === 'give' || open === 'takeBack' || open === 'labels' || open === 'proof') && (
        <ErrorBoundary isDialog onClose={close}>
          <Later>
            {open === 'proof' && <ProofDialog tasks={[task]} onClose={close} />}
            {open === 'labels' && <LabelsDialog tasks={[task]} onClose={close} />}
            {open === 'give' && <GiveDialog tasks={[task]} onClose={close} />}
            {open === 'takeBack' && task.side && (
              <TakeBackDialog
                tasks={[task]}
                side={task.side}
                // What was given back is no longer here.
                onDone={(stayed) => stayed.length === 0 && task.side === 'fulfiller' && onDeleted()}
                onClose={close}
              />
            )}
          </Later>
        </ErrorBoundary>
      )}
      {afterEnd(open) && (
        <ErrorBoundary isDialog onClose={close}>
          <Later>
            <AfterEndDialog what={open} task={task} onClose={close} />
          </Later>
        </ErrorBoundary>
      )}
      {open === 'delete' && <DeleteDialog task={task} onClose={close} onDeleted={onDeleted} />}
    </>
  )
}
