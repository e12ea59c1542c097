import type { KeptFile, WaitingOp } from './kept.ts'
import { fileOf, taskOf } from './op.ts'
import type { Ports } from './ports.ts'
import type { Change } from './store.ts'
import type { OrTell } from './trouble.ts'

/*
 * A photo stays on the phone while its driver is at the stop, so that a bad one can be deleted or taken again. It goes
 * when the stop is left or ended, when the app is hidden, or when it is opened again after a crash: that is why what is
 * held is only remembered here. Once it is offered to the server nobody knows whether it got there, and it stays.
 */

export const canBeDeleted = ({ sentAt, isOffered, isRefused }: KeptFile) => !sentAt && !isOffered && !isRefused

/** Whether the task of this op is ended by a later one: what ends a task takes its photos along, which it may need. */
export const isEndedBy = ({ op, place }: WaitingOp, ops: readonly WaitingOp[]) =>
  ops.some(
    (later) =>
      later.place > place &&
      taskOf(later.op) === taskOf(op) &&
      (later.op.type === 'complete' || later.op.type === 'fail'),
  )

export type Photos = ReturnType<typeof createPhotos>

export function createPhotos({ store, news }: Pick<Ports, 'store' | 'news'>, orTell: OrTell) {
  const held = new Set<string>()

  /** A phone without room for the mark sends all the same: that is what makes room. */
  async function offering<Given, Result>(given: Given, mark: Change<Result>) {
    try {
      const offered = await store.change(mark)
      news.tell()
      return offered
    } catch (error) {
      if (!store.isFull(error)) throw error
      return given
    }
  }

  return {
    hold: (fileId: string) => void held.add(fileId),

    /** Whether there was anything to let go. */
    letGo(): boolean {
      const some = held.size > 0
      held.clear()
      return some
    },

    /** What may be sent now, in order. */
    withoutHeld: (ops: readonly WaitingOp[]): WaitingOp[] =>
      ops.filter((one) => {
        const fileId = fileOf(one.op)
        return !fileId || !held.has(fileId) || isEndedBy(one, ops)
      }),

    /** Whether this picture may be sent now. One whose op is no longer held goes with it. */
    mayGo: ({ fileId }: Pick<KeptFile, 'fileId'>) => !held.has(fileId),

    /** Deletes a photo with its bytes and its op, or nothing of it: then the server may have it. */
    async delete(fileId: string): Promise<boolean> {
      const isGone = await orTell(() =>
        store.change(async ({ files, pictures, ops }) => {
          const file = await files.get(fileId)
          if (!file || !canBeDeleted(file)) return false
          for (const { place, op } of await ops.getAll()) if (fileOf(op) === fileId) await ops.delete(place)
          await files.delete(fileId)
          await pictures.delete(fileId)
          return true
        }),
      )
      if (isGone) {
        held.delete(fileId)
        news.tell()
      }
      return isGone
    },

    /** From now on the server may have it. Undefined if it was deleted in the meantime. */
    offerPicture: (file: KeptFile) =>
      offering(file, async ({ files }) => {
        const kept = await files.get(file.fileId)
        if (kept && !kept.isOffered) await files.put({ ...kept, isOffered: true })
        return kept
      }),

    /** The same for ops; those whose photo was deleted in the meantime are left out. */
    async offerOps(batch: WaitingOp[]): Promise<WaitingOp[]> {
      if (!batch.some(({ op }) => fileOf(op))) return batch
      return offering(batch, async ({ ops, files }) => {
        const offered: WaitingOp[] = []
        for (const waiting of batch) {
          const fileId = fileOf(waiting.op)
          if (fileId && !(await ops.get(waiting.place))) continue
          const file = fileId ? await files.get(fileId) : undefined
          if (file && !file.isOffered) await files.put({ ...file, isOffered: true })
          offered.push(waiting)
        }
        return offered
      })
    },
  }
}
