import { ChevronsUpDown, Phone } from 'lucide-react'
import { isEnded } from '../../../../core/task-status.ts'
import type { Task } from '../../../api/data.ts'
import { useIsShop, useMay } from '../../../api/session.ts'
import { canAssign, canUnassign } from '../../../tasks/moves.ts'
import { Button } from '../../../ui/button.tsx'
import { useSay } from '../../../words/console.ts'
import { DriverMenu } from '../../day/driver-menu.tsx'
import { useMayUnassign } from '../../day/may-unassign.ts'
import { useGive } from './give.ts'

/** The driver of the task, and the menu to change it. */
export function DriverPart({ task }: { task: Task }) {
  const say = useSay()
  const may = useMay()
  const give = useGive(task)
  const isShop = useIsShop()
  const mayUnassign = useMayUnassign() && canUnassign(task)
  const mayChange = may('tasks:write') && !isShop && !isEnded(task) && (canAssign(task) || mayUnassign)
  const name = task.user?.name ?? task.fulfillerDriver?.name
  if (!mayChange) return <DriverName name={name} phone={task.user?.phone ?? task.fulfillerDriver?.phone} />
  if (!canAssign(task))
    return (
      <span className="flex flex-wrap items-center gap-x-2">
        <DriverName name={name} phone={task.user?.phone} />
        <Button look="quiet" className="!h-6" onClick={() => void give(null)}>
          {say('unassign')}
        </Button>
      </span>
    )
  return (
    <span className="flex items-center gap-1">
      <DriverMenu
        onPick={(driver, placing) => void give(driver, placing)}
        tasks={[task]}
        noneLabel={mayUnassign ? say('unassign') : undefined}
        trigger={
          <Button
            className="!h-7 min-w-0 max-w-full !px-2"
            aria-label={name ? `${say('changeDriver')}: ${name}` : say('chooseDriver')}
          >
            <span className="truncate">{name ?? say('chooseDriver')}</span>
            <ChevronsUpDown aria-hidden className="!size-3.5 text-ink-faint" />
          </Button>
        }
      />
      <PhoneLink phone={task.user?.phone} />
    </span>
  )
}

const DriverName = ({ name, phone }: { name: string | undefined; phone: string | undefined }) => {
  const say = useSay()
  return (
    <span className="flex items-center gap-1">
      {name ?? <span className="text-ink-soft">{say('noDriver')}</span>}
      <PhoneLink phone={phone} />
    </span>
  )
}

/** A number to call, as a small button next to a name. */
export function PhoneLink({ phone }: { phone: string | undefined }) {
  const say = useSay()
  if (!phone) return null
  return (
    <a
      href={`tel:${phone.replace(/[^\d+]/g, '')}`}
      title={say('callPhone', { phone })}
      aria-label={say('callPhone', { phone })}
      className="grid size-6 shrink-0 place-items-center rounded-md text-accent hover:bg-hover"
    >
      <Phone aria-hidden className="size-3.5" />
    </a>
  )
}
