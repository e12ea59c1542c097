import { settingsOf } from '../../../core/settings.ts'
import { findPlaceAt } from '../../drivers/positions.ts'
import type { TaskChange } from '../../tasks/change/change.ts'
import { saveAddresses } from '../../tasks/queries.ts'
import type { Scene } from './decide.ts'

/** Moves the address of a completed task to where the driver was, if the organisation wants that and it is known. */
export async function moveAddress(scene: Omit<Scene, 'route'>, done: TaskChange): Promise<TaskChange> {
  const { db, organisation, driverId, task, happened } = scene
  const { overwriteTaskLocation, locationTrackingDistance2: metres } = settingsOf(organisation)
  if (!overwriteTaskLocation) return done
  const { lat, lng } =
    happened.lat !== null && happened.lng !== null
      ? happened
      : ((await findPlaceAt(db, organisation.id, driverId, happened.at, metres)) ?? { lat: null, lng: null })
  if (lat === null || lng === null) return done
  await saveAddresses(db, organisation.id, [{ ...task.address, task_id: task.id, lat, lng, precision: null }])
  return { ...done, rereads: [...(done.rereads ?? []), 'address'] }
}
