import type { AssignInput, DriverRefusalCode } from '../../../contract/planning.ts'
import { readTraffic, type Traffic } from '../../../core/geo.ts'
import type { Db } from '../../db/db.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { boundsOfDay, type Clock, isForToday } from '../problem/clock.ts'
import { isOfPlannedDay } from '../problem/stops.ts'
import { type Working, workingOf } from '../problem/vehicle.ts'
import { listPlannedDrivers, type PlannedDriver } from '../queries.ts'
import { listRoutesOfDay } from './queries.ts'

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
  return { driver, tasks, working, refusal: refusalOf(driver, working, rules, clock) }
}

/** Today those on duty work; on another day those who have a shift then. */
function refusalOf(
  driver: PlannedDriver,
  { isShiftOver, isDayOff }: Working,
  rules: Rules,
  clock: Clock,
): DriverRefusalCode | undefined {
  if (driver.is_absent) return 'ABSENT'
  if (isShiftOver) return 'SHIFT'
  if (isForToday(clock) && driver.in_shift) return undefined
  if (isForToday(clock) && !rules.includeOffDuty) return 'OFF_DUTY'
  return isDayOff ? 'DAY_OFF' : undefined
}

export const readRules = (input: Omit<AssignInput, 'tasks' | 'awbs'>): Rules => ({
  includeOffDuty: input.includeOffDuty ?? false,
  maxTasksPerDriver: input.maxTasksPerDriver,
  maxDistanceMetres: input.maxDistanceMetres,
  traffic: readTraffic(input.traffic),
})

/** The drivers to choose from, with their tasks of the day. */
export async function findFleet(
  db: Db,
  organisationId: number,
  teamId: number | undefined,
  rules: Rules,
  clock: Clock,
): Promise<FleetDriver[]> {
  const drivers = await listPlannedDrivers(db, organisationId, teamId, boundsOfDay(clock))
  const driverIds = drivers.map(({ id }) => id)
  const open = await listRoutesOfDay(db, organisationId, driverIds, boundsOfDay(clock))
  const ofDay = open.filter((task) => isOfPlannedDay(task, clock))
  const byDriver = Map.groupBy(ofDay, ({ user_id }) => user_id)
  return drivers.map((driver) => describeDriver(driver, byDriver.get(driver.id) ?? [], rules, clock))
}
