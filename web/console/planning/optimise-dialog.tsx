import { useMutation, useQuery } from '@tanstack/react-query'
import { Route as RouteIcon } from 'lucide-react'
import { useMemo, useState } from 'react'
import { problemText } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { EmptyState, ErrorState } from '../../ui/state.tsx'
import { useTell } from '../../ui/toast.tsx'
import { useSay } from '../../words/console.ts'
import { useDispatch } from '../day/dispatch.tsx'
import { newUndoId } from '../day/undo.ts'
import { Computing } from './computing.tsx'
import { drawnOf } from './drawn/drawn-route.ts'
import { RoutesDrawn } from './drawn/routes-drawn.tsx'
import { optimise, type RouteOwner, type Traffic, traffics, useOpenTasks, useOrderRoute } from './route.ts'
import { RouteCompare } from './route-compare.tsx'
import { RouteNotes } from './route-notes.tsx'
import { RouteTotals } from './route-totals.tsx'

/** The best order found next to the current one, before anything changes. */
export default function OptimiseDialog({ driver, onClose }: { driver: RouteOwner; onClose: () => void }) {
  const say = useSay()
  const tell = useTell()
  const { tellSaved } = useOrderRoute()
  const { planDay } = useDispatch()
  const [traffic, setTraffic] = useState<Traffic>('best_guess')
  const tasks = useOpenTasks(driver.id)
  const preview = useQuery({
    queryKey: ['optimise', driver.id, planDay, traffic],
    queryFn: () => optimise(driver.id, planDay, traffic),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const apply = useMutation({
    mutationFn: (undoId: string) => optimise(driver.id, planDay, traffic, undoId),
    onSuccess(route, undoId) {
      tellSaved(say('routeOptimised', { driver: driver.name }), route, undoId)
      onClose()
    },
    onError: (error) => tell(problemText(error, say), { bad: true }),
  })
  const route = preview.data
  const drawn = useMemo(
    () => (route ? [drawnOf({ driverId: driver.id, driverName: driver.name }, route)] : []),
    [route, driver.id, driver.name],
  )
  const isEmpty = route?.stops.length === 0
  const isSame = route?.stops.every(({ position, positionBefore }) => position === positionBefore)
  return (
    <Dialog
      title={say('optimiseRouteOf', { driver: driver.name })}
      lead={say('optimiseLead')}
      open
      onClose={onClose}
      wide
      footer={
        <>
          <Button onClick={onClose}>{say('cancel')}</Button>
          <Button
            look="primary"
            disabled={!route || isEmpty || preview.isFetching}
            busy={apply.isPending}
            onClick={() => apply.mutate(newUndoId())}
          >
            {say('apply')}
          </Button>
        </>
      }
    >
      {isEmpty ? (
        <EmptyState picture={<RouteIcon />} title={say('nothingToPlan')}>
          {say('nothingToPlanLead', { driver: driver.name })}
        </EmptyState>
      ) : (
        <div className="grid grid-cols-1 gap-4">
          <div className="flex flex-wrap items-start gap-6">
            <SelectField
              label={say('traffic')}
              value={traffic}
              onChange={(event) => setTraffic(event.target.value as Traffic)}
              className="w-40"
            >
              {traffics.map((one) => (
                <option key={one} value={one}>
                  {say(`traffic_${one}`)}
                </option>
              ))}
            </SelectField>
            {route && <RouteTotals route={route} />}
          </div>
          {preview.isPending && <Computing />}
          {preview.isError && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
          {route && isSame && <p className="rounded-md bg-good-soft px-3 py-2 text-good">{say('alreadyBest')}</p>}
          <RoutesDrawn routes={drawn} />
          {route && <RouteCompare route={route} tasks={tasks.data ?? []} />}
          {route && <RouteNotes route={route} driverId={driver.id} />}
        </div>
      )}
    </Dialog>
  )
}
