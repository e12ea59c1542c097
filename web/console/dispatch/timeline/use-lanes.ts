import { useMemo } from 'react'
import { Unassigned } from '../../../../core/task-status.ts'
import type { Task } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { type Lane, makeLane, rangeOf, type Span } from './lanes.ts'

interface Lanes {
  lanes: Lane[]
  range: Span
  unassigned: Task[]
  /** Whether a filter looks for tasks, so that the others are dimmed. */
  isSearching: boolean
  found: ReadonlySet<number>
}

const none: Task[] = []

/**
 * A lane for every driver on duty or with tasks; on duty first. A route is shown completely, because its order would
 * make no sense otherwise: tasks that a filter does not find are dimmed, and lanes without any found task are left out.
 */
export function useLanes(): Lanes {
  const { all, tasks, drivers, filters, day, isToday, now } = useDispatch()
  const { timeZone } = useFormats()
  const { driver: onlyDriver, team: onlyTeam, q, status, risk } = filters
  const isSearching = Boolean(q || status || risk)
  return useMemo(() => {
    const found = new Set(tasks.map(({ id }) => id))
    const byDriver = Map.groupBy(all, ({ userId }) => userId)
    const lanes = drivers
      .filter(({ id }) => !onlyDriver || id === onlyDriver)
      .filter(({ driverTeams }) => !onlyTeam || driverTeams.some(({ id }) => id === onlyTeam))
      .map((driver) => makeLane(driver, byDriver.get(driver.id) ?? none, day, timeZone, now))
      .filter(({ driver, all }) => all > 0 || driver.inShift || driver.id === onlyDriver)
      .filter(({ driver }) => !isSearching || byDriver.get(driver.id)?.some(({ id }) => found.has(id)))
      .sort(
        (one, other) =>
          Number(other.driver.inShift) - Number(one.driver.inShift) || one.driver.name.localeCompare(other.driver.name),
      )
    const range = rangeOf(lanes, day, timeZone, isToday ? now : undefined)
    return { lanes, range, unassigned: tasks.filter(({ statusId }) => statusId === Unassigned), isSearching, found }
  }, [all, tasks, drivers, onlyDriver, onlyTeam, isSearching, day, isToday, now, timeZone])
}
