import { useMemo, useState } from 'react'
import { awaitsDriver } from '../../../../core/delegation.ts'
import type { Driver, Task } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { useAbsent } from '../../day/absent.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { workdayOf } from '../../day/workday.ts'
import { driversWithLanes } from './lane-choice.ts'
import { createLaneKeeper, type Lane, rangeOf, type Span } from './lanes.ts'

interface Lanes {
  lanes: Lane[]
  range: Span
  unassigned: Task[]
  /** Whether a filter looks for tasks, so that the others are dimmed. */
  isSearching: boolean
  found: ReadonlySet<number>
}

const none: Task[] = []

export function useLanes(): Lanes {
  const { all, tasks, drivers, filters, day, isToday, now } = useDispatch()
  const { timeZone } = useFormats()
  const { driver: onlyDriver, team: onlyTeam, q, status, partner, risk, doubt } = filters
  const isSearching = Boolean(q || status || partner || risk || doubt)
  const absent = useAbsent(day)
  const [lanesOf] = useState(createLaneKeeper)
  return useMemo(() => {
    const found = new Set(tasks.map(({ id }) => id))
    const byDriver = Map.groupBy(all, ({ userId }) => userId)
    const isWorking = (driver: Driver) =>
      isToday ? driver.inShift : workdayOf(driver, day, absent.has(driver.id)).works
    const wanted = { driver: onlyDriver, team: onlyTeam, found: isSearching ? found : undefined, isWorking }
    const drawn = driversWithLanes(drivers, byDriver, wanted)
    const lanes = lanesOf(drawn, (id) => byDriver.get(id) ?? none, day, timeZone, now)
    const range = rangeOf(lanes, day, timeZone, isToday ? now : undefined)
    return { lanes, range, unassigned: tasks.filter(awaitsDriver), isSearching, found }
  }, [all, tasks, drivers, onlyDriver, onlyTeam, isSearching, day, isToday, absent, now, timeZone, lanesOf])
}
