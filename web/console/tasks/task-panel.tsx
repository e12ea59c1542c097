import { X } from 'lucide-react'
import { type KeyboardEvent, lazy, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Task } from '../../api/data.ts'
import { useIsShop } from '../../api/session.ts'
import { StatusBadge } from '../../tasks/status.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { Later } from '../../ui/later.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/state.tsx'
import { useSay } from '../../words/console.ts'
import { ConflictNotice } from '../conflicts/conflict-mark.tsx'
import { LeftNotice } from '../day/left-mark.tsx'
import { PartnerMark } from '../day/partner-mark.tsx'
import { ActivityPart } from './panel/activity-part.tsx'
import { AddressPart } from './panel/address-part.tsx'
import { CopyButton } from './panel/copy-button.tsx'
import { FactsPart } from './panel/facts-part.tsx'
import { FeedbackPart, FormPart } from './panel/form-part.tsx'
import { HistoryPart } from './panel/history-part.tsx'
import { MessagesPart } from './panel/messages-part.tsx'
import { NotesPart } from './panel/notes-part.tsx'
import { PaymentsPart } from './panel/payments-part.tsx'
import { TaskActions } from './panel/task-actions.tsx'
import { TaskForm } from './task-form.tsx'
import { isGone, useTask } from './task-query.ts'

const SeriesPart = lazy(() => import('./panel/series-part.tsx'))
const TriesPart = lazy(() => import('./tries/tries-part.tsx'))

const hasOthers = ({ attempt, attemptOf, reattemptedAs, returnOf, returnedAs }: Task) =>
  attempt > 1 || [attemptOf, reattemptedAs, returnOf, returnedAs].some((other) => other !== null)

interface Props {
  taskId: number
  onClose: () => void
}

/** Everything about one task, next to the page: the page stays usable, so it is not a dialog. */
export default function TaskPanel({ taskId, onClose }: Props) {
  const say = useSay()
  const { data: task, error, isPending, refetch } = useTask(taskId)
  const panel = useFocus()
  // Here, and not with the task: what is being typed must survive if someone deletes the task.
  const [form, setForm] = useState<{ task: Task } | { copied: Task }>()
  const onKeyDown = (event: KeyboardEvent) => {
    // Dialogs opened from here are its children in React, but elsewhere in the page.
    const isInside = event.currentTarget.contains(event.target as Node)
    if (event.key !== 'Escape' || event.defaultPrevented || !isInside) return
    event.preventDefault()
    onClose()
  }
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      data-panel
      aria-label={say('taskPanel', { awb: task?.awb ?? '' })}
      onKeyDown={onKeyDown}
      className="z-30 flex flex-col border-line bg-surface outline-none max-sm:fixed max-sm:inset-0 sm:w-90 sm:shrink-0 sm:border-l xl:w-100"
    >
      {isGone(error) ? (
        <Frame onClose={onClose}>
          <EmptyState title={say('taskGone')} action={<Button onClick={onClose}>{say('close')}</Button>}>
            {say('taskGoneLead')}
          </EmptyState>
        </Frame>
      ) : error && !task ? (
        <Frame onClose={onClose}>
          <ErrorState error={error} onRetry={() => void refetch()} />
        </Frame>
      ) : isPending ? (
        <Frame onClose={onClose}>
          <LoadingState />
        </Frame>
      ) : (
        <ErrorBoundary key={taskId} onClose={onClose}>
          <Filled
            task={task}
            onClose={onClose}
            onEdit={() => setForm({ task })}
            onCopy={() => setForm({ copied: task })}
          />
        </ErrorBoundary>
      )}
      {form && <TaskForm {...form} onClose={() => setForm(undefined)} />}
    </aside>
  )
}

/** Focus moves into the panel when it opens, and back when it closes. */
function useFocus() {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const opened = panel.current
    opened?.focus({ preventScroll: true })
    return () => {
      const isLost = document.activeElement === document.body || opened?.contains(document.activeElement)
      if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return panel
}

function Frame({
  title,
  actions,
  onClose,
  children,
}: {
  title?: ReactNode
  actions?: ReactNode
  onClose: () => void
  children: ReactNode
}) {
  const say = useSay()
  return (
    <>
      <header className="flex shrink-0 items-start gap-1 border-line border-b py-1.5 pr-2 pl-4">
        <div className="min-w-0 grow py-1">{title}</div>
        {actions}
        <IconButton label={say('close')} onClick={onClose}>
          <X />
        </IconButton>
      </header>
      <div className="min-h-0 grow overflow-y-auto">{children}</div>
    </>
  )
}

interface FilledProps {
  task: Task
  onClose: () => void
  onEdit: () => void
  onCopy: () => void
}

function Filled({ task, onClose, onEdit, onCopy }: FilledProps) {
  const say = useSay()
  const isShop = useIsShop()
  return (
    <Frame
      onClose={onClose}
      title={
        <>
          <div className="flex items-start gap-1.5">
            <h2 className="font-semibold text-base leading-6 [overflow-wrap:anywhere]">{task.awb}</h2>
            <CopyButton text={task.awb} label={say('copyAwb')} />
          </div>
          <div className="mt-1 flex flex-wrap gap-1.5">
            <StatusBadge statusId={task.statusId} side={task.side} />
            <PartnerMark
              task={task}
              driverless
              className="rounded border border-line px-1.5 py-px text-ink-soft text-xs"
            />
            {task.pickupTask && (
              <span className="rounded border border-line px-1.5 py-px text-ink-soft text-xs">{say('pickupTask')}</span>
            )}
          </div>
        </>
      }
      actions={<TaskActions task={task} onEdit={onEdit} onCopy={onCopy} onDeleted={onClose} />}
    >
      <ConflictNotice taskId={task.id} />
      <LeftNotice task={task} />
      <AddressPart task={task} />
      <FactsPart task={task} />
      {task.scheduleId !== null && !isShop && (
        <ErrorBoundary isQuiet>
          <Later>
            <SeriesPart task={task} onEdit={onEdit} />
          </Later>
        </ErrorBoundary>
      )}
      {hasOthers(task) && (
        <ErrorBoundary isQuiet>
          <Later>
            <TriesPart task={task} />
          </Later>
        </ErrorBoundary>
      )}
      <PaymentsPart task={task} />
      <FormPart task={task} />
      <FeedbackPart task={task} />
      <MessagesPart task={task} />
      <NotesPart task={task} />
      <HistoryPart key={task.id} task={task} />
      <ActivityPart task={task} />
    </Frame>
  )
}
