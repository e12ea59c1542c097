import type { PhoneChanges, PhoneTask } from '../contract/sync.ts'
import { dayOf } from '../core/task-day.ts'
import { InTransit, isEnded, isOpen } from '../core/task-status.ts'
import type { KeptTask } from './kept.ts'

/** What only the office changes. If it is not as it was, the driver has to look. */
const officeView = ({ notes, dependencies, ...task }: PhoneTask, driverId: number) =>
  JSON.stringify([
    task.awb,
    task.details,
    task.customerNotes,
    task.totalPrice,
    task.quantity,
    task.inventory,
    task.pickupTask,
    task.completeAfter,
    task.completeBefore,
    task.customFields,
    task.formId,
    task.customer?.name,
    task.customer?.phone,
    task.address.address,
    task.address.addressSecondLine,
    task.address.lat,
    task.address.lng,
    dependencies.map(({ awb }) => awb),
    notes.filter(({ userId }) => userId !== driverId).map(({ id }) => id),
  ])

interface Received {
  keep: KeptTask[]
  forget: number[]
}

/**
 * What a sync makes of the tasks on the phone. Tasks that are new or that the office changed are marked, except at the
 * first sync; an open one that is gone stays, marked as taken away.
 */
export function receive(
  before: readonly KeptTask[],
  changes: PhoneChanges,
  serverTime: string,
  isFirst: boolean,
): Received {
  const known = new Map(before.map((kept) => [kept.id, kept]))
  const given = new Set(changes.tasks.map(({ id }) => id))
  const keep = changes.tasks.map((task): KeptTask => {
    const old = known.get(task.id)
    const sees = old && !old.takenAt && officeView(old.task, changes.user.id) === officeView(task, changes.user.id)
    // What the office has changed since can no longer be taken back.
    const begun = sees && task.statusId === InTransit ? old.begun : undefined
    const isNew = isOpen(task) && !isFirst && (!sees || old.isNew)
    return { id: task.id, task, isNew, takenAt: null, ...(begun && { begun }) }
  })
  // An answer may be too large for all of them; the rest of the route comes with the next.
  const stays = new Set([...given, ...changes.order])
  const gone = changes.full ? before.map(({ id }) => id).filter((id) => !stays.has(id)) : changes.removed
  const erased = new Set(changes.erased)
  const forget: number[] = []
  for (const old of [...new Set([...gone, ...erased])].map((id) => known.get(id))) {
    if (!old) continue
    const isErased = erased.has(old.id)
    if (old.takenAt && !isErased) continue
    if (isOpen(old.task) && !isErased) keep.push({ ...old, isNew: false, takenAt: serverTime })
    else forget.push(old.id)
  }
  return { keep, forget: [...forget, ...ofEarlierDays(before, given, changes, serverTime)] }
}

/** What ended before today is no longer part of the day. */
const ofEarlierDays = (before: readonly KeptTask[], given: Set<number>, { user }: PhoneChanges, serverTime: string) => {
  const { timezone } = user.company
  const today = dayOf(serverTime, timezone)
  return before
    .filter(({ id, task }) => !given.has(id) && isEnded(task) && task.completedAt !== null)
    .filter(({ task }) => dayOf(task.completedAt as string, timezone) < today)
    .map(({ id }) => id)
}
