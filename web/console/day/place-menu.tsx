import { Popover } from 'radix-ui'
import { lazy, type ReactNode, useState } from 'react'
import type { Placing } from '../../../contract/planning.ts'
import type { Driver, Task } from '../../api/data.ts'
import { Later } from '../../ui/later.tsx'
import { useSay } from '../../words/console.ts'

const PlaceChoices = lazy(() => import('./place-choices.tsx'))

interface Props {
  trigger: ReactNode
  driver: Driver
  tasks: Task[]
  onChoose: (placing: Placing) => void
}

/** A button that asks where in the route of a driver tasks go. */
export function PlaceMenu({ trigger, driver, tasks, onChoose }: Props) {
  const say = useSay()
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          aria-label={say('assignToDriver', { driver: driver.name })}
          className="z-60 min-h-32 w-64 rounded-lg border border-line bg-raised p-1 shadow-raised outline-none"
        >
          <Later>
            <PlaceChoices
              driver={driver}
              tasks={tasks}
              onChoose={(placing) => {
                setOpen(false)
                onChoose(placing)
              }}
            />
          </Later>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
