import type { OpInput } from '../../../contract/sync.ts'
import { forgetMap } from '../store/caches.ts'
import {
  change,
  type Day,
  type Draft,
  type FileKind,
  forgetSentPictures,
  isFull,
  type Refused,
  type Session,
  type Stores,
} from '../store/database.ts'
import { holdMs, release } from './held.ts'
import { tellChanged } from './notify.ts'
import { placeOfDeed } from './place.ts'
import { staysWhenRead } from './refused.ts'
import { wake } from './send.ts'
import { orTell } from './trouble.ts'

/** What a driver does, before the outbox gives it a name, a time and a place. */
export type Deed = Omit<OpInput, 'opId' | 'occurredAt'>

export interface Picture {
  kind: FileKind
  fileId: string
  taskId: number
  bytes: ArrayBuffer
}

/**
 * Puts what the driver did into the queue, with its pictures, all or nothing. Once this returns it survives a closed
 * tab, an empty battery and an update; if it fails, the driver is told and nothing was kept.
 */
export const keepDone = (deeds: readonly Deed[], pictures: readonly Picture[] = []) =>
  orTell(() => keep(deeds, pictures))

/** The same for what ends a task: it is held for a moment, and until then what was filled in stays for an undo. */
export async function keepEnd(deeds: readonly Deed[], pictures: readonly Picture[]) {
  await orTell(() => keep(deeds, pictures, Date.now() + holdMs))
  setTimeout(wake, holdMs)
}

async function keep(deeds: readonly Deed[], pictures: readonly Picture[], heldUntilMs?: number) {
  const occurredAt = new Date().toISOString()
  const where = placeOfDeed()
  const write = () =>
    change(async (stores) => {
      const session = await sessionIn(stores)
      if (!session) throw new Error('Nobody is signed in')
      const { driverId } = session
      // What was held comes before.
      await release(stores)
      for (const { bytes, ...picture } of pictures) {
        await stores.files.put({ ...picture, driverId, takenAt: occurredAt, sentAt: null })
        await stores.pictures.put(bytes, picture.fileId)
      }
      for (const deed of deeds) {
        const op = { opId: crypto.randomUUID(), occurredAt, ...where, ...deed }
        await stores.ops.add({ driverId, op, ...(heldUntilMs !== undefined && { heldUntilMs }) })
      }
    })
  try {
    await write()
  } catch (error) {
    if (!isFull(error)) throw error
    // Pictures the server already has are only for looking at, and so are maps.
    await Promise.all([forgetSentPictures(), forgetMap()])
    await write()
  }
  tellChanged()
  wake()
}

export const sessionIn = async ({ facts }: Pick<Stores, 'facts'>) => (await facts.get('session')) as Session | undefined

/** What is filled in so far; kept with every change. */
export const keepDraft = async (draft: Draft) => {
  await orTell(() => change(({ drafts }) => drafts.put(draft)))
  tellChanged()
}

/** The driver has looked at a change of the office. */
export async function noteSeen(taskId: number) {
  const wasNew = await orTell(() =>
    change(async ({ tasks }) => {
      const kept = await tasks.get(taskId)
      if (!kept?.isNew) return false
      await tasks.put({ ...kept, isNew: false })
      return true
    }),
  )
  if (wasNew) await keepDone([{ type: 'seen', taskId }])
}

/** The driver has read that the order changed. */
export async function dismissOrder() {
  await orTell(() =>
    change(async ({ facts }) => {
      const day = (await facts.get('day')) as Day | undefined
      if (day) await facts.put({ ...day, orderChangedAt: null }, 'day')
    }),
  )
  tellChanged()
}

/** The driver has read that a task was taken away, and what came of their work on it. */
export async function dismissTaken(taskId: number, refused: readonly Refused[]) {
  await orTell(() =>
    change(async (stores) => {
      await stores.tasks.delete(taskId)
      await noteRead(stores, refused)
    }),
  )
  tellChanged()
}

/** The driver has read that the server did not accept it, or what the office decided. */
export async function dismissRefused(entries: readonly Refused[]) {
  await orTell(() => change((stores) => noteRead(stores, entries)))
  tellChanged()
}

/** A picture that was not accepted goes with its entry. */
async function noteRead({ refused, files, pictures }: Stores, entries: readonly Refused[]) {
  for (const entry of entries) {
    if (staysWhenRead(entry)) {
      await refused.put({ ...entry, isRead: true })
      continue
    }
    if (entry.fileId) await Promise.all([files.delete(entry.fileId), pictures.delete(entry.fileId)])
    await refused.delete(entry.id)
  }
}
