import { Popover } from 'radix-ui'
import { lazy, type ReactNode, useState } from 'react'
import type { Placing } from '../../../contract/planning.ts'
import type { Driver, Task } from '../../api/data.ts'
import { Button } from '../../ui/button.tsx'
import { Later } from '../../ui/later.tsx'

const DriverPicker = lazy(() => import('./driver-picker.tsx').then((module) => ({ default: module.DriverPicker })))

interface Props {
  trigger: ReactNode
  onPick: (driver: Driver | null, placing?: Placing) => void
  /** What the driver is picked for, if it is to be put into the route. */
  tasks?: Task[]
  /** The label of the choice "no driver"; if not given, there is no such choice. */
  noneLabel?: string | undefined
}

/** A button that opens the list of drivers with its search. */
export function DriverMenu({ trigger, onPick, tasks, noneLabel }: Props) {
  const [isOpen, setOpen] = useState(false)
  const pick = (driver: Driver | null, placing?: Placing) => {
    setOpen(false)
    onPick(driver, placing)
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          className="z-60 w-72 rounded-lg border border-line bg-raised p-2 shadow-raised outline-none"
        >
          <Later>
            <DriverPicker onPick={pick} {...(tasks && { tasks })} />
          </Later>
          {noneLabel && (
            <Button look="quiet" className="mt-1 w-full" onClick={() => pick(null)}>
              {noneLabel}
            </Button>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
