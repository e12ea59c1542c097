import type { Driver, Task } from '../../../api/data.ts'
import { byDuty } from '../../day/driver-order.ts'

interface Wanted {
  driver: number | undefined
  team: number | undefined
  /** The tasks a search has found; undefined if there is none. */
  found: ReadonlySet<number> | undefined
  /** Who works: today those on duty, on another day those who have a shift. */
  isWorking?: (driver: Driver) => boolean
}

/**
 * A lane for every driver who works or has tasks; on duty first. A route is shown completely, because its order would
 * make no sense otherwise: tasks that a filter does not find are dimmed, and lanes without any found task are left out.
 */
export const driversWithLanes = (
  drivers: Driver[],
  byDriver: Map<number | null, Task[]>,
  { driver, team, found, isWorking = ({ inShift }) => inShift }: Wanted,
): Driver[] =>
  drivers
    .filter(({ id }) => !driver || id === driver)
    .filter(({ driverTeams }) => !team || driverTeams.some(({ id }) => id === team))
    .filter((one) => byDriver.has(one.id) || isWorking(one) || one.id === driver)
    .filter(({ id }) => !found || byDriver.get(id)?.some((task) => found.has(task.id)))
    .sort(byDuty)
