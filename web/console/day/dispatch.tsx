import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { dayOf } from '../../../core/task-day.ts'
import type { StatusId } from '../../../core/task-status.ts'
import { type Company, type Driver, type Task, type Team, useCompany, useDrivers, useTeams } from '../../api/data.ts'
import { useFormats } from '../../api/time.ts'
import { tasksOf } from '../../live/load-tasks.ts'
import { useTasksInConflict } from '../conflicts/open-conflicts.ts'
import { useWithAhead } from './ahead.ts'
import { type Filters, filterTasks } from './filters.ts'
import { type Selection, useSelectionState } from './selection.ts'
import { useFilters } from './use-filters.ts'
import { withOpeningHours } from './workday.ts'

/** What the four views share: the tasks of the day, the filtered ones, the drivers, and one selection. */
interface Dispatch {
  day: string
  isToday: boolean
  isPast: boolean
  /** What a plan is asked for: nothing for today, which the server knows best. */
  planDay: string | undefined
  /** The time used to decide what is late; updated every half minute. */
  now: number
  filters: Filters
  change: ReturnType<typeof useFilters>['change']
  /** Every task of the day. */
  all: Task[]
  /** Those that pass every filter, sorted. */
  tasks: Task[]
  /** How many pass the other filters, per state. */
  counts: Record<StatusId, number>
  byId: Map<number, Task>
  drivers: Driver[]
  /** They are still on their way: nothing can be said about them. */
  isAwaitingDrivers: boolean
  driverById: Map<number, Driver>
  teams: Team[]
  selection: Selection
  /** Whether the tasks of the day are there. */
  isLoaded: boolean
  /** The query for the tasks, to show when fetching them again failed. */
  query: Pick<UseQueryResult<Task[]>, 'error' | 'dataUpdatedAt' | 'refetch' | 'isFetching'>
}

const DispatchContext = createContext<Dispatch | null>(null)

export function useDispatch(): Dispatch {
  const dispatch = useContext(DispatchContext)
  if (!dispatch) throw new Error('Only the dispatch screen has tasks of a day')
  return dispatch
}

export function DispatchProvider({ children }: { children: ReactNode }) {
  const { filters, change } = useFilters()
  const { timeZone } = useFormats()
  const now = useNow()
  const today = dayOf(now, timeZone)
  const day = filters.day ?? today
  const { data, error, dataUpdatedAt, refetch, isFetching } = useQuery({
    ...tasksOf(day, today, timeZone),
    enabled: timeZone !== 'UTC' || day !== '',
  })
  const listed = useInParts(data, day)
  const { data: everyDriver = noDrivers, isPending: isAwaitingDrivers } = useDrivers({ refetchInterval: 60_000 })
  const { data: teams = noTeams } = useTeams()
  const all = useWithAhead(listed ?? noTasks)

  const company = useCompany().data
  const drivers = useDriversOf(everyDriver, all, company?.shiftTimes)
  const driverById = useMemo(() => new Map(drivers.map((driver) => [driver.id, driver])), [drivers])
  const byId = useMemo(() => new Map(all.map((task) => [task.id, task])), [all])
  const teamsByDriver = useTeamsByDriver(drivers)
  const conflicts = useTasksInConflict()
  const { tasks, counts } = useMemo(
    () => filterTasks(all, filters, now, teamsByDriver, conflicts, company?.settings),
    [all, filters, now, teamsByDriver, conflicts, company?.settings],
  )
  const selection = useSelectionState(byId, tasks)
  const value: Dispatch = {
    day,
    isToday: day === today,
    isPast: day < today,
    planDay: day === today ? undefined : day,
    now,
    filters,
    change,
    all,
    tasks,
    counts,
    byId,
    drivers,
    isAwaitingDrivers,
    driverById,
    teams,
    selection,
    isLoaded: listed !== undefined,
    query: { error, dataUpdatedAt, refetch, isFetching },
  }
  return <DispatchContext value={value}>{children}</DispatchContext>
}

/**
 * The tasks of a day as they are drawn: what has just come is drawn in small parts, between which the page answers, and until
 * then the list is the one before. Drawn at once, 5,000 tasks were a task of up to 214 ms. Another day never waits: the tasks
 * of the day before must not stand below its name.
 */
function useInParts(tasks: Task[] | undefined, day: string): Task[] | undefined {
  const current = useMemo(() => ({ tasks, day }), [tasks, day])
  const drawn = useDeferredValue(current)
  return drawn.day === day ? drawn.tasks : tasks
}

/** The day to plan, for the API: without one it is today. */
export const onDay = (day: string | undefined) => (day ? { day } : {})

const noTasks: Task[] = []
const noDrivers: Driver[] = []
const noTeams: Team[] = []
const noHours: Company['shiftTimes'] = []

/** With the shifts plans give them. Who is not active is there only as long as tasks of the day are theirs. */
function useDriversOf(drivers: Driver[], tasks: Task[], openingHours: Company['shiftTimes'] = noHours): Driver[] {
  const working = useMemo(
    () => (openingHours.length > 0 ? drivers.map((driver) => withOpeningHours(driver, openingHours)) : drivers),
    [drivers, openingHours],
  )
  const areActive = working.every(({ active }) => active)
  // Most days everybody is, and then new tasks change nothing here.
  const concerned = areActive ? noTasks : tasks
  return useMemo(() => {
    if (areActive) return working
    const busy = new Set(concerned.map(({ userId }) => userId))
    return working.filter(({ id, active }) => active || busy.has(id))
  }, [working, areActive, concerned])
}

/** Stays the same while drivers only move: positions change every second, and must not cause the list to be rebuilt. */
function useTeamsByDriver(drivers: Driver[]): Map<number, Set<number>> {
  const written = JSON.stringify(drivers.map(({ id, driverTeams }) => [id, driverTeams.map((team) => team.id)]))
  return useMemo(() => {
    const pairs = JSON.parse(written) as [number, number[]][]
    return new Map(pairs.map(([id, teams]) => [id, new Set(teams)]))
  }, [written])
}

function useNow() {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
