import { useMutation, useQuery } from '@tanstack/react-query'
import { Route as RouteIcon } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Answer } from '../../../contract/operations.ts'
import { sumTotals } from '../../../core/route-totals.ts'
import { isOpen } from '../../../core/task-status.ts'
import { api } from '../../api/client.ts'
import { isPassing, itemProblem, problemText } from '../../api/problem.ts'
import { useFormats } from '../../api/time.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { EmptyState, ErrorState } from '../../ui/state.tsx'
import { useTell } from '../../ui/toast.tsx'
import { useLaterSay } from '../../words/later.ts'
import { useDayName } from '../day/day-name.ts'
import { onDay, useDispatch } from '../day/dispatch.tsx'
import { newUndoId, useUndo } from '../day/undo.ts'
import { drawnOf } from './drawn/drawn-route.ts'
import { RoutesDrawn } from './drawn/routes-drawn.tsx'
import { saving, type Traffic, traffics } from './route.ts'

type RouteOfPlan = Answer<'optimiseRoutes'>['plan']['routes'][number]

/** So few at a time that the progress moves, and nothing waits behind one long request. */
const atOnce = 3

interface Wanted {
  driverIds: number[]
  day: string | undefined
  traffic: Traffic
  /** None for a preview. */
  undoId?: string
}

/** What was saved under which id; filled while it goes on. */
interface Applied {
  undoId: string
  routes: RouteOfPlan[]
}

/** Some drivers after the others. What there was no time for is asked for again; `routes` has them as they come. */
async function optimiseInTurn(
  wanted: Wanted,
  onProgress: (done: number) => void,
  signal?: AbortSignal,
  routes: RouteOfPlan[] = [],
) {
  const waiting = [...wanted.driverIds]
  onProgress(0)
  while (waiting.length > 0 && !signal?.aborted) {
    const driverIds = waiting.splice(0, atOnce)
    const { day, traffic, undoId } = wanted
    const { plan } = await api.optimiseRoutes({ body: { driverIds, ...onDay(day), traffic, ...saving(undoId) } })
    routes.push(...plan.routes)
    waiting.unshift(...plan.left)
    onProgress(wanted.driverIds.length - waiting.length)
  }
  return routes
}

/** The routes of all drivers, or of a team, on the day that is shown: what it saves, then all of them at once. */
export default function OptimiseAllDialog({ onClose }: { onClose: () => void }) {
  const say = useLaterSay('days')
  const tell = useTell()
  const undo = useUndo()
  const { all, day, planDay, drivers, teams, filters } = useDispatch()
  const dayName = useDayName()
  const [teamId, setTeamId] = useState(filters.team)
  const [traffic, setTraffic] = useState<Traffic>('best_guess')
  const [done, setDone] = useState(0)
  /** Those with something to do when the dialog was opened. */
  const [busy] = useState(() => new Set(all.filter(isOpen).map(({ userId }) => userId)))
  const driverIds = drivers
    .filter(({ id, driverTeams }) => busy.has(id) && (!teamId || driverTeams.some((team) => team.id === teamId)))
    .map(({ id }) => id)
  const wanted = { driverIds, day: planDay, traffic }
  const preview = useQuery({
    queryKey: ['optimise-all', wanted],
    queryFn: ({ signal }) => optimiseInTurn(wanted, setDone, signal),
    enabled: driverIds.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const apply = useMutation({
    mutationFn({ undoId, routes }: Applied) {
      return optimiseInTurn({ ...wanted, undoId }, setDone, undefined, routes)
    },
    onSuccess(_, applied) {
      tellApplied(applied)
      onClose()
    },
    onError: (error, applied) => tellApplied(applied, error),
  })
  /** If it ended halfway, what was saved before can be undone too, and what was saved although its answer was lost. */
  const tellApplied = ({ undoId, routes }: Applied, error?: Error) => {
    const saved = routes.filter(({ success }) => success).length
    const refused = routes.length - saved
    const mayBeSaved = isPassing(error)
    const sentences = [
      (!error || saved > 0) && say('routesOptimised', { n: saved }),
      refused > 0 && say('routesRefused', { n: refused }),
      error && problemText(error, say),
      mayBeSaved && say('routesUnknown'),
    ]
    tell(sentences.filter(Boolean).join(' · '), {
      bad: refused > 0 || error !== undefined,
      ...((!error || saved > 0 || mayBeSaved) && { undo: () => void undo(undoId) }),
    })
  }
  const drawn = useMemo(
    () => preview.data?.flatMap(({ route, ...driver }) => (route ? [drawnOf(driver, route)] : [])) ?? [],
    [preview.data],
  )
  const isWorking = preview.isFetching || apply.isPending
  return (
    <Dialog
      title={say('optimiseAllTitle', { day: dayName(day) })}
      lead={say('optimiseLead')}
      open
      onClose={onClose}
      wide
      footer={
        <>
          <Button onClick={onClose}>{say('cancel')}</Button>
          <Button
            look="primary"
            disabled={!preview.data?.some(({ success }) => success) || preview.isFetching}
            busy={apply.isPending}
            onClick={() => apply.mutate({ undoId: newUndoId(), routes: [] })}
          >
            {say('apply')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <div className="flex flex-wrap items-end gap-4">
          <SelectField
            label={say('planScope')}
            value={teamId ?? ''}
            onChange={({ target }) => setTeamId(Number(target.value) || undefined)}
            className="w-44"
          >
            <option value="">{say('allTeams')}</option>
            {teams.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={say('traffic')}
            value={traffic}
            onChange={({ target }) => setTraffic(target.value as Traffic)}
            className="w-36"
          >
            {traffics.map((one) => (
              <option key={one} value={one}>
                {say(`traffic_${one}`)}
              </option>
            ))}
          </SelectField>
        </div>
        {driverIds.length === 0 && (
          <EmptyState picture={<RouteIcon />} title={say('noRoutes')}>
            {say('noRoutesLead')}
          </EmptyState>
        )}
        {isWorking && (
          <div role="status" className="grid gap-1 text-ink-soft">
            {say(apply.isPending ? 'applyingOf' : 'optimisedOf', { done, all: driverIds.length })}
            <progress className="h-2 w-full" aria-label={say('computing')} value={done} max={driverIds.length} />
          </div>
        )}
        {preview.isError && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
        {preview.data && !preview.isFetching && preview.data.length > 0 && (
          <>
            <RoutesDrawn routes={drawn} />
            <Routes routes={preview.data} />
          </>
        )}
      </div>
    </Dialog>
  )
}

/** Before and after, for each driver and in sum. */
function Routes({ routes }: { routes: RouteOfPlan[] }) {
  const say = useLaterSay('days')
  const { duration, distance } = useFormats()
  const sum = sumTotals(routes.flatMap(({ route }) => route ?? []))
  const cells = ({ before, after }: Pick<NonNullable<RouteOfPlan['route']>, 'before' | 'after'>) => [
    duration(before.travelSeconds),
    duration(after.travelSeconds),
    distance(before.distanceMetres),
    distance(after.distanceMetres),
    duration(before.lateSeconds),
    duration(after.lateSeconds),
  ]
  const look = (index: number) => `px-3 py-1 ${index % 2 === 1 ? 'font-semibold' : 'text-ink-soft'}`
  return (
    <div className="overflow-x-auto shades-across [--beneath:var(--raised)]">
      <table className="numbers w-full border-collapse whitespace-nowrap text-right">
        <caption className="sr-only">{say('totals')}</caption>
        <thead>
          <tr className="text-ink-faint text-xs">
            <th scope="col" rowSpan={2} className="py-1 text-left font-medium">
              {say('planDriver')}
            </th>
            <th scope="col" rowSpan={2} className="px-3 py-1 font-medium">
              {say('tasksOfRoute')}
            </th>
            {(['travelTime', 'routeLength', 'lateness'] as const).map((word) => (
              <th key={word} scope="colgroup" colSpan={2} className="px-3 pt-1 text-center font-medium">
                {say(word)}
              </th>
            ))}
          </tr>
          <tr className="text-ink-faint text-xs">
            {[1, 2, 3].flatMap((pair) =>
              (['orderNow', 'orderAfter'] as const).map((word) => (
                <th key={pair + word} scope="col" className="px-3 pb-1 font-medium">
                  {say(word)}
                </th>
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {routes.map(({ driverId, driverName, route, error }) => (
            <tr key={driverId} className="border-line border-t">
              <th scope="row" className="py-1 text-left font-medium">
                {driverName}
                {error && <span className="block text-bad text-xs">{itemProblem(error, say)}</span>}
              </th>
              <td className="px-3 py-1">{route?.stops.length}</td>
              {route &&
                cells(route).map((text, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change
                  <td key={index} className={look(index)}>
                    {text}
                  </td>
                ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-line-strong border-t-2">
            <th scope="row" className="py-1 text-left font-semibold">
              {say('allRoutes')}
            </th>
            <td className="px-3 py-1">{routes.reduce((all, { route }) => all + (route?.stops.length ?? 0), 0)}</td>
            {cells(sum).map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change
              <td key={index} className={look(index)}>
                {text}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
