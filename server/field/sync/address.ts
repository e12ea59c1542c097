import { doorMetres, type Point, showsDoor } from '../../../core/geo.ts'
import { settingsOf } from '../../../core/settings.ts'
import { findPlaceAt } from '../../drivers/positions.ts'
import type { TaskChange } from '../../tasks/change/change.ts'
import { learnDoor } from '../../tasks/learned/places.ts'
import { saveAddresses } from '../../tasks/queries.ts'
import type { Scene } from './scene.ts'

/**
 * Moves the address of a completed task to where the driver was, if the organisation wants that and it is known exactly; and
 * remembers it for the next time the address comes.
 */
export async function moveAddress(scene: Omit<Scene, 'route'>, done: TaskChange): Promise<TaskChange> {
  const { db, organisation, task } = scene
  if (!settingsOf(organisation).overwriteTaskLocation) return done
  const door = await findDoor(scene)
  if (!door) return done
  const place = { ...door, precision: null, precision_detail: null }
  await saveAddresses(db, organisation.id, [{ ...task.address, task_id: task.id, ...place }])
  await learnDoor(db, organisation.id, { task_id: task.id, address: task.address }, door, houseOf(task.address))
  return { ...done, rereads: [...(done.rereads ?? []), 'address'] }
}

/** Where the house was thought to be, if it was known better than by its street. */
const houseOf = ({ lat, lng, precision }: Scene['task']['address']) =>
  lat === null || lng === null || precision === 'approximate' ? undefined : { lat, lng }

/** Where the driver says they were, or where they were seen. What was vague stays so, whatever was seen before. */
async function findDoor({ db, organisation, driverId, happened }: Omit<Scene, 'route'>): Promise<Point | undefined> {
  const { at, lat, lng, accuracyMetres } = happened
  if (lat === null || lng === null) return findPlaceAt(db, organisation.id, driverId, at, doorMetres)
  return showsDoor(accuracyMetres) ? { lat, lng } : undefined
}
