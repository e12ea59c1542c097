import { useEffect } from 'react'
import { InTransit } from '../../../core/task-status.ts'
import { useDay, useIsOnDuty } from '../looks/day.ts'
import { useAccess } from './access.ts'
import { useAwake, useKeepsAwake } from './awake.ts'
import { followPhone } from './follow.ts'

/** Shows nothing: reports where the driver is, on duty only, and keeps the screen on while a task is in transit. */
export function Positions() {
  const { day, session, tasks } = useDay()
  const isOnDuty = useIsOnDuty()
  const { access } = useAccess()
  const [keepsAwake] = useKeepsAwake()
  const isMoving = tasks.some(({ statusId }) => statusId === InTransit)
  const { locationTrackingDistance1: metres, locationTrackingTime: seconds } = day.settings
  const isWanted = isOnDuty && access === 'allowed'
  const { driverId } = session
  useEffect(
    () => (isWanted ? followPhone(driverId, { metres, seconds }, isMoving) : undefined),
    [isWanted, driverId, metres, seconds, isMoving],
  )
  useAwake(isOnDuty && isMoving && keepsAwake)
  return null
}
