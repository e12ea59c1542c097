import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Route as RouteIcon } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CancelButton, Dialog } from '../../ui/dialog.tsx'
import { EmptyState, ErrorState } from '../../ui/state.tsx'
import { Unsaved } from '../../ui/unsaved.ts'
import { useSay } from '../../words/console.ts'
import { useDispatch } from '../day/dispatch.tsx'
import { Computing } from './computing.tsx'
import { findBrokenDependency } from './dependencies.ts'
import { drawnOf } from './drawn/drawn-route.ts'
import { RoutesDrawn } from './drawn/routes-drawn.tsx'
import { ReorderList } from './reorder-list.tsx'
import { order, type RouteOwner, useOpenTasks, useOrderRoute } from './route.ts'
import { RouteNotes } from './route-notes.tsx'
import { RouteTotals } from './route-totals.tsx'

/** A manual order; its effect is computed with every step. */
export default function ReorderDialog({ driver, onClose }: { driver: RouteOwner; onClose: () => void }) {
  const say = useSay()
  const { save } = useOrderRoute()
  const { planDay } = useDispatch()
  const tasks = useOpenTasks(driver.id)
  /** The chosen order; until one is chosen, the current one. */
  const [wanted, setWanted] = useState<number[]>([])
  const broken = findBrokenDependency(wanted, tasks.data ?? [])
  const preview = useQuery({
    queryKey: ['order', driver.id, planDay, wanted],
    queryFn: () => order(driver.id, planDay, wanted),
    // An order that would be refused is not sent; the times of the last valid order stay on the screen.
    enabled: !broken,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const route = preview.data
  const drawn = useMemo(
    () => (route ? [drawnOf({ driverId: driver.id, driverName: driver.name }, route)] : []),
    [route, driver.id, driver.name],
  )
  const shown = wanted.length > 0 ? wanted : (route?.stops.map(({ taskId }) => taskId) ?? [])
  const before = route?.stops.toSorted((one, other) => one.positionBefore - other.positionBefore) ?? []
  const isAsItWas = wanted.every((id, place) => id === before[place]?.taskId)
  /** Someone else changed the route in the meantime: start from the new state. */
  const beginAgain = () => {
    setWanted([])
    void tasks.refetch()
    void preview.refetch()
  }
  return (
    <Dialog
      title={say('reorderRouteOf', { driver: driver.name })}
      lead={say('reorderLead')}
      open
      onClose={onClose}
      wide
      footer={
        <>
          <CancelButton />
          <Button
            look="primary"
            disabled={wanted.length === 0 || Boolean(broken) || preview.isError}
            busy={save.isPending}
            onClick={() => save.mutate({ driver, tasks: wanted }, { onSuccess: onClose })}
          >
            {say('save')}
          </Button>
        </>
      }
    >
      <Unsaved isChanged={() => !save.isPending && !isAsItWas} />
      {!route && preview.isPending && <Computing />}
      {preview.isError && <ErrorState error={preview.error} onRetry={beginAgain} />}
      {route?.stops.length === 0 && (
        <EmptyState picture={<RouteIcon />} title={say('nothingToPlan')}>
          {say('nothingToPlanLead', { driver: driver.name })}
        </EmptyState>
      )}
      {route && route.stops.length > 0 && (
        <div className="grid grid-cols-1 gap-4">
          <RouteTotals route={route} />
          <p role="alert" className={broken ? 'rounded-md bg-bad-soft px-3 py-2 text-bad' : 'sr-only'}>
            {broken && say('dependsOn', broken)}
          </p>
          <ReorderList
            ids={shown}
            stops={route.stops}
            tasks={tasks.data ?? []}
            isOld={preview.isPlaceholderData}
            onOrder={setWanted}
          />
          <RoutesDrawn routes={drawn} />
          <RouteNotes route={route} driverId={driver.id} />
        </div>
      )}
    </Dialog>
  )
}
