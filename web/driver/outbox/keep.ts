import type { OpInput } from '../../../contract/sync.ts'
import { forgetMap } from '../store/caches.ts'
import {
  change,
  type Draft,
  type FileKind,
  forgetSentPictures,
  isFull,
  type Session,
  type Stores,
} from '../store/database.ts'
import { tellChanged } from './notify.ts'
import { placeOfDeed } from './place.ts'
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
export const keepDone = (deeds: readonly Deed[], pictures: readonly Picture[] = [], endsDraftOf?: number) =>
  orTell(() => keep(deeds, pictures, endsDraftOf))

async function keep(deeds: readonly Deed[], pictures: readonly Picture[], endsDraftOf: number | undefined) {
  const occurredAt = new Date().toISOString()
  const where = placeOfDeed()
  const write = () =>
    change(async (stores) => {
      const session = await sessionIn(stores)
      if (!session) throw new Error('Nobody is signed in')
      const { driverId } = session
      for (const { bytes, ...picture } of pictures) {
        await stores.files.put({ ...picture, driverId, takenAt: occurredAt, sentAt: null })
        await stores.pictures.put(bytes, picture.fileId)
      }
      for (const deed of deeds)
        await stores.ops.add({ driverId, op: { opId: crypto.randomUUID(), occurredAt, ...where, ...deed } })
      if (endsDraftOf !== undefined) await stores.drafts.delete(endsDraftOf)
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

/** The driver has read that a task was taken away. */
export async function dismissTaken(taskId: number) {
  await orTell(() => change(({ tasks }) => tasks.delete(taskId)))
  tellChanged()
}

/** The driver has read that the server did not accept it. A picture it did not accept goes with it. */
export async function dismissRefused(id: number) {
  await orTell(() =>
    change(async ({ refused, files, pictures }) => {
      const fileId = (await refused.get(id))?.fileId
      if (fileId) await Promise.all([files.delete(fileId), pictures.delete(fileId)])
      await refused.delete(id)
    }),
  )
  tellChanged()
}
