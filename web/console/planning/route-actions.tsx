import { ListOrdered, Route as RouteIcon } from 'lucide-react'
import { lazy, useState } from 'react'
import { useCompany } from '../../api/data.ts'
import { useMay } from '../../api/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { Later } from '../../ui/later.tsx'
import { useSay } from '../../words/console.ts'
import { usePlannable } from '../day/plannable.ts'
import type { RouteOwner } from './route.ts'

const dialogs = {
  optimise: lazy(() => import('./optimise-dialog.tsx')),
  reorder: lazy(() => import('./reorder-dialog.tsx')),
}
type DialogName = keyof typeof dialogs
const actions = [
  { name: 'optimise', word: 'optimiseRouteOf', Icon: RouteIcon },
  { name: 'reorder', word: 'reorderRouteOf', Icon: ListOrdered },
] as const

interface Props {
  driver: RouteOwner
  /** Icons without labels. */
  compact?: boolean
  /** Shows only this action. */
  only?: DialogName
}

/** Actions for a driver's route: optimise it, or reorder it by hand. */
export function RouteActions({ driver, compact, only }: Props) {
  const say = useSay()
  const may = useMay()
  const { data: company } = useCompany()
  const plannable = usePlannable()
  const [open, setOpen] = useState<DialogName>()
  if (!may('tasks:write')) return null
  const offered = actions
    .filter(({ name }) => !only || name === only)
    .filter(({ name }) => name !== 'optimise' || company?.settings.enableRouteOptimization)
  const Chosen = open && dialogs[open]
  return (
    <>
      {offered.map(({ name, word, Icon }) =>
        compact ? (
          <IconButton
            key={name}
            label={say(word, { driver: driver.name })}
            className="!h-7 !w-7"
            {...plannable(() => setOpen(name))}
          >
            <Icon />
          </IconButton>
        ) : (
          <Button key={name} aria-label={say(word, { driver: driver.name })} {...plannable(() => setOpen(name))}>
            <Icon aria-hidden />
            {say(name)}
          </Button>
        ),
      )}
      {Chosen && (
        <ErrorBoundary isDialog onClose={() => setOpen(undefined)}>
          <Later>
            <Chosen driver={driver} onClose={() => setOpen(undefined)} />
          </Later>
        </ErrorBoundary>
      )}
    </>
  )
}
