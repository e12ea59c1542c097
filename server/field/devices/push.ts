import { ECDH } from 'node:crypto'
import type { PushInput } from '../../../contract/device.ts'
import { Refusal } from '../../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { OutsideError } from '../../outside/fault.ts'
import type { Outside } from '../../outside/fetch.ts'
import { replacePush } from './queries.ts'

/** Stores where a device can be woken. The address comes from a phone, so it is judged like that of a webhook. */
export async function savePush(
  db: Db,
  outside: Outside,
  organisationId: number,
  deviceId: number,
  { endpoint, keys }: PushInput,
) {
  requireEndpoint(outside, endpoint)
  const p256dh = Buffer.from(keys.p256dh, 'base64url')
  if (!isPoint(p256dh))
    throw new Refusal('VALIDATION_FAILED', {
      field: 'keys.p256dh',
      message: 'keys.p256dh must be an uncompressed point of P-256',
    })
  await replacePush(db, organisationId, deviceId, { endpoint, p256dh, auth: Buffer.from(keys.auth, 'base64url') })
}

function requireEndpoint(outside: Outside, endpoint: string) {
  const field = 'endpoint'
  try {
    if (outside.judge(endpoint).protocol === 'https:') return
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    const { fault, message } = error
    throw new Refusal(fault === 'forbidden' ? 'PUSH_ENDPOINT_FORBIDDEN' : 'VALIDATION_FAILED', { field, message })
  }
  throw new Refusal('VALIDATION_FAILED', { field, message: 'endpoint must start with https://' })
}

function isPoint(bytes: Buffer): boolean {
  try {
    ECDH.convertKey(bytes, 'prime256v1')
    return bytes[0] === 4
  } catch {
    return false
  }
}
