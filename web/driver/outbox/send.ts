import type { Answer } from '../../../contract/operations.ts'
import type { OpResult, SettledOp } from '../../../contract/sync.ts'
import { toleratedMs } from '../../../core/device-clock.ts'
import {
  change,
  currentSession,
  type Day,
  database,
  forgetSentPictures,
  goesOnDuty,
  isFull,
  isUnsent,
  type KeptFile,
  type Refused,
  type Session,
  type Stores,
  type WaitingOp,
} from '../store/database.ts'
import { begunAfter } from './begun.ts'
import { describeDevice, isOnMobileData } from './device.ts'
import { releaseDue, tasksHeld, withoutEnds } from './held.ts'
import { tellChanged } from './notify.ts'
import { isReordered } from './order.ts'
import { mayGo, offerOps, offerPicture, withoutHeld } from './photos.ts'
import { sendPositions } from './positions.ts'
import { receive } from './receive.ts'
import { receiveDecisions } from './refused.ts'
import { isRefused, isSignedOut, serverFor, WaybillError } from './server.ts'

/** Few enough to arrive over a bad connection; the server takes 500. */
const mostAtOnce = 50
const pauseMs = [2_000, 5_000, 10_000, 30_000, 60_000]
/** Without anybody telling us, we look this often. */
const roundMs = 60_000

let failures = 0
let isReachable: boolean | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let running: Promise<void> | undefined
let isWanted = false

/** Whether the last request got through; undefined before the first. */
export const reachesServer = () => isReachable

/** Sends what waits and asks what is new, now, or again right after the round that is on its way. */
export function wake(): Promise<void> {
  clearTimeout(timer)
  isWanted = true
  running ??= run().finally(() => {
    running = undefined
  })
  return running
}

async function run() {
  while (isWanted) {
    isWanted = false
    const outcome = await round()
    failures = outcome === 'done' ? 0 : failures + 1
    const reaches = outcome === 'broken' ? isReachable : outcome === 'done'
    // The screens read, too, and then say that they cannot.
    if (isReachable !== reaches || outcome === 'broken') {
      isReachable = reaches
      tellChanged()
    }
  }
  clearTimeout(timer)
  timer = setTimeout(wake, failures === 0 ? roundMs : pauseMs[Math.min(failures, pauseMs.length) - 1])
}

/** `broken`: the phone could not read or write what it keeps, which says nothing about the network. */
type Outcome = 'done' | 'unreachable' | 'broken'

/** One tab at a time: the server takes what a phone did one batch after another. Never fails: the next round tries again. */
const round = (): Promise<Outcome> =>
  navigator.locks.request('waybill-driver', async () => {
    try {
      return await sendAll()
    } catch (error) {
      // What the phone cannot read is said by the screens.
      if (!(error instanceof DOMException)) reportError(error)
      return 'broken'
    }
  })

async function sendAll(): Promise<Outcome> {
  const session = await currentSession()
  try {
    await sendOps()
    const sent = await Promise.allSettled([sendPositions(), sendPictures()])
    for (const one of sent) if (one.status === 'rejected') throw one.reason
    return 'done'
  } catch (error) {
    if (isSignedOut(error)) {
      await endSession(session)
      return 'done'
    }
    // Whatever it is, what waits is still there.
    if (error instanceof WaybillError) return 'unreachable'
    if (isFull(error)) await forgetSentPictures()
    throw error
  }
}

/** The server knows only the last time on duty: positions of the one before have to arrive before the next begins. */
function untilNextDuty(ops: WaitingOp[]): WaitingOp[] {
  const next = ops.findIndex((op, at) => at > 0 && goesOnDuty(op))
  return next < 0 ? ops : ops.slice(0, next)
}
/** In the order they were done, until none is left. What nobody is signed in for stays. */
async function sendOps() {
  let size = mostAtOnce
  let hasMore = false
  for (;;) {
    const session = await currentSession()
    if (!session?.token) return
    const db = await database()
    await releaseDue(Date.now())
    const own = ((await db.getAll('ops')) as WaitingOp[]).filter(({ driverId }) => driverId === session.driverId)
    const ready = withoutHeld(withoutEnds(own))
    const batch = await offerOps(untilNextDuty(ready.slice(0, size)))
    // Without them the work goes on all the same.
    if (batch[0] && goesOnDuty(batch[0])) await sendPositions(batch[0].op.occurredAt).catch(() => {})
    const cursor = (await db.get('facts', 'cursor')) as string | undefined
    try {
      const answer = await serverFor(session.token).syncDriver({
        body: {
          deviceTime: new Date().toISOString(),
          device: describeDevice(own.length - batch.length),
          ops: batch.map(({ op }) => op),
          ...(cursor && { cursor }),
        },
      })
      await takeAnswer(session, batch, answer, Date.now())
      hasMore = answer.changes.more === true
    } catch (error) {
      if (!isRefused(error) || batch.length === 0) throw error
      // One op the server cannot read must not keep the others waiting: found by halving, it is set aside.
      if (batch.length === 1) await setAside(session, batch[0] as WaitingOp, error)
      size = Math.max(1, Math.floor(batch.length / 2))
      continue
    }
    tellChanged()
    if (ready.length === batch.length && !hasMore) return
  }
}

/** Ops that were answered go, and what changed comes, in one step: the screen never shows a state in between. */
async function takeAnswer(session: Session, batch: WaitingOp[], answer: Answer<'syncDriver'>, receivedMs: number) {
  const { changes, cursor, results, serverTime } = answer
  const { user, settings, forms, reasons, order, payments } = changes
  const aheadMs = receivedMs - Date.parse(serverTime)
  const day: Day = {
    ...{ user, settings, forms, reasons, order, payments, syncedAt: serverTime },
    aheadMs: Math.abs(aheadMs) < toleratedMs ? 0 : aheadMs,
  }
  await change(async (stores) => {
    // Signed out, or signed in as somebody else, while the answer was on its way.
    const now = (await stores.facts.get('session')) as Session | undefined
    if (now?.token !== session.token) return
    const before = (await stores.facts.get('day')) as Day | undefined
    const isFirst = (await stores.facts.get('cursor')) === undefined || before?.isFirst === true
    const hasNewOrder = !isFirst && isReordered(before?.order ?? [], order)
    const orderChangedAt = hasNewOrder ? serverTime : (before?.orderChangedAt ?? null)
    await settle(stores, session, batch, results)
    await takeDecisions(stores, session, changes.settled, serverTime)
    const { keep, forget } = receive(await stores.tasks.getAll(), changes, serverTime, isFirst)
    for (const kept of keep) await stores.tasks.put(kept)
    for (const id of forget) await forgetTask(stores, id)
    await stores.facts.put({ ...day, orderChangedAt, isFirst: isFirst && changes.more === true }, 'day')
    await stores.facts.put(cursor, 'cursor')
    await stores.facts.put({ ...session, name: user.name }, 'session')
  })
}

async function settle(stores: Stores, session: Session, batch: WaitingOp[], results: readonly OpResult[]) {
  for (const { opId, success, error, conflict } of results) {
    const waiting = batch.find(({ op }) => op.opId === opId)
    if (!waiting) continue
    await stores.ops.delete(waiting.place)
    if (success) await noteBegun(stores, waiting.op)
    if (success || !error) continue
    const awb = await awbOf(stores, waiting.op.taskId)
    const at = new Date().toISOString()
    await stores.refused.add({
      ...{ driverId: session.driverId, op: waiting.op, taskId: waiting.op.taskId, awb, error, at },
      isConflict: conflict !== undefined,
    })
  }
}

async function takeDecisions(
  { refused }: Stores,
  { driverId }: Session,
  settled: readonly SettledOp[],
  serverTime: string,
) {
  const own = ((await refused.getAll()) as Refused[]).filter((entry) => entry.driverId === driverId)
  const { keep, forget } = receiveDecisions(own, settled, serverTime)
  for (const entry of keep) await refused.put(entry)
  for (const id of forget) await refused.delete(id)
}

/** What the driver can still take back, now that the server has it. */
async function noteBegun({ tasks }: Stores, op: WaitingOp['op']) {
  const kept = op.taskId === undefined ? undefined : await tasks.get(op.taskId)
  if (!kept) return
  const wasStarted = op.type === 'start' && kept.task.startedAt !== null
  await tasks.put({ ...kept, begun: begunAfter(kept.begun ?? [], op, !wasStarted) })
}

async function setAside(session: Session, { place, op }: WaitingOp, { code, message }: WaybillError) {
  await change(async (stores) => {
    await stores.ops.delete(place)
    const awb = await awbOf(stores, op.taskId)
    const at = new Date().toISOString()
    await stores.refused.add({
      ...{ driverId: session.driverId, op, taskId: op.taskId, awb, at },
      error: { code, message },
      isConflict: false,
    })
  })
  tellChanged()
}

const awbOf = async ({ tasks }: Stores, taskId: number | undefined) =>
  taskId === undefined ? '' : ((await tasks.get(taskId))?.task.awb ?? '')

/** Pictures of the task go with it, if they were sent. */
async function forgetTask(stores: Stores, taskId: number) {
  await stores.tasks.delete(taskId)
  await stores.drafts.delete(taskId)
  for (const file of await stores.files.getAll()) {
    if (file.taskId !== taskId || !file.sentAt) continue
    await stores.files.delete(file.fileId)
    await stores.pictures.delete(file.fileId)
  }
}

/** The oldest first. */
async function sendPictures() {
  for (;;) {
    const session = await currentSession()
    const db = await database()
    const day = (await db.get('facts', 'day')) as Day | undefined
    if (!session?.token || !day) return
    if (day.settings.uploadPhotosOnWifi && isOnMobileData()) return
    const held = tasksHeld(await db.getAll('ops'))
    const [file] = (await db.getAll('files'))
      .filter((file) => file.driverId === session.driverId && isUnsent(file) && mayGo(file) && !held.has(file.taskId))
      .sort((one, other) => one.takenAt.localeCompare(other.takenAt))
    if (!file) return
    if (!(await offerPicture(file))) continue
    const bytes = await db.get('pictures', file.fileId)
    await sendPicture(session as Session & { token: string }, day, file, bytes)
    tellChanged()
  }
}

async function sendPicture(session: Session & { token: string }, day: Day, file: KeptFile, bytes?: ArrayBuffer) {
  const { fileId } = file
  try {
    const type = file.kind === 'signature' ? 'image/png' : 'image/jpeg'
    if (bytes) await serverFor(session.token).uploadFile({ params: { fileId }, bytes: new Blob([bytes], { type }) })
  } catch (error) {
    if (!isRefused(error)) throw error
    // It stays on the phone until the driver has seen that.
    await change(async (stores) => {
      await stores.files.put({ ...file, isOffered: true, isRefused: true })
      await stores.refused.add({
        ...{ driverId: session.driverId, fileId, taskId: file.taskId, awb: await awbOf(stores, file.taskId) },
        ...{ error: { code: error.code, message: error.message }, isConflict: false, at: new Date().toISOString() },
      })
    })
    return
  }
  await change(async ({ files, pictures }) => {
    await files.put({ ...file, isOffered: true, sentAt: new Date().toISOString() })
    if (day.settings.autoDeletePhotosFromApp) await pictures.delete(fileId)
  })
}

/** The server no longer knows this device. What waits stays until the driver signs in again. */
async function endSession(ended: Session | undefined) {
  await change(async ({ facts }) => {
    const session = (await facts.get('session')) as Session | undefined
    // Somebody may have signed in while the answer was on its way.
    if (session && session.token === ended?.token) await facts.put({ ...session, token: null }, 'session')
  })
  tellChanged()
}
