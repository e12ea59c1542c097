import { setImmediate as breathe } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { type Decision, nextAttempt, type Outcome } from '../../core/retry.ts'
import { firstWindow, nextWindow } from '../../core/sending-window.ts'
import { leaseMs } from '../sending/claims.ts'
import { type Engine, startEngine } from '../sending/engine.ts'
import type { Claimed, Result, Store } from '../sending/parts.ts'
import { seededRandom } from './random.ts'

/*
 * A world in memory around the real engine: a store with the rules of store.ts and queries.ts, receivers that misbehave,
 * processes that crash, stall and restart, and a clock that jumps from one event to the next. Everything follows
 * from the seed, so every run can be repeated.
 *
 * A ledger beside the store sees what goes in and out, and reports violations. It never asks the store, so it finds a
 * store with a broken rule.
 *
 * Left out: disabling a webhook after 300 failures, which such small worlds never reach.
 */

/** The rules of the store that can be broken one by one, to see that the simulation notices. */
export interface Rules {
  /** Whether a delivery may be sent while its task has this many earlier ones. */
  isHead(earlier: number): boolean
  /** The due time after a claim, or after its renewal. */
  leaseEnd(nowMs: number): number
  renewedUntil(nowMs: number, dueAt: number): number
  isOwner(claim: string | undefined, token: string): boolean
  /** Whether a claim is one of those that the worker who asks still holds. */
  isOurs(claim: string | undefined, ours: readonly string[]): boolean
  retryAt(nowMs: number, afterMs: number): number
  free(allowed: number, claimed: number): number
  /** Which part of a claimed batch reaches the worker. */
  told<Delivery>(claimed: Delivery[]): Delivery[]
}

export const soundRules: Rules = {
  isHead: (earlier) => earlier === 0,
  leaseEnd: (nowMs) => nowMs + leaseMs,
  renewedUntil: (nowMs) => nowMs + leaseMs,
  isOwner: (claim, token) => claim === token,
  isOurs: (claim, ours) => claim !== undefined && ours.includes(claim),
  retryAt: (nowMs, afterMs) => nowMs + afterMs,
  free: (allowed, claimed) => Math.max(0, allowed - claimed),
  told: (claimed) => claimed,
}

export interface Report {
  seed: number
  /** The violations, in words. Empty if all is well. */
  wrong: string[]
  /** The last things that happened, if requested. */
  trace: string[]
  steps: number
  attempts: number
  /** Results that came too late: another worker had the claim. */
  stale: number
  died: number
  replayed: number
  /** How long a dead worker's claims waited until another worker took them, if nothing else delayed it. */
  takeOversMs: number[]
}

interface Row {
  webhookId: number
  eventId: number
  receiverId: number
  taskId: number
  sequence: number
  attempts: number
  dueAt: number
  claim: string | undefined
  lane: number
}

interface Delivery extends Omit<Row, 'claim'>, Claimed {
  claimedAt: number
}

interface Webhook {
  id: number
  receiverId: number
  trigger: number
  isEnabled: boolean
  isDeleted: boolean
}

/** What a worker says when it fetches. */
interface Asking {
  token: string
  limit: number
  windows: ReadonlyMap<number, number>
  ours: readonly string[]
}

interface Happened {
  id: number
  taskId: number
  sequence: number
  trigger: number
}

interface Process {
  id: number
  engine: Engine | undefined
  isAlive: boolean
  isStopping: boolean
  stalledUntil: number
  /** Claims made before this moment may get lost; that is no violation. */
  troubledUntil: number
  timers: number
  skewMs: number
  cuts: Set<() => void>
  /** Attempts under way per receiver, and how many there may be. */
  running: Map<number, number>
  windows: Map<number, number>
  /** The claims with which deliveries are being sent. */
  sending: Set<string>
}

interface Item {
  at: number
  order: number
  kind: 'timer' | 'work' | 'script'
  process: Process | undefined
  run: () => void
  isOff: boolean
}

/** One event for one webhook, as the ledger knows it. */
interface Entry {
  name: string
  row: Row
  enqueued: number
  ended: number
  state: 'pending' | 'delivered' | 'dead' | 'deleted'
  enqueuedAt: number
  isAccepted: boolean
  wasGivenUp: boolean
  hasArrived: boolean
  holder: Holder | undefined
  orphanedAt: number | undefined
  isExcused: boolean
}

interface Holder {
  token: string
  process: Process
  claimedAt: number
  until: number
  /** It had expired, and was renewed before another worker took it. */
  isRevived: boolean
}

class Trouble extends Error {}

/** The promise: by then another worker has a dead worker's claims. */
const longestTakeOverMs = 2_000
/** Longer than a lease with a poll, and shorter than the real one so that worlds stay small. */
const timeoutMs = 2 * leaseMs
const upkeepMs = 60_000
const mostSteps = 30_000
const secondMs = 1_000
const hourMs = 3_600_000
const keptSteps = 30

/** Returns when all promises have settled: a tick requested by a promise runs after all of them. */
const settled = () => new Promise<void>((resolve) => process.nextTick(resolve))

/** What will happen, soonest first; at the same time, in the order it was planned. */
class Agenda {
  #heap: Item[] = []
  #order = 0
  /** How many items are neither an engine's timer nor part of the script. */
  work = 0

  add(at: number, kind: Item['kind'], owner: Process | undefined, run: () => void): Item {
    const item = { at, order: this.#order++, kind, process: owner, run, isOff: false }
    this.#count(item, 1)
    this.#push(item)
    return item
  }

  callOff(item: Item) {
    if (item.isOff) return
    item.isOff = true
    this.#count(item, -1)
  }

  /** The next item, which is no longer on the agenda. */
  take(): Item | undefined {
    for (;;) {
      const item = this.#pop()
      if (!item) return undefined
      if (item.isOff) continue
      item.isOff = true
      this.#count(item, -1)
      return item
    }
  }

  postpone(item: Item, at: number) {
    item.at = at
    item.isOff = false
    this.#count(item, 1)
    this.#push(item)
  }

  nextScriptAt(): number {
    let at = Number.POSITIVE_INFINITY
    for (const item of this.#heap) if (item.kind === 'script' && !item.isOff && item.at < at) at = item.at
    return at
  }

  /** As if the timers had run for this long and found nothing to do. */
  shiftTimers(ms: number) {
    this.#heap = this.#heap.filter((item) => !item.isOff)
    for (const item of this.#heap) if (item.kind === 'timer') item.at += ms
    this.#heap.sort((one, other) => one.at - other.at || one.order - other.order)
  }

  #count({ kind, process: owner }: Item, by: number) {
    if (kind === 'work') this.work += by
    if (kind === 'timer' && owner) owner.timers += by
  }

  #push(item: Item) {
    const heap = this.#heap
    let at = heap.length
    heap.push(item)
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!isBefore(item, heap[above]!)) break
      heap[at] = heap[above]!
      at = above
    }
    heap[at] = item
  }

  #pop(): Item | undefined {
    const heap = this.#heap
    const top = heap[0]
    const last = heap.pop()
    if (!top || !last || top === last) return top
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below += 1
      if (!isBefore(heap[below]!, last)) break
      heap[at] = heap[below]!
      at = below
    }
    heap[at] = last
    return top
  }
}

const isBefore = (one: Item, other: Item) => one.at < other.at || (one.at === other.at && one.order < other.order)

const keyOf = (webhookId: number, eventId: number) => webhookId * 1_000 + eventId
type Place = Pick<Row, 'receiverId' | 'taskId' | 'sequence' | 'webhookId'>
const isEarlier = (one: Place, other: Place) =>
  one.sequence < other.sequence || (one.sequence === other.sequence && one.webhookId < other.webhookId)
const isOneTask = (one: Place, other: Place) => one.receiverId === other.receiverId && one.taskId === other.taskId
const laneSize = (window: number, lane: number) => Math.ceil(window / (1 + lane))

/** Runs the world of a seed until nothing is left to do. */
export async function simulate(seed: number, rules: Rules = soundRules, isTraced = false): Promise<Report> {
  const random = seededRandom(seed)
  const between = (from: number, to: number) => from + random() * (to - from)
  const whole = (from: number, to: number) => Math.floor(between(from, to + 1))
  const chance = (probability: number) => random() < probability
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!

  const agenda = new Agenda()
  let now = 0
  /** A promise was kept or broken in this step: its waiters must continue before the next step. */
  let isStirred = false
  const report: Report = {
    seed,
    wrong: [],
    trace: [],
    steps: 0,
    attempts: 0,
    stale: 0,
    died: 0,
    replayed: 0,
    takeOversMs: [],
  }

  function note(text: () => string) {
    if (!isTraced) return
    report.trace.push(`${(now / 1000).toFixed(3).padStart(10)} s  ${text()}`)
    if (report.trace.length > keptSteps && report.wrong.length === 0) report.trace.shift()
  }

  function accuse(text: string) {
    report.wrong.push(text)
    note(() => `WRONG: ${text}`)
  }

  // The ledger

  const entries = new Map<number, Entry>()
  const entryOf = ({ webhookId, eventId }: { webhookId: number; eventId: number }) =>
    entries.get(keyOf(webhookId, eventId))!
  /** Until then something prevented a takeover: a stall, an error of the store, no worker running. */
  let disturbedUntil = Number.NEGATIVE_INFINITY

  function ledgerEnqueued(row: Row) {
    const known = entries.get(keyOf(row.webhookId, row.eventId))
    if (known) {
      report.replayed += 1
      known.enqueued += 1
      known.state = 'pending'
      known.row = row
      return
    }
    entries.set(keyOf(row.webhookId, row.eventId), {
      name: `delivery ${row.webhookId}:${row.eventId} (receiver ${row.receiverId}, task ${row.taskId}, sequence ${row.sequence})`,
      row,
      enqueued: 1,
      ended: 0,
      state: 'pending',
      enqueuedAt: now,
      isAccepted: false,
      wasGivenUp: false,
      hasArrived: false,
      holder: undefined,
      orphanedAt: undefined,
      isExcused: false,
    })
  }

  function ledgerClaimed(taken: Row[], token: string, owner: Process, windows: ReadonlyMap<number, number>) {
    for (const row of taken) {
      const entry = entryOf(row)
      const { holder } = entry
      if (holder?.process.isAlive && holder.claimedAt > holder.process.troubledUntil)
        accuse(`${entry.name}: taken from worker ${holder.process.id}, which lives and had no trouble`)
      if (entry.orphanedAt !== undefined && entry.orphanedAt > disturbedUntil && !entry.isExcused) {
        const ms = now - entry.orphanedAt
        report.takeOversMs.push(ms)
        if (ms > longestTakeOverMs) accuse(`${entry.name}: taken over ${Math.round(ms)} ms after its worker died`)
      }
      entry.orphanedAt = undefined
      entry.isExcused = false
      entry.holder = { token, process: owner, claimedAt: now, until: now + leaseMs, isRevived: false }
    }
    for (const { receiverId, lane } of taken) {
      const allowed = laneSize(windows.get(receiverId) ?? firstWindow, lane)
      let held = 0
      for (const { row, holder } of entries.values())
        if (row.receiverId === receiverId && row.lane === lane && holder && holder.until > now && !holder.isRevived)
          held += 1
      if (held > allowed) accuse(`receiver ${receiverId}, lane ${lane}: ${held} claimed at once, ${allowed} allowed`)
    }
  }

  /** What was due and not taken had to wait for its turn or for a place in the window; that does not count for the lease. */
  function ledgerPassedOver() {
    for (const entry of entries.values())
      if (entry.orphanedAt !== undefined && entry.holder!.until <= now) entry.isExcused = true
  }

  function ledgerRenewed(held: Delivery[]) {
    for (const delivery of held) {
      const { holder } = entryOf(delivery)
      if (holder?.token !== delivery.claim) continue
      if (holder.until <= now) holder.isRevived = true
      holder.until = now + leaseMs
    }
  }

  function ledgerCompleted(row: Row, token: string, { kind }: Decision, owner: Process) {
    const entry = entryOf(row)
    if (entry.holder?.token !== token)
      accuse(`${entry.name}: worker ${owner.id} completed it with claim ${token}, held by ${entry.holder?.token}`)
    dropHolder(entry)
    if (kind === 'retry') return
    entry.ended += 1
    if (entry.ended > entry.enqueued) accuse(`${entry.name}: completed ${entry.ended} times, sent ${entry.enqueued}`)
    ledgerEnded(entry, kind === 'delivered' ? 'delivered' : 'dead')
  }

  function ledgerEnded(entry: Entry, state: Entry['state']) {
    entry.state = state
    if (state !== 'delivered') entry.wasGivenUp = true
    if (state === 'dead') report.died += 1
    dropHolder(entry)
  }

  function dropHolder(entry: Entry) {
    entry.holder = undefined
    entry.orphanedAt = undefined
  }

  function ledgerArrived(delivery: Delivery, isAccepted: boolean) {
    const entry = entryOf(delivery)
    if (!entry.hasArrived)
      for (const earlier of entries.values())
        if (
          isOneTask(earlier.row, delivery) &&
          isEarlier(earlier.row, delivery) &&
          earlier.enqueuedAt <= delivery.claimedAt &&
          !earlier.isAccepted &&
          !earlier.wasGivenUp
        )
          accuse(`${entry.name} arrived before ${earlier.name}`)
    entry.hasArrived = true
    if (isAccepted) entry.isAccepted = true
  }

  // The store

  const rows: Row[] = []
  const webhooks: Webhook[] = []
  const events: Happened[] = []
  const dead = new Map<number, string>()

  function remove(row: Row) {
    const at = rows.indexOf(row)
    if (at >= 0) rows.splice(at, 1)
  }

  function claimRows(owner: Process, { token, limit, windows, ours }: Asking): Delivery[] {
    const isOurs = ({ claim }: Row) => rules.isOurs(claim, ours)
    const due = rows.filter((row) => row.dueAt <= now && !isOurs(row) && rules.isHead(countEarlier(row)))
    if (due.length === 0) return []
    due.sort((one, other) => one.receiverId - other.receiverId || one.lane - other.lane || one.dueAt - other.dueAt)
    const frees = new Map<number, number>()
    const taken = due.filter(({ receiverId, lane }) => {
      const key = 2 * receiverId + lane
      const allowed = laneSize(windows.get(receiverId) ?? firstWindow, lane)
      const free = frees.get(key) ?? rules.free(allowed, countClaimed(receiverId, lane, isOurs))
      frees.set(key, free - 1)
      return free > 0
    })
    taken.splice(limit)
    for (const row of taken) {
      if (row.claim && owner.sending.has(nameOf({ ...row, claim: row.claim })))
        accuse(`worker ${owner.id} takes ${row.webhookId}:${row.eventId} from itself while it sends it`)
      row.claim = token
      row.dueAt = rules.leaseEnd(now)
    }
    if (taken.length > 0) ledgerClaimed(taken, token, owner, windows)
    return rules.told(taken.map((row) => ({ ...row, claim: token, claimedAt: now })))
  }

  function countClaimed(receiverId: number, lane: number, isOurs: (row: Row) => boolean): number {
    let count = 0
    for (const row of rows) {
      const isHeld = row.claim !== undefined && (row.dueAt > now || isOurs(row))
      if (row.receiverId === receiverId && row.lane === lane && isHeld) count += 1
    }
    return count
  }

  function countEarlier(row: Row): number {
    let count = 0
    for (const other of rows) if (isOneTask(other, row) && isEarlier(other, row)) count += 1
    return count
  }

  function completeRows(owner: Process, results: Result<Delivery, Outcome, Decision>[]) {
    const owned = results.flatMap((result) => {
      const { webhookId, eventId, claim } = result.delivery
      const row = rows.find((one) => one.webhookId === webhookId && one.eventId === eventId)
      return row && rules.isOwner(row.claim, claim) ? [{ ...result, row }] : []
    })
    report.stale += results.length - owned.length
    for (const { row, delivery, decision } of owned) {
      note(() => `store: worker ${owner.id} completes ${nameOf(delivery)}: ${decision.kind}`)
      ledgerCompleted(row, delivery.claim, decision, owner)
      if (decision.kind === 'retry') {
        row.claim = undefined
        row.attempts = delivery.attempts + 1
        row.dueAt = rules.retryAt(now, decision.afterMs)
      } else remove(row)
      if ('reason' in decision) dead.set(keyOf(row.webhookId, row.eventId), decision.reason)
    }
    for (const { row, decision } of owned)
      for (const other of rows) {
        if (other === row || other.claim !== undefined || !isOneTask(other, row)) continue
        if (decision.kind !== 'retry') other.dueAt = Math.min(other.dueAt, now)
        else other.dueAt = Math.max(other.dueAt, now + decision.afterMs)
      }
    for (const { delivery, decision } of results)
      if (decision.kind === 'disable') disableWebhook(delivery.webhookId, decision.reason)
  }

  const isOneOf = (held: Delivery[], row: Row) =>
    held.some((one) => one.webhookId === row.webhookId && one.eventId === row.eventId && one.claim === row.claim)

  function renewRows(held: Delivery[]) {
    for (const row of rows) if (isOneOf(held, row)) row.dueAt = rules.renewedUntil(now, row.dueAt)
    ledgerRenewed(held)
  }

  function releaseRows(held: Delivery[]) {
    for (const row of rows) {
      if (!isOneOf(held, row)) continue
      row.claim = undefined
      row.dueAt = now
      dropHolder(entryOf(row))
    }
  }

  function disableWebhook(webhookId: number, reason: string) {
    const webhook = webhooks[webhookId]!
    if (webhook.isDeleted) return
    note(() => `store: webhook ${webhookId} is switched off`)
    webhook.isEnabled = false
    for (const row of rows.filter((one) => one.webhookId === webhookId)) {
      remove(row)
      dead.set(keyOf(webhookId, row.eventId), reason)
      ledgerEnded(entryOf(row), 'dead')
    }
  }

  function deleteWebhook(webhook: Webhook) {
    note(() => `api: webhook ${webhook.id} is deleted`)
    webhook.isDeleted = true
    webhook.isEnabled = false
    for (const row of rows.filter((one) => one.webhookId === webhook.id)) remove(row)
    for (const entry of entries.values()) if (entry.row.webhookId === webhook.id) ledgerEnded(entry, 'deleted')
  }

  function enqueue(
    { id, receiverId }: Webhook,
    { id: eventId, taskId, sequence }: Happened,
    lane: number,
    dueAt: number,
  ) {
    if (rows.some((row) => row.webhookId === id && row.eventId === eventId)) return
    const row = { webhookId: id, eventId, receiverId, taskId, sequence, attempts: 0, dueAt, claim: undefined, lane }
    rows.push(row)
    ledgerEnqueued(row)
  }

  /** The change reads the due time and commits a moment later: it does not see what happens in between. */
  function recordEvents(changed: Happened[]) {
    const queued = changed.flatMap((event) =>
      webhooks
        .filter(({ trigger, isEnabled }) => isEnabled && trigger === event.trigger)
        .map((webhook) => {
          const waiting = rows.filter(
            ({ receiverId, taskId, claim }) =>
              receiverId === webhook.receiverId && taskId === event.taskId && claim === undefined,
          )
          const dueAt = waiting.length > 0 ? Math.max(...waiting.map((row) => row.dueAt)) : now
          return { webhook, event, dueAt }
        }),
    )
    agenda.add(now + between(0, 8), 'work', undefined, () => {
      events.push(...changed)
      for (const { webhook, event, dueAt } of queued) if (!webhook.isDeleted) enqueue(webhook, event, 0, dueAt)
      note(() => `api: task ${changed[0]!.taskId} has sequence ${changed.map(({ sequence }) => sequence)}`)
      wakeAll()
    })
  }

  function replay(webhook: Webhook) {
    if (webhook.isDeleted) return
    webhook.isEnabled = true
    const isDead = chance(0.5)
    note(() => `api: replay of ${isDead ? 'what is dead' : 'all'} for webhook ${webhook.id}`)
    for (const event of events) {
      if (event.trigger !== webhook.trigger || (isDead && !dead.has(keyOf(webhook.id, event.id)))) continue
      dead.delete(keyOf(webhook.id, event.id))
      enqueue(webhook, event, 1, now)
    }
    wakeAll()
  }

  const canComeForward = (row: Row) =>
    row.attempts === 0 && row.claim === undefined && row.dueAt > now && countEarlier(row) === 0

  function bringForward() {
    note(() => 'store: upkeep')
    for (const row of rows) if (canComeForward(row)) row.dueAt = now
  }

  let upkeepAt = 0

  // Receivers

  const moods = ['good', 'good', 'good', 'good', 'flaky', 'flaky', 'slow', 'slow', 'down', 'gone', 'dead'] as const
  const receivers = Array.from({ length: whole(1, 2) }, () => ({
    mood: pick(moods),
    untilMs: chance(0.7) ? between(1, 20) * secondMs : between(0.1, 4) * hourMs,
    latencyMs: pick([5, 50, 400]),
  }))

  interface Answer {
    outcome: Outcome['outcome']
    isAccepted: boolean
    /** Infinite if it never answers. */
    afterMs: number
    retryAfterSeconds?: number
  }

  function answerOf(receiverId: number): Answer {
    const { mood, untilMs, latencyMs } = receivers[receiverId]!
    const afterMs = between(0, latencyMs)
    const well: Answer = { outcome: 'delivered', isAccepted: true, afterMs }
    const badly: Answer = { outcome: 'failed', isAccepted: false, afterMs }
    if (mood !== 'dead' && now > untilMs) return well
    if (mood === 'gone') return chance(0.3) ? { ...badly, outcome: 'gone' } : well
    if (mood === 'slow') return { ...well, afterMs: between(0, 1.3 * timeoutMs) }
    if (mood === 'down' || mood === 'dead') return chance(0.2) ? { ...badly, afterMs: Number.POSITIVE_INFINITY } : badly
    if (chance(mood === 'good' ? 0.97 : 0.5)) return well
    return pick([
      badly,
      { ...badly, afterMs: Number.POSITIVE_INFINITY },
      { ...badly, retryAfterSeconds: whole(1, 90) },
      // It accepted the message, but the answer got lost or came late.
      { ...badly, isAccepted: true },
      { ...well, afterMs: Number.POSITIVE_INFINITY },
    ])
  }

  // Processes

  const processes: Process[] = []
  const isWorking = ({ isAlive, isStopping }: Process) => isAlive && !isStopping
  /** Until then this share of calls to the store fails or takes long. */
  let troubleUntil = 0
  let troubleRate = 0
  let tokens = 0

  const nameOf = ({ webhookId, eventId, claim }: Pick<Delivery, 'webhookId' | 'eventId' | 'claim'>) =>
    `${webhookId}:${eventId} with ${claim}`

  function callStore<Answer>(owner: Process, apply: () => Answer): Promise<Answer> {
    const outcome =
      now < troubleUntil && chance(troubleRate) ? pick(['refused', 'lost', 'slow', 'slow'] as const) : 'well'
    const thereMs = outcome === 'slow' && chance(0.5) ? between(0, 3 * secondMs) : between(0.2, 3)
    const backMs = outcome === 'slow' ? between(0, 3 * secondMs) : between(0.2, 3)
    if (outcome !== 'well') {
      owner.troubledUntil = Math.max(owner.troubledUntil, now + thereMs + backMs)
      disturbedUntil = Math.max(disturbedUntil, owner.troubledUntil)
    }
    return new Promise((resolve, reject) => {
      agenda.add(now + thereMs, 'work', undefined, () => {
        const answer = outcome === 'refused' ? undefined : apply()
        agenda.add(now + backMs, 'work', owner, () => {
          isStirred = true
          if (outcome === 'refused' || outcome === 'lost') reject(new Trouble(`The answer was ${outcome}`))
          else resolve(answer as Answer)
        })
      })
    })
  }

  const storeOf = (owner: Process): Store<Delivery, Outcome, Decision> => ({
    claim(token, limit, windows, ours) {
      // Half the steps of a world would be answers that nothing is due, so those are given at once.
      if (now >= troubleUntil && !rows.some((row) => row.dueAt <= now)) return Promise.resolve([])
      return callStore(owner, () => {
        const claimed = claimRows(owner, { token, limit, windows, ours })
        ledgerPassedOver()
        if (claimed.length > 0) note(() => `store: worker ${owner.id} claims ${claimed.map(nameOf).join(', ')}`)
        return claimed
      })
    },
    complete: (results) => callStore(owner, () => completeRows(owner, results)),
    renew(held) {
      if (isQuiet()) accuse(`worker ${owner.id} renews ${held.map(nameOf)} with nothing in its hands`)
      return callStore(owner, () => {
        note(() => `store: worker ${owner.id} renews ${held.map(nameOf)}`)
        renewRows(held)
      })
    },
    release: (held) =>
      callStore(owner, () => {
        note(() => `store: worker ${owner.id} releases ${held.map(({ claim }) => claim)}`)
        releaseRows(held)
      }),
  })

  function attempt(owner: Process, delivery: Delivery, signal: AbortSignal): Promise<Outcome | undefined> {
    report.attempts += 1
    const { receiverId } = delivery
    const running = (owner.running.get(receiverId) ?? 0) + 1
    const idle = running === 1 ? firstWindow : 0
    const window = Math.max(owner.windows.get(receiverId) ?? firstWindow, idle)
    owner.windows.set(receiverId, window)
    owner.running.set(receiverId, running)
    if (running > window)
      accuse(`worker ${owner.id} has ${running} attempts to receiver ${receiverId} at once, ${window} allowed`)
    owner.sending.add(nameOf(delivery))
    note(() => `worker ${owner.id} sends ${nameOf(delivery)}`)

    return new Promise((resolve, reject) => {
      let isOpen = true
      function end(finish: () => void) {
        if (!isOpen) return
        isOpen = false
        agenda.callOff(timer)
        owner.cuts.delete(cut)
        owner.running.set(receiverId, owner.running.get(receiverId)! - 1)
        owner.sending.delete(nameOf(delivery))
        isStirred = true
        finish()
      }
      const cut = () => end(() => resolve(undefined))
      const answer = (outcome: Outcome['outcome'], retryAfterSeconds?: number) =>
        end(() => {
          owner.windows.set(receiverId, nextWindow(owner.windows.get(receiverId)!, outcome === 'delivered'))
          resolve({ outcome, retryAfterSeconds })
        })
      const timer = agenda.add(now + timeoutMs, 'work', owner, () => answer('failed'))
      owner.cuts.add(cut)
      signal.onabort ??= () => {
        for (const one of owner.cuts) one()
      }
      if (chance(0.003)) {
        owner.troubledUntil = Math.max(owner.troubledUntil, now)
        end(() => reject(new Trouble('Something broke while sending')))
        return
      }
      const travelMs = chance(0.01) ? between(0, 2 * timeoutMs) : between(0.5, 5)
      agenda.add(now + travelMs, 'work', undefined, () => {
        const { outcome, isAccepted, afterMs, retryAfterSeconds } = answerOf(receiverId)
        note(() => `receiver ${receiverId} gets ${nameOf(delivery)}: ${outcome}${isAccepted ? ', accepted' : ''}`)
        ledgerArrived(delivery, isAccepted)
        if (afterMs < timeoutMs) agenda.add(now + afterMs, 'work', owner, () => answer(outcome, retryAfterSeconds))
      })
    })
  }

  function startProcess() {
    const owner: Process = {
      id: processes.length + 1,
      engine: undefined,
      isAlive: true,
      isStopping: false,
      stalledUntil: 0,
      troubledUntil: Number.NEGATIVE_INFINITY,
      timers: 0,
      skewMs: between(-200, 200),
      cuts: new Set(),
      sending: new Set(),
      running: new Map(),
      windows: new Map(),
    }
    if (!processes.some(isWorking)) disturbedUntil = Math.max(disturbedUntil, now)
    processes.push(owner)
    note(() => `worker ${owner.id} starts`)
    owner.engine = startEngine<Delivery, Outcome, Decision>({
      store: storeOf(owner),
      attempt: (delivery, signal) => attempt(owner, delivery, signal),
      clock: {
        now: () => now + owner.skewMs,
        after(ms, callback) {
          const item = agenda.add(now + ms, 'timer', owner, callback)
          return () => agenda.callOff(item)
        },
      },
      decide: ({ attempts }, { outcome, retryAfterSeconds }) =>
        nextAttempt({ attempt: attempts + 1, outcome, retryAfterSeconds, random: random() }),
      makeToken: () => `c${++tokens}`,
      onTrouble(error, doing) {
        if (!(error instanceof Trouble)) accuse(`worker ${owner.id}, ${doing}: ${error}`)
        note(() => `worker ${owner.id} has trouble ${doing}: ${error}`)
      },
    })
  }

  function wakeAll() {
    for (const owner of processes)
      if (owner.isAlive && !chance(0.2))
        agenda.add(now + between(0.5, 3), 'work', owner, () => {
          isStirred = true
          owner.engine?.wake()
        })
  }

  function crash(owner: Process) {
    if (!owner.isAlive) return
    note(() => `worker ${owner.id} is killed`)
    owner.isAlive = false
    for (const entry of entries.values()) if (entry.holder?.process === owner) entry.orphanedAt = now
    replaceLater()
  }

  function stall(owner: Process) {
    if (!owner.isAlive) return
    owner.stalledUntil = now + between(0.3, 3) * leaseMs
    owner.troubledUntil = Math.max(owner.troubledUntil, owner.stalledUntil)
    disturbedUntil = Math.max(disturbedUntil, owner.stalledUntil)
    note(() => `worker ${owner.id} stalls until ${(owner.stalledUntil / 1000).toFixed(3)} s`)
  }

  function stop(owner: Process) {
    if (!isWorking(owner)) return
    owner.isStopping = true
    owner.troubledUntil = Number.POSITIVE_INFINITY
    note(() => `worker ${owner.id} is asked to stop`)
    void owner.engine!.stop(between(0.1, 5) * secondMs).then(() => {
      if (!owner.isAlive) return
      owner.isAlive = false
      note(() => `worker ${owner.id} has stopped`)
    })
    replaceLater()
  }

  /** In the end at least one worker runs. */
  function replaceLater() {
    if (processes.some(isWorking) && chance(0.5)) return
    agenda.add(now + between(0, 4) * secondMs, 'script', undefined, startProcess)
  }

  // The script

  function plan() {
    const triggers = whole(1, 2)
    for (let id = 0, count = whole(1, 3); id < count; id += 1)
      webhooks.push({
        id,
        receiverId: whole(0, receivers.length - 1),
        trigger: whole(1, triggers),
        isEnabled: true,
        isDeleted: false,
      })
    let eventId = 0
    // Sometimes a rush, in which windows grow and fill.
    const [tasks, mostEvents] = chance(0.02) ? [whole(10, 30), 1] : [whole(1, 2), 4]
    const changedAt: number[] = []
    for (let taskId = 1; taskId <= tasks; taskId += 1) {
      let at = between(0, secondMs)
      for (
        let sequence = 0, last = whole(1, mostEvents);
        sequence < last;
        at += 10 + between(0, pick([20, 2_000, 8_000]))
      ) {
        const changed = Array.from({ length: Math.min(last - sequence, whole(1, 2)) }, () => {
          sequence += 1
          eventId += 1
          return { id: eventId, taskId, sequence, trigger: whole(1, triggers) }
        })
        changedAt.push(at)
        agenda.add(at, 'script', undefined, () => recordEvents(changed))
      }
    }
    for (let count = whole(1, 3); count > 0; count -= 1) {
      agenda.add(between(0, 500), 'script', undefined, startProcess)
    }
    const anyone = () => pick(processes)
    const accidents = {
      crash: () => processes.length > 0 && crash(anyone()),
      stall: () => processes.length > 0 && stall(anyone()),
      stop: () => processes.length > 0 && stop(anyone()),
      replay: () => replay(pick(webhooks)),
      deleteWebhook: () => chance(0.5) && deleteWebhook(pick(webhooks)),
      trouble() {
        troubleUntil = now + between(0.5, 5) * secondMs
        troubleRate = pick([0.1, 0.4, 0.9])
        note(() => `store: trouble until ${(troubleUntil / 1000).toFixed(3)} s`)
      },
    }
    const kinds = ['crash', 'crash', 'stall', 'stop', 'replay', 'deleteWebhook', 'trouble'] as const
    for (let count = whole(0, 4); count > 0; count -= 1) {
      const kind = pick(kinds)
      const at = pick([
        between(0.2, 10) * secondMs,
        between(0.2, 10) * secondMs,
        pick(changedAt) + between(0, 20),
        pick(changedAt) + between(0, 200),
        between(0.01, 6) * hourMs,
      ])
      agenda.add(at, 'script', undefined, () => void accidents[kind]())
    }
  }

  /** Nothing is in progress; only the engines' timers are left. */
  const isQuiet = () =>
    agenda.work === 0 &&
    processes.every(
      ({ isAlive, isStopping, stalledUntil, timers }) =>
        !isAlive || (!isStopping && stalledUntil <= now && timers === 2),
    )

  /** Skips the hours in which engines would find nothing. Returns whether anything is left to happen. */
  function skipIdleTime(): boolean {
    let until = agenda.nextScriptAt()
    if (rows.some(canComeForward)) until = Math.min(until, planUpkeep())
    for (const row of rows) if (row.dueAt < until && countEarlier(row) === 0) until = row.dueAt
    if (until === Number.POSITIVE_INFINITY) return false
    const ms = until - now - between(0, secondMs)
    if (ms < secondMs / 4) return true
    now += ms
    agenda.shiftTimers(ms)
    return true
  }

  function planUpkeep(): number {
    if (upkeepAt > now) return upkeepAt
    upkeepAt = (Math.floor(now / upkeepMs) + 1) * upkeepMs
    agenda.add(upkeepAt, 'script', undefined, bringForward)
    return upkeepAt
  }

  plan()
  while (report.wrong.length === 0) {
    if (isQuiet() && !skipIdleTime()) break
    const item = agenda.take()
    if (!item) break
    const owner = item.process
    if (owner && !owner.isAlive) continue
    now = Math.max(now, item.at)
    if (owner && owner.stalledUntil > now) {
      agenda.postpone(item, owner.stalledUntil)
      continue
    }
    report.steps += 1
    item.run()
    if (isStirred || item.kind !== 'work') await settled()
    isStirred = false
    if (report.steps > mostSteps) accuse('it never comes to rest')
  }
  if (report.wrong.length === 0) judgeTheEnd()
  return report

  function judgeTheEnd() {
    for (const row of rows) accuse(`${entryOf(row).name} is stuck, due ${row.dueAt}, claim ${row.claim}`)
    for (const { name, state, isAccepted, row } of entries.values()) {
      if (state === 'pending' && !rows.includes(row))
        accuse(`${name} is neither delivered nor dead nor without its webhook`)
      if (state === 'delivered' && !isAccepted) accuse(`${name} counts as delivered and never arrived`)
      if (state === 'dead' && !dead.get(keyOf(row.webhookId, row.eventId))) accuse(`${name} died without a reason`)
    }
  }
}

/** The sum of many seeds. */
export interface Summary {
  counts: Record<'seeds' | 'steps' | 'attempts' | 'stale' | 'died' | 'replayed' | 'takeOvers', number>
  slowestTakeOverMs: number
  /** The first seed that failed; the run ended there. */
  failed: Report | undefined
}

/** Yields from time to time, so that an unhandled promise is noticed. */
export async function simulateMany(first: number, count: number, rules: Rules = soundRules): Promise<Summary> {
  const counts = { seeds: 0, steps: 0, attempts: 0, stale: 0, died: 0, replayed: 0, takeOvers: 0 }
  const summary: Summary = { counts, slowestTakeOverMs: 0, failed: undefined }
  for (let seed = first; seed < first + count && !summary.failed; seed += 1) {
    const report = await simulate(seed, rules)
    counts.seeds += 1
    counts.steps += report.steps
    counts.attempts += report.attempts
    counts.stale += report.stale
    counts.died += report.died
    counts.replayed += report.replayed
    counts.takeOvers += report.takeOversMs.length
    summary.slowestTakeOverMs = Math.max(summary.slowestTakeOverMs, ...report.takeOversMs)
    if (report.wrong.length > 0) summary.failed = report
    if (seed % 50 === 0) await breathe()
  }
  return summary
}

// In its own thread: the test runner watches every promise of its thread, which makes worlds three times slower.
const order = workerData as { simulate?: { first: number; count: number } } | null
if (parentPort && order?.simulate)
  parentPort.postMessage(await simulateMany(order.simulate.first, order.simulate.count))
