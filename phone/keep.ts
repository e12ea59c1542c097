import type { OpInput } from '../contract/op.ts'
import { isSameCode } from '../core/scan.ts'
import { holdMs, release } from './held.ts'
import type { Draft, FileKind, Refused } from './kept.ts'
import type { createPlace } from './place.ts'
import { type Ports, timeOf } from './ports.ts'
import { staysWhenRead } from './refused.ts'
import type { Sending } from './send.ts'
import { forgetSentPictures, readDay, readSession, type Shelves } from './store.ts'
import type { OrTell } from './trouble.ts'

/** What a driver does, before the phone gives it a name, a time and a place. */
export type Action = Unnamed<OpInput>
type Unnamed<Op> = Op extends OpInput ? Omit<Op, 'opId' | 'occurredAt'> : never

export interface Picture {
  kind: FileKind
  fileId: string
  taskId: number
  bytes: ArrayBuffer
}

interface Parts {
  orTell: OrTell
  place: ReturnType<typeof createPlace>
  sending: Sending
}

export function createKeeping(ports: Ports, { orTell, place, sending: { wake } }: Parts) {
  const { store, clock, news } = ports

  async function keep(actions: readonly Action[], pictures: readonly Picture[], heldUntilMs?: number) {
    const occurredAt = timeOf(clock)
    const where = place.forAction()
    const ops = actions.map((action): OpInput => ({ opId: ports.newId(), occurredAt, ...where, ...action }))
    const write = () =>
      store.change(async (shelves) => {
        const session = await readSession(shelves)
        if (!session) throw new Error('Nobody is signed in')
        const { driverId } = session
        // What was held comes before.
        await release(shelves)
        for (const { bytes, ...picture } of pictures) {
          await shelves.files.put({ ...picture, driverId, takenAt: occurredAt, sentAt: null })
          await shelves.pictures.put(bytes, picture.fileId)
        }
        for (const op of ops) await shelves.ops.add({ driverId, op, ...(heldUntilMs !== undefined && { heldUntilMs }) })
      })
    try {
      await write()
    } catch (error) {
      if (!store.isFull(error)) throw error
      // Pictures the server already has are only for looking at, and so are maps.
      await Promise.all([forgetSentPictures(store), ports.forgetMap()])
      await write()
    }
    news.tell()
    void wake()
  }

  const keepDone = (actions: readonly Action[], pictures: readonly Picture[] = []) =>
    orTell(() => keep(actions, pictures))

  return {
    /**
     * Puts what the driver did into the queue, with its pictures, all or nothing. Once this returns it survives a closed
     * tab, an empty battery and an update; if it fails, the driver is told and nothing was kept.
     */
    keepDone,

    /** The same for what ends a task: it is held for a moment, and until then what was filled in stays for an undo. */
    async keepEnd(actions: readonly Action[], pictures: readonly Picture[]) {
      await orTell(() => keep(actions, pictures, clock.nowMs() + holdMs))
      clock.later(wake, holdMs)
    },

    /** What is filled in so far; kept with every change. */
    async keepDraft(draft: Draft) {
      await orTell(() => store.change(({ drafts }) => drafts.put(draft)))
      news.tell()
    },

    /** The driver has looked at a change of the office. */
    async noteSeen(taskId: number) {
      const wasNew = await orTell(() =>
        store.change(async ({ tasks }) => {
          const kept = await tasks.get(taskId)
          if (!kept?.isNew) return false
          await tasks.put({ ...kept, isNew: false })
          return true
        }),
      )
      if (wasNew) await keepDone([{ type: 'seen', taskId }])
    },

    /** The driver has read that the order changed. */
    async dismissOrder() {
      await orTell(() =>
        store.change(async (shelves) => {
          const day = await readDay(shelves)
          if (day) await shelves.facts.put({ ...day, orderChangedAt: null }, 'day')
        }),
      )
      news.tell()
    },

    /** The driver has taken a parcel out of the vehicle that does not belong there, and has to be told if it comes again. */
    async dismissForeign(code: string) {
      await orTell(() =>
        store.change(async (shelves) => {
          const day = await readDay(shelves)
          const foreign = day?.foreign?.filter((one) => !isSameCode(one.code, code))
          if (day && foreign) await shelves.facts.put({ ...day, foreign }, 'day')
        }),
      )
      news.tell()
    },

    /** The driver has read that a task was taken away, and what came of their work on it. */
    async dismissTaken(taskId: number, refused: readonly Refused[]) {
      await orTell(() =>
        store.change(async (shelves) => {
          await shelves.tasks.delete(taskId)
          await noteRead(shelves, refused)
        }),
      )
      news.tell()
    },

    /** The driver has read that the server did not accept it, or what the office decided. */
    async dismissRefused(entries: readonly Refused[]) {
      await orTell(() => store.change((shelves) => noteRead(shelves, entries)))
      news.tell()
    },
  }
}

/** A picture that was not accepted goes with its entry. */
async function noteRead({ refused, files, pictures }: Shelves, entries: readonly Refused[]) {
  for (const entry of entries) {
    if (staysWhenRead(entry)) {
      await refused.put({ ...entry, isRead: true })
      continue
    }
    if (entry.fileId) await Promise.all([files.delete(entry.fileId), pictures.delete(entry.fileId)])
    await refused.delete(entry.id)
  }
}
