import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import type { OpResult, PhoneChanges } from '../../contract/sync.ts'
import { settingsOf } from '../../core/settings.ts'
import { WaybillError } from '../../sdk/calls.ts'
import { seededRandom } from '../../server/test/random.ts'
import type { Action } from '../keep.ts'
import { createMemoryStore } from '../memory.ts'
import { createNews } from '../news.ts'
import { openPhone, type Phone } from '../phone.ts'
import type { Ports, Server } from '../ports.ts'
import type { Store } from '../store.ts'

/*
 * A phone with two tabs, a store that sometimes refuses, and between it and a plain server a network that does what
 * networks do. By seed, and without waiting: nothing takes time except an answer that comes late.
 */

const aTab = fc.nat({ max: 1 })
const aTask = fc.integer({ min: 1, max: 3 })
export const steps = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('do' as const),
      tab: aTab,
      taskId: aTask,
      /** An op the server refuses, keeps as a conflict, or cannot read. */
      type: fc.constantFrom('note', 'note', 'start', 'complete', 'photo', 'refused', 'conflict', 'unreadable'),
      isHeld: fc.boolean(),
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('wake' as const), tab: aTab }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('bothWake' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('kill' as const), tab: aTab, after: fc.nat({ max: 12 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const), tab: aTab }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deletePhoto' as const), tab: aTab }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('letPhotosGo' as const), tab: aTab }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tenSeconds' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('deliver' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('signOut' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('signIn' as const), tab: aTab, driverId: aTab }) },
)
export type Step = typeof steps extends fc.Arbitrary<infer Planned> ? Planned : never

class Full extends Error {}
class Killed extends Error {}
const never = new Promise<never>(() => {})
const noNetwork = () => new WaybillError(0, { code: 'networkDown', message: 'There is no network' })

interface Tab {
  phone: Phone
  isDead: boolean
  /** It is killed before it asks for this many more things; undefined: it is not. */
  callsLeft: number | undefined
}

/** What the driver of this test does: whatever it is, its note says what becomes of it. */
interface TestOp {
  opId: string
  type: 'note' | 'start' | 'complete' | 'photo'
  occurredAt: string
  taskId: number
  note: string
  fileId?: string
}

interface Done {
  driverId: number
  op: TestOp
  /** The phone said that it was kept; otherwise it may have been. */
  isKept: boolean
  isTakenBack: boolean
}

export function openWorld(seed: number) {
  const random = seededRandom(seed)
  const happens = (chance: number) => random() < chance
  let isKind = false
  let nowMs = Date.UTC(2026, 10, 17, 9)
  let made = 0

  // -------------------------------------------------------------------------------------------------------- the server

  const received: { driverId: number; op: TestOp }[] = []
  const answers = new Map<string, OpResult>()
  const files = new Map<string, string>()
  const tokens = new Map<string, number>()
  const driverOf = (token: string | null) => {
    const driverId = token === null ? undefined : tokens.get(token)
    if (driverId === undefined) throw new WaybillError(401, { code: 'UNAUTHORIZED', message: 'Sign in' })
    return driverId
  }
  function answerTo(driverId: number, op: TestOp): OpResult {
    const known = answers.get(op.opId)
    if (known) return known
    received.push({ driverId, op })
    const refusal = { success: false, error: { code: 'TASK_NOT_FOUND', message: 'No' } }
    const result = {
      opId: op.opId,
      ...(op.note === 'refused' || op.note === 'conflict' ? refusal : { success: true }),
      ...(op.note === 'conflict' && { conflict: { id: answers.size + 1 } }),
    }
    answers.set(op.opId, result)
    return result
  }
  function changesFor(driverId: number): PhoneChanges {
    const user = { id: driverId, name: `Driver ${driverId}`, company: { timezone: 'UTC' } } as PhoneChanges['user']
    const none = { full: false, tasks: [], removed: [], order: [], forms: [], reasons: [], settled: [], payments: [] }
    return { ...none, user, settings: settingsOf({ settings: {} }) }
  }
  const serverFor = (token: string | null): Server =>
    ({
      async loginDriver({ body }: { body: { code: string } }) {
        const driverId = Number(body.code)
        tokens.set(`token ${++made}`, driverId)
        return { token: `token ${made}`, osmandUrl: '', user: changesFor(driverId).user }
      },
      async signOutDevice() {
        tokens.delete(token as string)
      },
      async syncDriver({ body }: { body: { ops: TestOp[] } }) {
        const driverId = driverOf(token)
        if (body.ops.some(({ note }) => note === 'unreadable'))
          throw new WaybillError(400, { code: 'VALIDATION_FAILED', message: 'It cannot be read' })
        const results = body.ops.map((op) => answerTo(driverId, op))
        return { serverTime: new Date(nowMs).toISOString(), cursor: 'here', results, changes: changesFor(driverId) }
      },
      async uploadFile({ params, bytes }: { params: { fileId: string }; bytes: Blob }) {
        driverOf(token)
        assert.ok(
          received.some(({ op }) => op.fileId === params.fileId),
          'a picture comes after the step that names it',
        )
        const text = await bytes.text()
        assert.equal(files.get(params.fileId) ?? text, text, 'the same bytes')
        files.set(params.fileId, text)
        return {}
      },
    }) as unknown as Server

  // ------------------------------------------------------------------------------------------------------- the network

  /** What is on its way: answers that come later, and requests that arrive although their phone has given up. */
  let onTheWay: (() => void)[] = []
  const deliver = () => {
    const all = onTheWay
    onTheWay = []
    for (const one of all) one()
  }
  async function carry<Result>(request: () => Promise<Result>): Promise<Result> {
    if (isKind || happens(0.6)) return request()
    const luck = Math.floor(random() * 6)
    switch (luck) {
      case 0:
        throw noNetwork()
      case 1:
        await request()
        throw noNetwork()
      case 2: {
        const answer = request()
        answer.catch(() => {})
        await new Promise<void>((come) => onTheWay.push(come))
        return answer
      }
      case 3:
        onTheWay.push(() => void request().catch(() => {}))
        throw noNetwork()
      case 4:
        throw new WaybillError(503, { code: 'BUSY', message: 'Later' })
      default:
        // The page on which a network wants its users to sign in.
        throw new WaybillError(200)
    }
  }

  // ---------------------------------------------------------------------------------------------------------- the tabs

  const memory = createMemoryStore()
  const news = createNews()
  const problems: unknown[] = []
  /** Who may send, and who waits for it. A killed tab gives it back. */
  let lock: { tab: Tab; run: () => Promise<void> }[] = []
  function pass() {
    lock = lock.filter(({ tab }) => !tab.isDead)
    void lock[0]?.run().finally(() => {
      lock.shift()
      pass()
    })
  }

  /** Everything it asks for goes through this; from the moment it is killed nothing is answered any more. */
  function call<Result>(tab: Tab, answer: () => Promise<Result>): Promise<Result> {
    if (tab.callsLeft !== undefined) tab.callsLeft -= 1
    if (tab.callsLeft !== undefined && tab.callsLeft < 0) kill(tab)
    if (tab.isDead) return never
    return answer().then(
      (result) => (tab.isDead ? never : result),
      (error) => {
        if (tab.isDead) return never
        throw error
      },
    )
  }
  /** A full phone sends a photo without noting that it does, because that makes room: then it can still be deleted. */
  let wasFull = false
  const refuse = () => {
    if (isKind || !happens(0.04)) return
    if (happens(0.5)) throw new Error('The store is broken')
    wasFull = true
    throw new Full()
  }
  const storeOf = (tab: Tab): Store => ({
    read: (run) =>
      call(tab, () => {
        refuse()
        return memory.read(run)
      }),
    change: (run) =>
      call(tab, () =>
        memory.change(async (shelves) => {
          refuse()
          const result = await run(shelves)
          refuse()
          if (tab.isDead) throw new Killed()
          return result
        }),
      ),
    isFull: (error) => error instanceof Full,
  })
  const wrap = (tab: Tab, server: Server): Server =>
    Object.fromEntries(
      Object.entries(server).map(([name, send]) => [
        name,
        (given: never) => call(tab, () => (name === 'loginDriver' ? send(given) : carry(() => send(given)))),
      ]),
    ) as unknown as Server

  function openTab(): Tab {
    const tab: Tab = { phone: undefined as unknown as Phone, isDead: false, callsLeft: undefined }
    const ports: Ports = {
      store: storeOf(tab),
      connect: (token) => wrap(tab, serverFor(token)),
      clock: { nowMs: () => nowMs, later: () => () => {} },
      alone: (run) =>
        new Promise((done, fail) => {
          lock.push({ tab, run: () => Promise.race([died(tab), run().then(done, fail)]) })
          if (lock.length === 1) pass()
        }),
      news,
      describe: () => ({ name: 'Test' }),
      isOnMobileData: () => false,
      newId: () => `op ${++made}`,
      forgetMap: async () => {},
      mostAtOnce: 1 + Math.floor(random() * 6),
      onBroken(error) {
        if (error instanceof assert.AssertionError) problems.push(error)
      },
    }
    tab.phone = openPhone(ports)
    return tab
  }
  const deaths = new Map<Tab, () => void>()
  const died = (tab: Tab) => new Promise<void>((now) => deaths.set(tab, now))
  function kill(tab: Tab) {
    if (tab.isDead) return
    tab.isDead = true
    deaths.get(tab)?.()
    tabs[tabs.indexOf(tab)] = openTab()
  }
  const tabs: Tab[] = [openTab(), openTab()]
  const tabAt = (at: number) => tabs[at] as Tab

  /** Everything happens that can happen now. */
  async function settle() {
    for (let left = 3; left > 0; left -= 1) await turn()
    if (problems.length > 0) throw problems[0]
  }
  /** What came of it; undefined if the tab was killed before. */
  async function outcomeOf<Result>(work: Promise<Result>): Promise<{ result: Result } | 'failed' | undefined> {
    let outcome: { result: Result } | 'failed' | undefined
    void work.then(
      (result) => {
        outcome = { result }
      },
      () => {
        outcome = 'failed'
      },
    )
    await settle()
    return outcome
  }

  // --------------------------------------------------------------------------------------------------------- the driver

  const done: Done[] = []
  const pictures = new Map<string, string>()
  /** Who uses the phone, if that is certain. */
  let signedIn: number | undefined
  const sessionNow = async () =>
    (await memory.read(({ facts }) => facts.get('session'))) as { driverId: number } | undefined

  async function keep({ tab, taskId, type, isHeld }: Extract<Step, { kind: 'do' }>) {
    const session = await sessionNow()
    if (!session) return
    const { phone } = tabAt(tab)
    const fileId = type === 'photo' ? `file ${++made}` : undefined
    const isKnown = type === 'start' || type === 'complete' || type === 'photo'
    const action = { type: isKnown ? type : ('note' as const), taskId, note: type, ...(fileId && { fileId }) }
    const before = made
    if (fileId) pictures.set(fileId, `bytes ${made}`)
    if (fileId && isHeld) phone.holdPhoto(fileId)
    const bytes = fileId && (new TextEncoder().encode(pictures.get(fileId)).buffer as ArrayBuffer)
    const kept = fileId && bytes ? [{ kind: 'photo' as const, fileId, taskId, bytes }] : []
    const isEnd = type === 'complete' && isHeld
    const outcome = await outcomeOf(
      isEnd ? phone.keepEnd([action as Action], kept) : phone.keepDone([action as Action], kept),
    )
    if (outcome === 'failed' || made === before) return
    const op = { opId: `op ${before + 1}`, occurredAt: '', ...action }
    done.push({ driverId: session.driverId, op, isKept: outcome !== undefined, isTakenBack: false })
  }

  async function make(step: Step) {
    switch (step.kind) {
      case 'do':
        return keep(step)
      case 'wake':
        void tabAt(step.tab).phone.wake()
        return settle()
      case 'bothWake':
        for (const { phone } of tabs) void phone.wake()
        return settle()
      case 'kill':
        tabAt(step.tab).callsLeft = step.after
        return settle()
      case 'undo': {
        // Not simply the last: what a killed tab was about to keep may not be there.
        const held = (await memory.read(({ ops }) => ops.getAll())).find(({ heldUntilMs }) => heldUntilMs !== undefined)
        const end = done.find(({ op }) => op.opId === held?.op.opId)
        if (!end) return
        const outcome = await outcomeOf(tabAt(step.tab).phone.undoEnd(end.op.taskId))
        if (outcome === 'failed') return
        // A tab that was killed may have done it.
        if (!outcome) end.isKept = false
        else if (outcome.result) end.isTakenBack = true
        return
      }
      case 'deletePhoto': {
        const photo = done.findLast(({ op, isTakenBack }) => op.fileId && !isTakenBack)
        if (!photo?.op.fileId) return
        const outcome = await outcomeOf(tabAt(step.tab).phone.deletePhoto(photo.op.fileId))
        if (outcome === 'failed') return
        if (!outcome) photo.isKept = false
        else if (outcome.result) photo.isTakenBack = true
        return
      }
      case 'letPhotosGo':
        tabAt(step.tab).phone.letPhotosGo()
        return settle()
      case 'tenSeconds':
        nowMs += 10_001
        return settle()
      case 'deliver':
        deliver()
        return settle()
      case 'signOut':
        tokens.clear()
        return settle()
      case 'signIn':
        await signIn(step.tab, step.driverId + 1)
    }
  }

  async function signIn(tab: number, driverId: number) {
    const outcome = await outcomeOf(tabAt(tab).phone.signIn({ phone: '', code: String(driverId) }))
    // A tab that was killed may have done it.
    signedIn = outcome === undefined ? undefined : outcome === 'failed' ? signedIn : driverId
  }

  /** Everything that must hold at any time. */
  async function check() {
    const queue = await memory.read(({ ops }) => ops.getAll())
    for (const { op, heldUntilMs } of queue)
      if (heldUntilMs !== undefined) assert.ok(!answers.has(op.opId), 'what can be undone was not sent')
    const waiting = new Set(queue.map(({ op }) => op.opId))
    if (signedIn) assert.equal((await sessionNow())?.driverId, signedIn, 'who signed in last uses the phone')
    const aside = (await memory.read(({ refused }) => refused.getAll())).map(({ op }) => op?.opId)
    assert.equal(new Set(aside).size, aside.length, 'what was not accepted is told once')
    for (const { op, isKept, isTakenBack } of done) {
      const isThere = answers.has(op.opId) || waiting.has(op.opId) || aside.includes(op.opId)
      if (isTakenBack) assert.ok(!isThere || (op.fileId && wasFull), `${op.opId} was taken back`)
      else if (isKept) assert.ok(isThere, `${op.opId} is lost`)
    }
    const names = received.map(({ op }) => op.opId)
    assert.equal(new Set(names).size, names.length)
    for (const { driverId, op } of received)
      assert.equal(done.find((one) => one.op.opId === op.opId)?.driverId ?? driverId, driverId, 'sent by its driver')
    checkOrder()
  }

  /**
   * What one driver did arrives in its order; only a photo may be held until its stop ends. One that was deleted after a
   * full phone had sent it is no longer waited for, and may come late.
   */
  function checkOrder() {
    const places = new Map(done.map(({ op }, at) => [op.opId, at]))
    const deleted = new Set(done.filter(({ isTakenBack }) => isTakenBack).map(({ op }) => op.opId))
    for (const driverId of [1, 2]) {
      const own = received.filter((one) => one.driverId === driverId && places.has(one.op.opId)).map(({ op }) => op)
      const inOrder = own.filter(({ fileId }) => !fileId).map(({ opId }) => places.get(opId) as number)
      assert.deepEqual(
        inOrder,
        inOrder.toSorted((one, other) => one - other),
        'in its order',
      )
      for (const [at, end] of own.entries())
        if (end.type === 'complete')
          for (const late of own.slice(at))
            if (late.fileId && late.taskId === end.taskId && !deleted.has(late.opId))
              assert.ok((places.get(late.opId) as number) > (places.get(end.opId) as number), 'photos before the end')
    }
  }

  /** The weather clears: everything arrives. */
  async function end() {
    isKind = true
    for (const tab of tabs) tab.callsLeft = undefined
    deliver()
    await settle()
    for (const driverId of [1, 2, 1]) {
      const { phone } = tabAt(0)
      await signIn(0, driverId)
      for (const one of tabs) one.phone.letPhotosGo()
      await outcomeOf(phone.releaseEnds())
      for (const one of tabs) assert.ok(await outcomeOf(one.phone.wake()), 'a round ends')
    }
    await check()
    const state = await tabAt(0).phone.screen.read()
    assert.deepEqual([state.ops, state.unsentFiles, state.othersWait, state.isReachable], [[], [], 0, true])
    for (const { op, isKept, isTakenBack } of done) {
      if (op.note === 'unreadable') assert.ok(!answers.has(op.opId))
      else if (isKept && !isTakenBack) assert.ok(answers.has(op.opId), `${op.opId} has arrived`)
      if (!op.fileId) continue
      const bytes = files.get(op.fileId)
      if (isTakenBack) assert.ok(!bytes || wasFull, 'a deleted photo was not sent')
      else if (isKept) assert.equal(bytes, pictures.get(op.fileId), 'its bytes have arrived')
    }
  }

  return {
    received: () => received,
    async make(step: Step) {
      await make(step)
      await check()
    },
    end,
    async begin() {
      isKind = true
      await signIn(0, 1)
      isKind = false
    },
  }
}
