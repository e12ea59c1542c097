import type { Service } from '../../context.ts'
import { makePushKeys, type PushIdentity } from '../../outside/push.ts'
import { findPushKeys, insertPushKeys } from './queries.ts'

/** Made when they are first needed. A browser subscribes to one public key, so they never change. */
export async function getPushIdentity({ config, database }: Service): Promise<PushIdentity> {
  const db = database.everyone
  let keys = await findPushKeys(db)
  if (!keys) {
    const { publicKey, privateKey } = await makePushKeys()
    await insertPushKeys(db, { public_key: publicKey, private_key: privateKey })
    // Another process may have been faster.
    keys = await findPushKeys(db)
    if (!keys) throw new Error('The push keys could not be stored')
  }
  return { publicKey: keys.public_key, privateKey: keys.private_key, contact: config.pushContact }
}
