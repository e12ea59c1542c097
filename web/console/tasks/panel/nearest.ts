import { estimateTravelTable, transportOf } from '../../../../core/travel.ts'
import type { Driver, Task } from '../../../api/data.ts'

export interface Near {
  driver: Driver
  seconds: number
  metres: number
  /** When the driver was where they are counted from. */
  seenAt: number
}

/**
 * The drivers on duty by how long they would drive to the task from where they were seen last, by the estimate that
 * planning uses without a routing engine. Who has a longer way, but more time, is for planning to say.
 */
export function nearestTo({ address: { lat, lng } }: Pick<Task, 'address'>, drivers: readonly Driver[]): Near[] {
  if (lat === null || lng === null) return []
  return drivers
    .flatMap((driver): Near[] => {
      const { position, inShift, driverTransportationId } = driver
      if (!inShift || !position) return []
      const trip = estimateTravelTable([position, { lat, lng }], 'best_guess', transportOf(driverTransportationId))
      return [
        {
          driver,
          seconds: trip.seconds[1] as number,
          metres: trip.metres[1] as number,
          seenAt: Date.parse(position.occurredAt),
        },
      ]
    })
    .sort((one, other) => one.seconds - other.seconds || one.driver.id - other.driver.id)
}
