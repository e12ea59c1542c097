import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleSlash2, PackageCheck, PackageX } from 'lucide-react'
import { lazy, useState } from 'react'
import { keyOfToDecide, type Task } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { dayToFind, today } from '../../../tasks/day.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { Later } from '../../../ui/later.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { onlyWith } from '../../../ui/state.tsx'
import { AddressOf } from '../../day/erased.tsx'
import { type ToDecide, useToDecide } from '../../tasks/tries/to-decide.ts'
import { canBringBack, canLeave } from '../../tasks/tries/tried.ts'
import type { AfterEnd } from '../../tasks/tries/try-items.tsx'
import { ListPage } from '../list-page.tsx'
import { useSay } from '../record-words.ts'

const AfterEndDialog = lazy(() => import('../../tasks/tries/after-end.tsx'))
const TryDialog = lazy(() => import('../../tasks/tries/try-dialog.tsx'))
const TryItems = lazy(() => import('../../tasks/tries/try-items.tsx'))

export default onlyWith('tasks:read', ToDecidePage)

type Open = { what: AfterEnd; task: Task } | { what: 'allBack' | 'allLeft'; tasks: Task[] }

const tasksOf = ({ tasks }: ToDecide) => tasks
const hasMore = ({ isMore }: ToDecide) => isMore

/** Failed tasks of any day about which somebody has to decide, with what can be done about each. */
function ToDecidePage() {
  const say = useSay()
  const client = useQueryClient()
  const query = useToDecide(tasksOf)
  const isMore = useToDecide(hasMore).data === true
  const { dateTime } = useFormats()
  const mayWrite = useMay()('tasks:write')
  const [open, setOpen] = useState<Open>()
  const close = () => {
    setOpen(undefined)
    void client.invalidateQueries({ queryKey: keyOfToDecide })
  }
  const tasks = query.data ?? []
  const parcels = tasks.filter(canBringBack)
  const row = (task: Task) => ({
    key: task.id,
    cells: [
      <TaskLink key="awb" task={task} />,
      <AddressOf key="address" task={task} long />,
      task.customer?.name ?? task.customer?.phone,
      task.user?.name ?? task.fulfillerDriver?.name,
      task.attempt,
      task.completedAt && dateTime(task.completedAt),
      task.cancelReason,
    ],
    menu: mayWrite && canLeave(task) && (
      <RowMenu name={task.awb}>
        <Later>
          <TryItems task={task} onChoose={(what) => setOpen({ what, task })} />
        </Later>
      </RowMenu>
    ),
  })
  return (
    <ListPage
      title="toDecide"
      lead="toDecideLead"
      none={{ picture: <PackageCheck />, title: 'noToDecide', lead: 'noToDecideLead' }}
      add={false}
      more={
        mayWrite &&
        tasks.length > 0 && (
          <>
            {parcels.length > 0 && (
              <Button onClick={() => setOpen({ what: 'allBack', tasks: parcels })}>
                <PackageX aria-hidden />
                {say('bringAllBack')}
              </Button>
            )}
            <Button onClick={() => setOpen({ what: 'allLeft', tasks })}>
              <CircleSlash2 aria-hidden />
              {say('leaveAll')}
            </Button>
          </>
        )
      }
      query={query}
      columns={['awb', 'address', 'customer', 'driver', 'tryColumn', 'completedAt', 'failureReason']}
      row={row}
    >
      {isMore && <p className="mt-3 text-ink-soft">{say('toDecideNewest', { n: tasks.length })}</p>}
      {open && (
        <ErrorBoundary isDialog onClose={close}>
          <Later>
            {'tasks' in open ? (
              <TryDialog tasks={open.tasks} what={open.what === 'allBack' ? 'back' : 'leave'} onClose={close} />
            ) : (
              <AfterEndDialog what={open.what} task={open.task} onClose={close} />
            )}
          </Later>
        </ErrorBoundary>
      )}
    </ListPage>
  )
}

/** The way to the task, on its day. */
function TaskLink({ task }: { task: Task }) {
  const { timeZone } = useFormats()
  const shown = today(timeZone)
  const day = dayToFind(task, shown, timeZone)
  return (
    <Link
      to="/"
      search={{ view: 'table', task: task.id, ...(day !== shown && { day }) }}
      className="text-accent underline-offset-2 [overflow-wrap:anywhere] hover:underline"
    >
      {task.awb}
    </Link>
  )
}
