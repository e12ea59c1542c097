import type { Session } from './kept.ts'
import type { Ports } from './ports.ts'
import { readSession, type Shelves } from './store.ts'
import type { OrTell } from './trouble.ts'
import { createTurns } from './turns.ts'

type Given = { secret: string } | { phone: string; code: string }

export function createSignIn({ store, connect, news, newId, forgetMap }: Ports, orTell: OrTell) {
  const inTurn = createTurns()

  /** One for all tries until one succeeds: the server may have taken any of them, and its answer was lost. */
  const keepTry = () =>
    orTell(() =>
      store.change(async ({ facts }) => {
        const tryId = ((await facts.get('signInTry')) as string | undefined) ?? newId()
        await facts.put(tryId, 'signInTry')
        return tryId
      }),
    )

  /** Without a network the office can still sign the device out. */
  const endDevice = (token: string) =>
    connect(token)
      .signOutDevice()
      .catch(() => {})

  /** Somebody else starts with an empty phone, except for what the last driver has not sent: that waits for its driver. */
  async function begin(session: Session) {
    const isOther = await orTell(() =>
      store.change(async (shelves) => {
        const isOther = (await readSession(shelves))?.driverId !== session.driverId
        if (isOther) await forgetCopies(shelves)
        await shelves.facts.delete('signInTry')
        await shelves.facts.put(session, 'session')
        return isOther
      }),
    )
    if (isOther) await forgetMap()
  }

  async function leave() {
    const session = await store.read(readSession)
    if (!session) return
    if (session.token) await endDevice(session.token)
    await store.change(async (shelves) => {
      await forgetCopies(shelves)
      await forgetWork(shelves, session.driverId)
    })
  }

  return {
    /** Signs this phone in, with the secret of a link or with phone and code. */
    signIn: (given: Given) =>
      inTurn(async () => {
        const tryId = await keepTry()
        const { token, osmandUrl, user } = await connect(null).loginDriver({ body: { ...given, tryId } })
        const before = await store.read(readSession)
        await begin({ token, osmandUrl, driverId: user.id, name: user.name })
        // The device of the driver before is of no more use.
        if (before?.token) void endDevice(before.token)
        // Who keeps in touch with the server hears of the new session, and syncs.
        news.tell()
      }),

    /** Signs out and leaves nothing of this driver on the phone, unsent work included: the app asks before. */
    async signOut() {
      await orTell(leave)
      await forgetMap()
      news.tell()
    },
  }
}

async function forgetCopies({ facts, tasks, drafts, files, pictures, positions }: Shelves) {
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

async function forgetWork({ ops, refused, files, pictures }: Shelves, whose: number) {
  for (const { place, driverId } of await ops.getAll()) if (driverId === whose) await ops.delete(place)
  for (const { id, driverId } of await refused.getAll()) if (driverId === whose) await refused.delete(id)
  for (const { fileId, driverId } of await files.getAll()) {
    if (driverId !== whose) continue
    await files.delete(fileId)
    await pictures.delete(fileId)
  }
}
