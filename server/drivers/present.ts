import type { Driver, ListedDriver } from '../../contract/driver.ts'
import { silentSince } from '../../core/duty.ts'
import { settingsOf } from '../../core/settings.ts'
import { presentDriverCompany } from '../organisations/present.ts'
import type { Organisation } from '../organisations/queries.ts'
import { presentPosition } from './positions.ts'
import type { DriverRow } from './queries.ts'

const transportation: Record<number, string> = {
  1: 'Foot',
  2: 'Bicycle',
  3: 'Motorcycle',
  4: 'Car',
  5: 'Van',
  6: 'Truck',
}

const silenceOf = (
  { in_shift, duty_started_at, created_at, position }: DriverRow,
  organisation: Organisation,
  now: Date,
) =>
  silentSince(
    { isOnDuty: in_shift, startedAt: duty_started_at ?? created_at },
    position && new Date(position.occurred_at),
    settingsOf(organisation).locationTrackingTime,
    now,
  )

const presentShared = (driver: DriverRow, organisation: Organisation, now: Date) => ({
  id: driver.id,
  name: driver.name,
  email: driver.email,
  password: '' as const,
  phone: driver.phone,
  avatar: driver.avatar,
  driver: driver.is_driver,
  admin: driver.is_admin,
  superAdmin: driver.is_super_admin,
  active: driver.active,
  dispatcher: driver.is_dispatcher,
  inShift: driver.in_shift,
  hasDismissedIntroModal: driver.has_dismissed_intro,
  status: driver.status,
  startShiftTime: driver.shift_start,
  endShiftTime: driver.shift_end,
  shiftTimes: driver.shift_times,
  lunchBreakStart: driver.lunch_start,
  lunchBreakEnd: driver.lunch_end,
  createdAt: driver.created_at.toISOString(),
  updatedAt: driver.updated_at.toISOString(),
  driverTransportationId: driver.transportation_id,
  companyId: driver.organisation_id,
  position: driver.position && presentPosition(driver.position),
  silentSince: silenceOf(driver, organisation, now)?.toISOString() ?? null,
})

export const presentDriver = (driver: DriverRow, organisation: Organisation, now: Date): Driver => ({
  ...presentShared(driver, organisation, now),
  lunchBreakDuration: driver.lunch_minutes,
  company: presentDriverCompany(organisation),
})

export const presentListedDriver = (driver: DriverRow, organisation: Organisation, now: Date): ListedDriver => ({
  ...presentShared(driver, organisation, now),
  lunchBreakDuration: driver.lunch_minutes === null ? null : String(driver.lunch_minutes),
  driverTransportation:
    driver.transportation_id === null
      ? null
      : { id: driver.transportation_id, name: transportation[driver.transportation_id] ?? '' },
  driverTeams: driver.teams,
})
