import type { AssignInput, DriverRefusalCode } from '../../../contract/planning.ts'
import { readTraffic, type Traffic } from '../../../core/geo.ts'
import { endOfDay, startOfDay } from '../../../core/time.ts'
import type { Db } from '../../db/db.ts'
import type { TaskView } from '../../tasks/tables.ts'
import type { Clock } from '../problem/clock.ts'
import { type Working, workingOf } from '../problem/vehicle.ts'
import { listPlannedDrivers, type PlannedDriver } from '../queries.ts'
import { listRoutesOfToday } from './queries.ts'

export interface FleetDriver {
  driver: PlannedDriver
  tasks: TaskView[]
  working: Working
  /** Why they cannot take any task. */
  refusal: DriverRefusalCode | undefined
}

export interface Rules {
  includeOffDuty: boolean
  maxTasksPerDriver: number | undefined
  maxDistanceMetres: number | undefined
  traffic: Traffic
}

/** A driver's tasks, and whether they can take more. */
function describeDriver(driver: PlannedDriver, tasks: TaskView[], rules: Rules, clock: Clock): FleetDriver {
  const working = workingOf(driver, clock)
  return { driver, tasks, working, refusal: refusalOf(driver, working, rules) }
}

function refusalOf(driver: PlannedDriver, { isShiftOver }: Working, rules: Rules): DriverRefusalCode | undefined {
  if (isShiftOver) return 'SHIFT'
  return driver.in_shift || rules.includeOffDuty ? undefined : 'OFF_DUTY'
}

export const readRules = (input: Omit<AssignInput, 'tasks' | 'awbs'>): Rules => ({
  includeOffDuty: input.includeOffDuty ?? false,
  maxTasksPerDriver: input.maxTasksPerDriver,
  maxDistanceMetres: input.maxDistanceMetres,
  traffic: readTraffic(input.traffic),
})

/** The drivers to choose from, with their tasks of today. */
export async function findFleet(
  db: Db,
  organisationId: number,
  teamId: number | undefined,
  rules: Rules,
  clock: Clock,
): Promise<FleetDriver[]> {
  const { now, timezone } = clock
  const drivers = await listPlannedDrivers(db, organisationId, teamId, startOfDay(now, timezone))
  const driverIds = drivers.map(({ id }) => id)
  const open = await listRoutesOfToday(db, organisationId, driverIds, endOfDay(now, timezone))
  const byDriver = Map.groupBy(open, ({ user_id }) => user_id)
  return drivers.map((driver) => describeDriver(driver, byDriver.get(driver.id) ?? [], rules, clock))
}
