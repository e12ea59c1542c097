import {
  CheckCheck,
  ChevronDown,
  Download,
  FileCheck,
  Printer,
  Route,
  Trash2,
  UserMinus,
  UserPlus,
  X,
} from 'lucide-react'
import { Popover } from 'radix-ui'
import { lazy, useState } from 'react'
import { Failed } from '../../../core/task-status.ts'
import { useIsShop, useMay } from '../../api/session.ts'
import { isForSome } from '../../tasks/moves.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { Later } from '../../ui/later.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useSay } from '../../words/console.ts'
import { useDispatch } from '../day/dispatch.tsx'
import { useMayUnassign } from '../day/may-unassign.ts'
import { usePlannable } from '../day/plannable.ts'
import { ExportItems } from '../tasks/export-items.tsx'
import { AboutPartners } from '../tasks/hand-over/about-partners.tsx'
import { BarAction, wordLook } from './bulk/bar-action.tsx'
import { useMoveTasks } from './moving.ts'
import { useOpened } from './opened.tsx'

const PartnerActions = lazy(() => import('./bulk/partner-actions.tsx'))
const TryActions = lazy(() => import('./bulk/try-actions.tsx'))
const DriverPicker = lazy(() => import('../day/driver-picker.tsx').then((module) => ({ default: module.DriverPicker })))

/** Actions for the selection. It floats, so that nothing below it moves when it appears or disappears. */
export function BulkBar() {
  const say = useSay()
  const may = useMay()('tasks:write')
  const mayUnassign = useMayUnassign()
  const { selection } = useDispatch()
  const { open } = useOpened()
  const plannable = usePlannable()
  const move = useMoveTasks()
  const isShop = useIsShop()
  const { tasks } = selection
  if (tasks.length === 0) return null
  // What partners have is their work; a shop leaves all of it to them.
  const isOurs = !isShop && isForSome('assign', tasks)
  return (
    <section
      ref={tellHeight}
      data-bulk
      aria-label={say('bulkActions')}
      className="absolute bottom-[calc(var(--below-map,0px)+0.75rem)] left-1/2 z-20 flex w-max max-w-[calc(100%-1rem)] -translate-x-1/2 flex-wrap items-center gap-0.5 rounded-xl border border-line bg-raised p-1.5 shadow-raised"
    >
      <span role="status" className="numbers whitespace-nowrap px-2 font-semibold">
        {say('selected', { n: tasks.length })}
      </span>
      {may && (
        <>
          {isOurs && (
            <>
              <AssignTo />
              {mayUnassign && (
                <BarAction label={say('unassign')} onClick={() => move(tasks, null)}>
                  <UserMinus aria-hidden />
                </BarAction>
              )}
              <BarAction label={say('plan')} {...plannable(() => open({ what: 'plan', tasks }))}>
                <Route aria-hidden />
              </BarAction>
              <BarAction label={say('forceComplete')} onClick={() => open({ what: 'complete', tasks })}>
                <CheckCheck aria-hidden />
              </BarAction>
            </>
          )}
          <AboutPartners tasks={tasks}>
            <PartnerActions />
          </AboutPartners>
          {tasks.some(({ statusId }) => statusId === Failed) && (
            <ErrorBoundary isQuiet>
              <Later>
                <TryActions />
              </Later>
            </ErrorBoundary>
          )}
          {isForSome('delete', tasks) && (
            <BarAction label={say('delete')} danger onClick={() => open({ what: 'delete', tasks })}>
              <Trash2 aria-hidden />
            </BarAction>
          )}
        </>
      )}
      <BarAction label={say('labels')} onClick={() => open({ what: 'labels', tasks })}>
        <Printer aria-hidden />
      </BarAction>
      <BarAction label={say('proof')} onClick={() => open({ what: 'proof', tasks })}>
        <FileCheck aria-hidden />
      </BarAction>
      <Export />
      <IconButton label={say('clearSelection')} onClick={selection.clear}>
        <X />
      </IconButton>
    </section>
  )
}

/** Sets how much of the lower edge it takes: lists end above it, and notices appear above it. */
function tellHeight(bar: HTMLElement | null) {
  if (!bar) return undefined
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty('--bulk-bar', `${bar.offsetHeight + 12}px`))
  observer.observe(bar)
  return () => {
    observer.disconnect()
    style.removeProperty('--bulk-bar')
  }
}

function AssignTo() {
  const say = useSay()
  const { selection } = useDispatch()
  const move = useMoveTasks()
  const [open, setOpen] = useState(false)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button look="primary">
          <UserPlus aria-hidden />
          <span className="@max-sm:sr-only">{say('assignTo')}</span>
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          align="start"
          sideOffset={8}
          aria-label={say('assignTo')}
          className="z-50 w-80 rounded-lg border border-line bg-raised p-2 shadow-raised"
        >
          <Later>
            <DriverPicker
              tasks={selection.tasks}
              onPick={(driver, placing) => {
                setOpen(false)
                move(selection.tasks, driver, placing)
              }}
            />
          </Later>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function Export() {
  const say = useSay()
  const { selection, day } = useDispatch()
  return (
    <Menu
      trigger={
        <Button look="quiet" title={say('export')}>
          <Download aria-hidden />
          <span className={wordLook}>{say('export')}</span>
          <ChevronDown aria-hidden className="!size-3" />
        </Button>
      }
    >
      <ExportItems tasks={selection.tasks} day={day} />
    </Menu>
  )
}
