import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { mostItems } from '../../../contract/limits.ts'
import type { Answer } from '../../../contract/operations.ts'
import type { PlannedStop } from '../../../contract/task.ts'
import { api } from '../../api/client.ts'
import type { Driver, Task } from '../../api/data.ts'
import { problemText } from '../../api/problem.ts'
import { useTell } from '../../ui/toast.tsx'
import { useSay } from '../../words/console.ts'
import { showAhead } from '../day/ahead.ts'
import { onDay, useDispatch } from '../day/dispatch.tsx'
import { newUndoId, useUndo } from '../day/undo.ts'

export type Route = Answer<'optimizeTodayTasks'>['route']
export type RouteStop = Route['stops'][number]
/** The driver of a route. */
export type RouteOwner = Pick<Driver, 'id' | 'name'>

export const traffics = ['best_guess', 'optimistic', 'pessimistic', 'none'] as const
export type Traffic = (typeof traffics)[number]

/** Undoing needs an id, a preview none. */
export const saving = (undoId: string | undefined) => (undoId ? { undoId } : { dryRun: true })

export const optimise = async (
  driverId: number,
  day: string | undefined,
  traffic: Traffic,
  undoId?: string,
): Promise<Route> =>
  (await api.optimizeTodayTasks({ params: { driverId }, body: { ...onDay(day), traffic, ...saving(undoId) } })).route

export const order = async (
  driverId: number,
  day: string | undefined,
  tasks: number[],
  undoId?: string,
): Promise<Route> =>
  (await api.orderDriverTasks({ params: { driverId }, body: { tasks, ...onDay(day), ...saving(undoId) } })).route

/** A driver's open tasks in route order. A plan has only their numbers; people know them by address. */
export const useOpenTasks = (driverId: number) =>
  useQuery({
    queryKey: ['driver-tasks', driverId],
    queryFn: async () =>
      (await api.listDriverTasks({ params: { driverId }, query: { statusId: '6,7', limit: mostItems } })).tasks,
    gcTime: 0,
  })

/** Shows the server's response until the events with the saved tasks arrive. */
export function showRoute(client: QueryClient, { stops }: Route) {
  const byTask = new Map(stops.map((stop) => [stop.taskId, stop]))
  const listed = client.getQueriesData<Task[]>({ queryKey: ['tasks'] }).flatMap(([, tasks]) => tasks ?? [])
  const planned = listed.filter(({ id }) => byTask.has(id))
  showAhead(client, planned, ({ id }) => {
    const stop = byTask.get(id) as RouteStop
    return { route: plannedOf(stop), etaAt: stop.arrivalTime }
  })
}

const plannedOf = ({ position, arrivalTime, distanceMetres, waitSeconds, lateSeconds }: RouteStop): PlannedStop => ({
  position,
  arrivalTime,
  distanceMetres,
  waitSeconds,
  lateSeconds,
})

interface Wanted {
  driver: RouteOwner
  tasks: number[]
  /** Another action, which already shows a notice: what it is undone by. */
  partOf?: string | undefined
}

/** Puts a route into an order, shows it, and offers to undo it. */
export function useOrderRoute() {
  const client = useQueryClient()
  const { planDay } = useDispatch()
  const tell = useTell()
  const say = useSay()
  const undo = useUndo()

  const tellSaved = (text: string, route: Route, undoId: string) => {
    showRoute(client, route)
    tell(text, { undo: () => void undo(undoId) })
  }
  const save = useMutation({
    mutationFn: async ({ driver, tasks, partOf }: Wanted) => {
      const undoId = partOf ?? newUndoId()
      return { route: await order(driver.id, planDay, tasks, undoId), undoId }
    },
    onSuccess: ({ route, undoId }, { driver, partOf }) =>
      partOf ? showRoute(client, route) : tellSaved(say('orderSaved', { driver: driver.name }), route, undoId),
    onError: (error) => tell(problemText(error, say), { bad: true }),
  })
  return { save, tellSaved }
}
