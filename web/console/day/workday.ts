import { boundsOf, hoursOn, shiftsOf } from '../../../core/shift-bounds.ts'
import type { Company, Driver } from '../../api/data.ts'

/** Whether a driver works on a day, and when. Without any shift times they may work at any time. */
export interface Workday {
  works: boolean
  isAbsent: boolean
  /** `10:00–14:00`, or nothing if it is not known. */
  hours: string
}

type Shifts = Pick<Driver, 'startShiftTime' | 'endShiftTime' | 'shiftTimes'>

/** The hours of a driver on a date, as the plan of that day has them. */
export const hoursOfDriver = ({ startShiftTime, endShiftTime, shiftTimes }: Shifts, day: string) =>
  hoursOn({ start: startShiftTime, end: endShiftTime, shiftTimes }, day)

export function workdayOf(driver: Shifts, day: string, isAbsent: boolean): Workday {
  const { isDayOff, ...shift } = hoursOfDriver(driver, day)
  const bounds = boundsOf(shift)
  return { works: !isAbsent && !isDayOff, isAbsent, hours: bounds ? `${bounds.start}–${bounds.end}` : '' }
}

/** A driver as plans see them: who has no shift works when the organisation is open. */
export function withOpeningHours(driver: Driver, openingHours: Company['shiftTimes']): Driver {
  const { startShiftTime: start, endShiftTime: end, shiftTimes } = driver
  const shifts = shiftsOf({ start, end, shiftTimes }, openingHours)
  return { ...driver, shiftTimes: [...(shifts.shiftTimes ?? [])] }
}
