import type { ProfileUpdate } from '../../contract/driver.ts'
import { settingsOf } from '../../core/settings.ts'
import type { Db } from '../db/db.ts'
import { type DriverRow, lockDriver, saveProfile } from '../drivers/queries.ts'
import { claimPicture, dropPicture } from '../files/claims.ts'
import type { Organisation } from '../organisations/queries.ts'
import { getOwnDriver, notSignedIn } from './devices/devices.ts'
import { requireSetting } from './sync/decide.ts'

/** What drivers say about themselves. A picture must be one they have sent. */
export async function updateProfile(
  db: Db,
  organisation: Organisation,
  driverId: number,
  { avatar, hasDismissedIntroModal }: ProfileUpdate,
): Promise<DriverRow> {
  if (avatar) requireSetting(settingsOf(organisation), 'allowDriverAddProfilePicture')
  return db.transaction(async (db) => {
    const before = await lockDriver(db, organisation.id, driverId)
    if (!before) throw notSignedIn()
    const path = avatar ? await claimPicture(db, organisation.id, avatar, 'avatar', driverId) : avatar
    await saveProfile(db, organisation.id, driverId, {
      avatar: path === undefined ? before.avatar : path,
      has_dismissed_intro: hasDismissedIntroModal ?? before.has_dismissed_intro,
    })
    if (path !== undefined) await dropPicture(db, organisation.id, before.avatar, path)
    return getOwnDriver(db, organisation.id, driverId)
  })
}
