import type { PhoneTask } from '../contract/sync.ts'
import { formOf } from '../core/form.ts'
import { lookAhead } from './ahead.ts'
import { lastBegun } from './begun.ts'
import { isHeld } from './held.ts'
import {
  type Begun,
  type Day,
  type Draft,
  isUnsent,
  type KeptFile,
  type KeptTask,
  type Refused,
  type Session,
  type WaitingOp,
} from './kept.ts'
import { taskOf } from './op.ts'
import type { Ports } from './ports.ts'
import { createReader } from './reader.ts'
import { taskIdOf } from './refused.ts'
import type { WaitingScan } from './scans.ts'
import { type Readable, readDay, readSession } from './store.ts'

/** A task as the driver has left it, sent or not. */
export interface ShownTask extends PhoneTask {
  isNew: boolean
  /** Something the driver did to it has not been sent. */
  isWaiting: boolean
  /** What they did to it and the server did not accept. */
  refused: Refused[]
  /** The start or arrival the driver can take back. */
  begun: Begun | undefined
}

/** What was ended a moment ago, which can still be undone: a task, or several of one stop. */
export interface Held {
  taskIds: number[]
  type: 'complete' | 'fail'
}

export interface State {
  session: Session | null
  day: Day | null
  /** In the order of the route; ended ones last. */
  tasks: ShownTask[]
  taken: { task: PhoneTask; at: string; refused: Refused[] }[]
  /** What this driver did that has not been sent, oldest first. */
  ops: WaitingOp[]
  /** Of those, what was scanned while loading. */
  scans: WaitingScan[]
  held: Held | undefined
  files: KeptFile[]
  unsentFiles: KeptFile[]
  /** What other drivers did on this phone and have not sent. */
  othersWait: number
  refused: Refused[]
  drafts: Map<number, Draft>
  /** Undefined before the first try. */
  isReachable: boolean | undefined
}

async function readState(shelves: Readable): Promise<Omit<State, 'isReachable'>> {
  const [session, day, kept, allOps, allFiles, allRefused, drafts] = await Promise.all([
    readSession(shelves),
    readDay(shelves),
    shelves.tasks.getAll(),
    shelves.ops.getAll(),
    shelves.files.getAll(),
    shelves.refused.getAll(),
    shelves.drafts.getAll(),
  ])
  const isOwn = ({ driverId }: { driverId: number }) => driverId === session?.driverId
  const ops = allOps.filter(isOwn)
  // Their ids are random; shown and sent they are in the order they were taken.
  const files = allFiles.filter(isOwn).sort((one, other) => one.takenAt.localeCompare(other.takenAt))
  const own = kept.filter(({ takenAt }) => takenAt === null)
  const refused = allRefused.filter(isOwn)
  const { tasks, scans } = day ? shown(own, ops, files, day) : { tasks: [], scans: [] }
  const refusedOf = (id: number) => refused.filter((entry) => taskIdOf(entry) === id)
  return {
    session: session ?? null,
    day: day ?? null,
    tasks: tasks.map((task) => ({ ...task, refused: refusedOf(task.id) })),
    taken: kept.flatMap(({ task, takenAt }) => (takenAt ? { task, at: takenAt, refused: refusedOf(task.id) } : [])),
    ops,
    scans,
    held: heldIn(ops),
    files,
    unsentFiles: files.filter(isUnsent),
    othersWait: allOps.length - ops.length + allFiles.filter((file) => !isOwn(file) && isUnsent(file)).length,
    refused,
    drafts: new Map(drafts.map((draft) => [draft.taskId, draft])),
  }
}

function heldIn(ops: readonly WaitingOp[]): Held | undefined {
  const ends = ops
    .filter(isHeld)
    .flatMap(({ op }) => (op.type === 'complete' || op.type === 'fail' ? [{ taskId: op.taskId, type: op.type }] : []))
  const last = ends.at(-1)
  return last && { taskIds: ends.map(({ taskId }) => taskId), type: last.type }
}

function shown(kept: readonly KeptTask[], ops: WaitingOp[], files: KeptFile[], day: Day) {
  const fieldsOf = (task: PhoneTask) => formOf(task, day.forms)?.fields ?? []
  const { settings, reasons } = day
  const { timezone } = day.user.company
  const rules = { settings, fieldsOf, reasons, driver: { id: day.user.id, name: day.user.name }, timezone }
  const { tasks: ahead, scans } = lookAhead(
    kept.map(({ task, begun = [] }) => ({ task, begun })),
    // As the server will correct them: a phone whose clock is wrong shows right times.
    ops.map(({ op }) => ({ ...op, occurredAt: new Date(Date.parse(op.occurredAt) - day.aheadMs).toISOString() })),
    rules,
  )
  const isNew = new Set(kept.filter((one) => one.isNew).map(({ task }) => task.id))
  const waiting = new Set([
    ...ops.filter(({ op }) => op.type !== 'seen').map(({ op }) => taskOf(op)),
    ...files.filter(isUnsent).map(({ taskId }) => taskId),
    ...scans.map(({ taskId }) => taskId),
  ])
  const place = new Map(day.order.map((id, at) => [id, at]))
  const tasks = ahead
    .map(({ task, begun }) => ({
      ...task,
      isNew: isNew.has(task.id),
      isWaiting: waiting.has(task.id),
      begun: lastBegun(begun),
    }))
    .sort((one, other) => (place.get(one.id) ?? Infinity) - (place.get(other.id) ?? Infinity) || one.id - other.id)
  return { tasks, scans }
}

/** What is on the phone, and whether it can be read now; the state is undefined until it was read for the first time. */
interface Stored {
  state: State | undefined
  isUnreadable: boolean
}

const retryMs = 2_000

export function createScreen({ store, clock, news }: Ports, reachesServer: () => boolean | undefined) {
  let stored: Stored = { state: undefined, isUnreadable: false }
  const listeners = new Set<() => void>()
  const show = (next: Stored) => {
    stored = next
    for (const listener of listeners) listener()
  }
  const read = async (): Promise<State> => ({ ...(await store.read(readState)), isReachable: reachesServer() })
  const refresh = createReader(
    read,
    {
      onRead: (state) => show({ state, isUnreadable: false }),
      onFailed: () => show({ ...stored, isUnreadable: true }),
    },
    (run) => void clock.later(run, retryMs),
  )
  let stop: (() => void) | undefined

  return {
    /** Everything the screens show, as it is now. */
    read,
    /** The same as it was last read for those who look, and whether it can be read now. */
    stored: () => stored,
    /** Reads as long as somebody looks. */
    look(listener: () => void) {
      listeners.add(listener)
      if (!stop) {
        stop = news.on(() => void refresh())
        void refresh()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop?.()
        stop = undefined
      }
    },
  }
}
