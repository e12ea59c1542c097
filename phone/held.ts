import type { WaitingOp } from './kept.ts'
import { fileOf, taskOf } from './op.ts'
import { canBeDeleted, isEndedBy, type Photos } from './photos.ts'
import type { Ports } from './ports.ts'
import type { Shelves } from './store.ts'
import type { OrTell } from './trouble.ts'

/*
 * What ends a task stays on the phone for a moment, in the queue like everything else, so that a slip of the thumb can
 * be undone. What is held was never handed to a request: only then is it certain that the server does not have it.
 */

export const holdMs = 10_000

export const isHeld = ({ heldUntilMs }: Pick<WaitingOp, 'heldUntilMs'>) => heldUntilMs !== undefined

/** The tasks whose end is held. Their photos wait with it, so that they can still be taken again after an undo. */
export const tasksHeld = (ops: readonly Pick<WaitingOp, 'op' | 'heldUntilMs'>[]) =>
  new Set(ops.filter(isHeld).map(({ op }) => taskOf(op)))

/**
 * What may be sent. An end that is held is the last in the queue: whatever is done after it lets it go. In two tabs a task
 * can be ended twice: then its photos go with the first end.
 */
export function withoutEnds(ops: readonly WaitingOp[]): WaitingOp[] {
  const held = tasksHeld(ops)
  const going = ops.filter((one) => !isHeld(one))
  return going.filter((one) => !(fileOf(one.op) && held.has(taskOf(one.op))) || isEndedBy(one, going))
}

/**
 * Something else is done, the app is hidden, or it was held long enough: it goes out, and what was filled in for it
 * goes. Answers whether there was anything.
 */
export async function release({ ops, drafts }: Shelves, isDue: (untilMs: number) => boolean = () => true) {
  let isAny = false
  for (const { heldUntilMs, ...rest } of await ops.getAll()) {
    if (heldUntilMs === undefined || !isDue(heldUntilMs)) continue
    isAny = true
    await ops.put(rest)
    const taskId = taskOf(rest.op)
    if (taskId !== undefined) await drafts.delete(taskId)
  }
  return isAny
}

export type Ends = ReturnType<typeof createEnds>

export function createEnds(
  { store, clock, news }: Pick<Ports, 'store' | 'clock' | 'news'>,
  photos: Photos,
  orTell: OrTell,
) {
  async function releaseSome(isDue: (untilMs: number) => boolean) {
    const isAny = await store.read(async ({ ops }) => (await ops.getAll()).some(isHeld))
    if (isAny && (await store.change((shelves) => release(shelves, isDue)))) news.tell()
  }

  return {
    /** Lets go what has been held long enough. A clock that was set back does not hold it for longer. */
    releaseDue() {
      const nowMs = clock.nowMs()
      return releaseSome((untilMs) => untilMs <= nowMs || untilMs > nowMs + holdMs)
    },

    /** The same for everything that is held. */
    releaseAll: () => releaseSome(() => true),

    /**
     * Takes back what is held, of all tasks that were ended together: what was filled in is there as it was. Answers whether
     * it was still held.
     */
    async undo(taskId: number): Promise<boolean> {
      const isUndone = await orTell(() =>
        store.change(async ({ ops, files, pictures }) => {
          const all = await ops.getAll()
          const held = all.filter(isHeld)
          const ended = tasksHeld(held)
          if (!ended.has(taskId)) return false
          for (const { place } of held) await ops.delete(place)
          // A photo that was taken before stays, although the other tasks of the stop were to have it too.
          const taken = await files.getAll()
          const isOlder = (fileId: string) => taken.some((file) => file.fileId === fileId && file.kind === 'photo')
          for (const fileId of new Set(held.flatMap(({ op }) => fileOf(op) ?? []))) {
            if (isOlder(fileId)) continue
            await files.delete(fileId)
            await pictures.delete(fileId)
          }
          const own = taken.filter((file) => ended.has(file.taskId) && canBeDeleted(file))
          for (const { fileId } of own) photos.hold(fileId)
          return true
        }),
      )
      news.tell()
      return isUndone
    },
  }
}
