import { change, database, type Stores, type WaitingOp } from '../store/database.ts'
import { tellChanged } from './notify.ts'
import { canBeDeleted, holdPhoto } from './photos.ts'
import { orTell } from './trouble.ts'

/*
 * What ends a task stays on the phone for a moment, in the queue like everything else, so that a slip of the thumb can
 * be undone. What is held was never handed to a request: only then is it certain that the server does not have it.
 */

export const holdMs = 10_000

/**
 * Something else is done, the app is hidden, or it was held long enough: it goes out, and what was filled in for it
 * goes. Answers whether there was anything.
 */
export async function release({ ops, drafts }: Stores, isDue: (untilMs: number) => boolean = () => true) {
  let isAny = false
  for (const { heldUntilMs, ...rest } of await ops.getAll()) {
    if (heldUntilMs === undefined || !isDue(heldUntilMs)) continue
    isAny = true
    await ops.put(rest)
    if (rest.op.taskId !== undefined) await drafts.delete(rest.op.taskId)
  }
  return isAny
}

/** Lets go what has been held long enough. A clock that was set back does not hold it for longer. */
export const releaseDue = (nowMs: number) => releaseSome((untilMs) => untilMs <= nowMs || untilMs > nowMs + holdMs)

/** The same for everything that is held. */
export const releaseAll = () => releaseSome(() => true)

async function releaseSome(isDue: (untilMs: number) => boolean) {
  const { length } = (await (await database()).getAll('ops')).filter(isHeld)
  if (length > 0 && (await change((stores) => release(stores, isDue)))) tellChanged()
}

/** Takes back what is held: what was filled in is there as it was. Answers whether it was still held. */
export async function undoHeld(taskId: number): Promise<boolean> {
  const isUndone = await orTell(() =>
    change(async ({ ops, files, pictures }) => {
      const held = (await ops.getAll()).filter((one) => one.heldUntilMs !== undefined && one.op.taskId === taskId)
      for (const { place, op } of held) {
        await ops.delete(place as number)
        if (!op.fileId) continue
        await files.delete(op.fileId)
        await pictures.delete(op.fileId)
      }
      const photos = (await files.getAll()).filter((file) => file.taskId === taskId && canBeDeleted(file))
      for (const { fileId } of photos) holdPhoto(fileId)
      return held.length > 0
    }),
  )
  tellChanged()
  return isUndone
}

/** The tasks whose end is held. Their photos wait with it, so that they can still be taken again after an undo. */
export const tasksHeld = (ops: readonly Pick<WaitingOp, 'op' | 'heldUntilMs'>[]) =>
  new Set(ops.filter(isHeld).map(({ op }) => op.taskId))

/** What may be sent. An end that is held is the last in the queue: whatever is done after it lets it go. */
export function withoutEnds(ops: readonly WaitingOp[]): WaitingOp[] {
  const held = tasksHeld(ops)
  return ops.filter((one) => !isHeld(one) && !(one.op.fileId && held.has(one.op.taskId)))
}

export const isHeld = ({ heldUntilMs }: Pick<WaitingOp, 'heldUntilMs'>) => heldUntilMs !== undefined
