import { mostHeld } from '../contract/limits.ts'
import { WaybillError } from '../sdk/calls.ts'
import { isRefused, isSignedOut, isSuspended } from './answers.ts'
import { type Ends, withoutEnds } from './held.ts'
import { goesOnDuty, type Session, type WaitingOp } from './kept.ts'
import type { Photos } from './photos.ts'
import { createPictureSending } from './pictures.ts'
import { type Ports, timeOf } from './ports.ts'
import type { Positions } from './positions.ts'
import { listHeld, refuseOp, takeAnswer } from './settle.ts'
import { forgetSentPictures, readSession } from './store.ts'

const usuallyAtOnce = 50
/** However long the server asks to wait, and wherever the clock of the phone jumps. */
const longestWaitMs = 600_000
const pauseMs = [2_000, 5_000, 10_000, 30_000, 60_000] as const
/** Without anybody telling us, we look this often. */
const roundMs = 60_000

/** `broken`: the phone could not read or write what it keeps, which says nothing about the network. */
type Outcome = 'done' | 'later' | 'unreachable' | 'broken'

/** The server knows only the last time on duty: positions of the one before have to arrive before the next begins. */
function untilNextDuty(ops: WaitingOp[]): WaitingOp[] {
  const next = ops.findIndex((op, at) => at > 0 && goesOnDuty(op))
  return next < 0 ? ops : ops.slice(0, next)
}

interface Parts {
  ends: Ends
  photos: Photos
  positions: Positions
}

export type Sending = ReturnType<typeof createSending>

export function createSending(ports: Ports, { ends, photos, positions }: Parts) {
  const { store, connect, clock, alone, news } = ports
  const sendPictures = createPictureSending(ports, photos)
  let failures = 0
  let notBeforeMs = 0
  let isReachable: boolean | undefined
  let callOff = () => {}
  let running: Promise<void> | undefined
  let isWanted = false

  function wake(): Promise<void> {
    callOff()
    isWanted = true
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }

  /** For how long the server does not want to hear from this phone. */
  function waitMs() {
    const left = notBeforeMs - clock.nowMs()
    return left > longestWaitMs ? 0 : Math.max(0, left)
  }

  async function run() {
    while (isWanted && waitMs() === 0) {
      isWanted = false
      const outcome = await alone(round)
      failures = outcome === 'done' ? 0 : failures + 1
      const reaches = outcome === 'broken' ? isReachable : outcome !== 'unreachable'
      // The screens read, too, and then say that they cannot.
      if (isReachable !== reaches || outcome === 'broken') {
        isReachable = reaches
        news.tell()
      }
    }
    callOff()
    const pause = failures === 0 ? roundMs : pauseMs[Math.min(failures, pauseMs.length) - 1]
    isWanted = false
    callOff = clock.later(wake, Math.max(pause ?? roundMs, waitMs()))
  }

  /** Never fails: the next one tries again. */
  async function round(): Promise<Outcome> {
    try {
      return await sendAll()
    } catch (error) {
      ports.onBroken(error)
      return 'broken'
    }
  }

  async function sendAll(): Promise<Outcome> {
    const session = await store.read(readSession)
    try {
      await sendOps()
      const sent = await Promise.allSettled([positions.send(), sendPictures()])
      for (const one of sent) if (one.status === 'rejected') throw one.reason
      return 'done'
    } catch (error) {
      if (isSignedOut(error)) {
        await endSession(session, isSuspended(error))
        return 'done'
      }
      // Whatever it is, what waits is still there.
      if (error instanceof WaybillError && error.status === 429) {
        notBeforeMs = clock.nowMs() + Math.min((error.retryAfterSeconds ?? 0) * 1_000, longestWaitMs)
        return 'later'
      }
      if (error instanceof WaybillError) return 'unreachable'
      if (store.isFull(error)) await forgetSentPictures(store)
      throw error
    }
  }

  /** In the order they were done, until none is left. What nobody is signed in for stays. */
  async function sendOps() {
    let size = ports.mostAtOnce ?? usuallyAtOnce
    for (;;) {
      const session = await store.read(readSession)
      if (!session?.token) return
      await ends.releaseDue()
      const own = (await store.read(({ ops }) => ops.getAll())).filter(({ driverId }) => driverId === session.driverId)
      const ready = photos.withoutHeld(withoutEnds(own))
      const batch = await photos.offerOps(untilNextDuty(ready.slice(0, size)))
      // Without them the work goes on all the same.
      if (batch[0] && goesOnDuty(batch[0])) await positions.send(batch[0].op.occurredAt).catch(() => {})
      try {
        const hasMore = await sendBatch(session as Session & { token: string }, batch, own.length)
        if (ready.length === batch.length && !hasMore) return
      } catch (error) {
        if (!isRefused(error) || batch.length === 0) throw error
        // One op the server cannot read must not keep the others waiting: found by halving, it is set aside.
        if (batch.length === 1) await setAside(session, batch[0] as WaitingOp, error)
        size = Math.max(1, Math.floor(batch.length / 2))
      }
    }
  }

  /** Answers whether the server has more to tell. */
  async function sendBatch(session: Session & { token: string }, batch: WaitingOp[], waiting: number) {
    const { cursor, holds } = await store.read(async (shelves) => ({
      cursor: (await shelves.facts.get('cursor')) as string | undefined,
      holds: await listHeld(shelves, session),
    }))
    const answer = await connect(session.token).syncDriver({
      body: {
        deviceTime: timeOf(clock),
        device: { ...ports.describe(), pending: waiting - batch.length },
        ops: batch.map(({ op }) => op),
        ...(cursor && { cursor }),
        ...(holds.length > 0 && { holds: holds.slice(0, mostHeld) }),
      },
    })
    const receivedMs = clock.nowMs()
    await store.change((shelves) => takeAnswer(shelves, { session, batch, answer, receivedMs }))
    news.tell()
    // What everything leaves out may have been erased.
    const holdsMore =
      answer.changes.full && (await store.read((shelves) => listHeld(shelves, session))).length > holds.length
    return answer.changes.more === true || holdsMore
  }

  async function setAside(session: Session, waiting: WaitingOp, { code, message }: WaybillError) {
    const refusal = { error: { code, message }, isConflict: false, at: timeOf(clock) }
    await store.change((shelves) => refuseOp(shelves, session, waiting, refusal))
    news.tell()
  }

  /** The server no longer knows this device. What waits stays until the driver signs in again. */
  async function endSession(ended: Session | undefined, isSuspended: boolean) {
    await store.change(async (shelves) => {
      const session = await readSession(shelves)
      // Somebody may have signed in while the answer was on its way.
      if (session && session.token === ended?.token)
        await shelves.facts.put({ ...session, token: null, isSuspended }, 'session')
    })
    news.tell()
  }

  return {
    /** Sends what waits and asks what is new, now, or again right after the round that is on its way. */
    wake,
    /** Whether the last request got through; undefined before the first. */
    reachesServer: () => isReachable,
  }
}
