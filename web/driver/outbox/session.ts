import { forgetMap } from '../store/caches.ts'
import { change, currentSession, database, type Session, type Stores } from '../store/database.ts'
import { tellChanged } from './notify.ts'
import { serverFor } from './server.ts'
import { orTell } from './trouble.ts'

/** Signs this phone in, with the secret of a link or with phone and code. */
export async function signIn(given: { secret: string } | { phone: string; code: string }) {
  const { token, osmandUrl, user } = await serverFor(null).loginDriver({ body: given })
  const before = await currentSession()
  await begin({ token, osmandUrl, driverId: user.id, name: user.name })
  // The device of the driver before is of no more use. Without a network the office can still sign it out.
  if (before?.token) void endDevice(before.token)
  // Without it the browser may delete what is stored when the phone runs out of room.
  void navigator.storage?.persist?.()
  // Who keeps in touch with the server hears of the new session, and syncs.
  tellChanged()
}

const endDevice = (token: string) =>
  serverFor(token)
    .signOutDevice()
    .catch(() => {})

/** Somebody else starts with an empty phone, except for what the last driver has not sent: that waits for its driver. */
async function begin(session: Session) {
  const isOther = await orTell(() =>
    change(async (stores) => {
      const before = (await stores.facts.get('session')) as Session | undefined
      const isOther = before?.driverId !== session.driverId
      if (isOther) await forgetCopies(stores)
      await stores.facts.put(session, 'session')
      return isOther
    }),
  )
  if (isOther) await forgetMap()
}

async function forgetCopies({ facts, tasks, drafts, files, pictures, positions }: Stores) {
  await facts.clear()
  await positions.clear()
  await tasks.clear()
  await drafts.clear()
  for (const { fileId, sentAt } of await files.getAll()) {
    if (!sentAt) continue
    await files.delete(fileId)
    await pictures.delete(fileId)
  }
}

/** Signs out and leaves nothing of this driver on the phone, unsent work included: the app asks before. */
export async function signOut() {
  await orTell(leave)
  await forgetMap()
  tellChanged()
}

async function leave() {
  const session = (await (await database()).get('facts', 'session')) as Session | undefined
  if (!session) return
  // Without a network the office can still sign the device out.
  if (session.token) await endDevice(session.token)
  await change(async (stores) => {
    await forgetCopies(stores)
    for (const { place, driverId } of await stores.ops.getAll())
      if (driverId === session.driverId && place !== undefined) await stores.ops.delete(place)
    for (const { id, driverId } of await stores.refused.getAll())
      if (driverId === session.driverId && id !== undefined) await stores.refused.delete(id)
    for (const { fileId, driverId } of await stores.files.getAll()) {
      if (driverId !== session.driverId) continue
      await stores.files.delete(fileId)
      await stores.pictures.delete(fileId)
    }
  })
}
