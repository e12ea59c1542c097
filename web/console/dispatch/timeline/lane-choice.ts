import type { Driver, Task } from '../../../api/data.ts'
import { byDuty } from '../../day/driver-order.ts'

interface Wanted {
  driver: number | undefined
  team: number | undefined
  /** The tasks a search has found; undefined if there is none. */
  found: ReadonlySet<number> | undefined
}

/**
 * A lane for every driver on duty or with tasks; on duty first. A route is shown completely, because its order would
 * make no sense otherwise: tasks that a filter does not find are dimmed, and lanes without any found task are left out.
 */
export const driversWithLanes = (
  drivers: Driver[],
  byDriver: Map<number | null, Task[]>,
  { driver, team, found }: Wanted,
): Driver[] =>
  drivers
    .filter(({ id }) => !driver || id === driver)
    .filter(({ driverTeams }) => !team || driverTeams.some(({ id }) => id === team))
    .filter(({ id, inShift }) => byDriver.has(id) || inShift || id === driver)
    .filter(({ id }) => !found || byDriver.get(id)?.some((task) => found.has(task.id)))
    .sort(byDuty)
