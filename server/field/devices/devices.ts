import type { Device, DeviceReport } from '../../../contract/device.ts'
import { Refusal } from '../../../contract/errors.ts'
import { type Acting, recordAudit } from '../../audit/record.ts'
import type { Db } from '../../db/db.ts'
import { type DriverRow, findDriver } from '../../drivers/queries.ts'
import { type DeviceRow, deleteDevice, listAllDevices, listDevices, type Report } from './queries.ts'

export async function findDevices(db: Db, organisationId: number, driverId: number): Promise<Device[]> {
  const driver = await findDriver(db, organisationId, driverId)
  if (!driver) throw new Refusal('DRIVER_NOT_FOUND')
  return driver.active ? (await listDevices(db, organisationId, driverId)).map(presentDevice) : []
}

export const findAllDevices = async (db: Db, organisationId: number) =>
  (await listAllDevices(db, organisationId)).map((row) => ({ ...presentDevice(row), driverId: row.user_id }))

/** Signs a device out: the office, or the driver on it. Returns whether it was signed in. */
export const removeDevice = (
  by: Acting,
  kind: 'driver.signedOut' | 'driver.deviceRemoved',
  organisationId: number,
  driverId: number,
  deviceId: number,
): Promise<boolean> =>
  by.db.transaction(async (db) => {
    if ((await deleteDevice(db, organisationId, driverId, deviceId)) === 0) return false
    const changes = [{ field: 'deviceId', before: deviceId }]
    await recordAudit(by, db, organisationId, [{ kind, subjectId: driverId, changes }])
    return true
  })

export const notSignedIn = () => new Refusal('UNAUTHORIZED', { message: 'This device is not signed in' })

/** Refuses what a device sends that was signed out, or whose driver may not sign in, and says which. */
export function requireSignIn<Found extends { active: boolean }>(found: Found | undefined): Found {
  if (!found) throw notSignedIn()
  if (!found.active) throw new Refusal('SIGN_IN_SUSPENDED')
  return found
}

/** The driver of a device, who may just have been deleted. */
export async function getOwnDriver(db: Db, organisationId: number, driverId: number): Promise<DriverRow> {
  const driver = await findDriver(db, organisationId, driverId)
  if (!driver) throw notSignedIn()
  return driver
}

/** What a phone cannot know is left out. */
export const readReport = ({ name, version, battery, pending }: DeviceReport = {}): Report => ({
  name: name?.trim() || null,
  version: version?.trim() || null,
  battery: typeof battery === 'number' && battery >= 0 && battery <= 100 ? Math.round(battery) : null,
  pending: pending ?? null,
})

const presentDevice = ({ id, name, version, battery, pending, last_seen_at, created_at }: DeviceRow): Device => ({
  id,
  name,
  version,
  battery,
  pending,
  lastSeenAt: last_seen_at?.toISOString() ?? null,
  signedInAt: created_at.toISOString(),
})
