import type { Answer } from '../contract/operations.ts'
import type { OpResult, SettledOp } from '../contract/sync.ts'
import { toleratedMs } from '../core/device-clock.ts'
import { begunAfter } from './begun.ts'
import type { Begun, Day, Refused, Session, WaitingOp } from './kept.ts'
import { taskOf } from './op.ts'
import { isReordered } from './order.ts'
import { receive } from './receive.ts'
import { receiveDecisions } from './refused.ts'
import { type AnsweredScan, type Foreign, noteForeign } from './scans.ts'
import { type Readable, readDay, readSession, type Shelves } from './store.ts'

/* What the answer to a sync makes of what the phone keeps. */

export interface Sent {
  session: Session
  batch: WaitingOp[]
  answer: Answer<'syncDriver'>
  /** When it arrived, by the phone's clock. */
  receivedMs: number
}

/** Tasks that are no longer the driver's, of which something is still on the phone. No event tells it when they are erased. */
export async function listHeld({ tasks, refused }: Readable, { driverId }: Session): Promise<number[]> {
  const kept = await tasks.getAll()
  const own = new Set(kept.filter(({ takenAt }) => takenAt === null).map(({ id }) => id))
  const aside = (await refused.getAll()).filter((entry) => entry.driverId === driverId)
  const all = [...kept.map(({ id }) => id), ...aside.flatMap(({ taskId }) => taskId ?? [])]
  return [...new Set(all)].filter((id) => !own.has(id))
}

/** Ops that were answered go, and what changed comes, in one step: the screen never shows a state in between. */
export async function takeAnswer(shelves: Shelves, { session, batch, answer, receivedMs }: Sent) {
  const { changes, cursor, results, serverTime } = answer
  // Signed out, or signed in as somebody else, while the answer was on its way.
  if ((await readSession(shelves))?.token !== session.token) return
  const before = await readDay(shelves)
  const isFirst = (await shelves.facts.get('cursor')) === undefined || before?.isFirst === true
  await settleOps(shelves, session, batch, results, new Date(receivedMs).toISOString())
  await takeDecisions(shelves, session, changes.settled, serverTime)
  const { keep, forget } = receive(await shelves.tasks.getAll(), changes, serverTime, isFirst)
  for (const kept of keep) await shelves.tasks.put(kept)
  for (const id of forget) {
    await shelves.tasks.delete(id)
    await shelves.drafts.delete(id)
  }
  if (changes.erased) {
    await forgetRefused(shelves, changes.erased)
    // Lines lead to doors. The others are asked for again.
    if (changes.erased.length > 0) await shelves.facts.delete('way')
  }
  await forgetPictures(shelves)
  const foreign = foreignAfter(before, batch, answer, receivedMs)
  await shelves.facts.put({ ...dayAfter(before, answer, receivedMs, isFirst), foreign }, 'day')
  await shelves.facts.put(cursor, 'cursor')
  await shelves.facts.put({ ...session, name: changes.user.name }, 'session')
}

function dayAfter(
  before: Day | undefined,
  { changes, serverTime }: Answer<'syncDriver'>,
  receivedMs: number,
  isFirst: boolean,
): Day {
  const { user, settings, forms, reasons, order, payments, cash } = changes
  const hasNewOrder = !isFirst && isReordered(before?.order ?? [], order)
  return {
    user,
    settings,
    forms,
    reasons,
    order,
    payments,
    cash,
    syncedAt: serverTime,
    aheadMs: aheadAt(receivedMs, serverTime),
    orderChangedAt: hasNewOrder ? serverTime : (before?.orderChangedAt ?? null),
    isFirst: isFirst && changes.more === true,
  }
}

/** How far the clock of the phone is ahead; what is tolerated is nothing. */
function aheadAt(receivedMs: number, serverTime: string) {
  const aheadMs = receivedMs - Date.parse(serverTime)
  return Math.abs(aheadMs) < toleratedMs ? 0 : aheadMs
}

function foreignAfter(
  before: Day | undefined,
  batch: readonly WaitingOp[],
  { changes, results, serverTime }: Answer<'syncDriver'>,
  receivedMs: number,
): Foreign[] {
  const ops = new Map(batch.map(({ op }) => [op.opId, op]))
  const answered = results.flatMap(({ opId, scanned }): AnsweredScan[] => {
    const op = ops.get(opId)
    return scanned && op?.type === 'load' ? [{ op, scanned }] : []
  })
  const { timezone } = changes.user.company
  const aheadMs = aheadAt(receivedMs, serverTime)
  return noteForeign(before?.foreign ?? [], answered, { serverTime, aheadMs, timezone, erased: changes.erased ?? [] })
}

async function settleOps(
  shelves: Shelves,
  session: Session,
  batch: WaitingOp[],
  results: readonly OpResult[],
  at: string,
) {
  for (const result of results) {
    const { opId, success, error, conflict } = result
    const waiting = batch.find(({ op }) => op.opId === opId)
    if (!waiting) continue
    if (success || !error) await shelves.ops.delete(waiting.place)
    await noteBegun(shelves, waiting.op, result)
    if (!success && error) await refuseOp(shelves, session, waiting, { error, isConflict: conflict !== undefined, at })
  }
}

/** It goes from the queue to where the driver reads that it was not accepted. */
export async function refuseOp(
  shelves: Shelves,
  { driverId }: Session,
  { place, op }: WaitingOp,
  refusal: Pick<Refused, 'error' | 'isConflict' | 'at'>,
) {
  await shelves.ops.delete(place)
  const taskId = taskOf(op)
  await shelves.refused.add({ driverId, op, taskId, awb: await awbOf(shelves, taskId), ...refusal })
}

export const awbOf = async ({ tasks }: Shelves, taskId: number | undefined) =>
  taskId === undefined ? '' : ((await tasks.get(taskId))?.task.awb ?? '')

async function takeDecisions(
  { refused }: Shelves,
  { driverId }: Session,
  settled: readonly SettledOp[],
  serverTime: string,
) {
  const own = (await refused.getAll()).filter((entry) => entry.driverId === driverId)
  const { keep, forget } = receiveDecisions(own, settled, serverTime)
  for (const entry of keep) await refused.put(entry)
  for (const id of forget) await refused.delete(id)
}

/** What the driver can still take back, now that the server has it. */
async function noteBegun({ tasks }: Shelves, op: WaitingOp['op'], result: OpResult) {
  const taskId = result.scanned?.taskId ?? taskOf(op)
  const kept = taskId === undefined ? undefined : await tasks.get(taskId)
  if (kept) await tasks.put({ ...kept, begun: begunWith(kept.begun ?? [], op, result) })
}

/** What was refused may have left an entry in the timeline: then it is too late, as it is when the server says so. */
function begunWith(begun: readonly Begun[], op: WaitingOp['op'], { success, error, conflict, unchanged }: OpResult) {
  if (success) return begunAfter(begun, op, !unchanged)
  const isNoted = conflict !== undefined || error?.code === 'WRONG_PARCEL' || error?.code === 'TOO_LATE'
  return isNoted ? [] : [...begun]
}

/** What was not accepted of erased tasks: it may quote what was written, or be a picture. */
async function forgetRefused({ refused, files, pictures }: Shelves, taskIds: readonly number[]) {
  for (const { id, taskId, fileId } of await refused.getAll()) {
    if (taskId === undefined || !taskIds.includes(taskId)) continue
    if (fileId) await Promise.all([files.delete(fileId), pictures.delete(fileId)])
    await refused.delete(id)
  }
}

/** Pictures go with their task, if they were sent. */
async function forgetPictures({ tasks, files, pictures }: Shelves) {
  const kept = new Set((await tasks.getAll()).map(({ id }) => id))
  for (const { fileId, taskId, sentAt } of await files.getAll())
    if (sentAt && !kept.has(taskId)) await Promise.all([files.delete(fileId), pictures.delete(fileId)])
}
