import type { ErrorCode } from '../../../../contract/errors.ts'
import { isToldLate } from '../../../../core/device-clock.ts'
import type { ScanPlace, ScanResult } from '../../../../core/loading.ts'
import type { Task } from '../../../api/data.ts'

type Entry = Task['timelines'][number]
type Fields = Record<string, unknown>

/** One action, however many events it fired. */
export interface Activity {
  id: number
  /** The event that says most about it. */
  event: string
  actor: Entry['actor']
  occurredAt: string
  recordedAt: string
  /** When the server received it, if clearly later: a phone without network reports late. */
  toldAt: string | undefined
  changes: Change[]
  remark: Remark
  /** The task's driver after it. */
  driver: string | undefined
}

/** What the log says besides the changes. */
export interface Remark {
  /** A code that the driver read. */
  scan?: { matches: boolean; field?: string }
  /** Its parcel was scanned. */
  load?: { at: ScanPlace; result: ScanResult }
  payment?: { amount: number }
  /** A message to the customer, and what became of it. */
  message?: { cause: string; state: string; reason: string | null }
  /** A picture was named before; now its bytes arrived. */
  picture?: object
  /** What a driver reported after the task had changed: waiting for a decision, or only noted. */
  conflict?: { type: string }
  noted?: string
  /** What the driver took back. */
  takenBack?: { type: 'start' | 'arrive' }
  /** Given to a partner, or back from one. */
  delegated?: { name: string }
  undelegated?: { name: string }
  /** The rule for new tasks could not give it away. */
  notDelegated?: { code: ErrorCode; message: string }
  /** How it ended was corrected. */
  corrected?: { reason: string }
  /** Its parcel could not go back by itself. */
  notReturned?: { code: ErrorCode; message: string }
  /** The personal data was erased, here too. */
  erased?: true
  settled?: { type: string; applied: boolean; note: string | null }
}

/** A changed field; parts of the address and the customer are named like `address.city`. */
export interface Change {
  field: string
  before: unknown
  after: unknown
}

const weight = [
  'TASK_CREATED',
  'TASK_DELETED',
  'TASK_COMPLETE',
  'TASK_FAILED',
  'TASK_START',
  'TASK_GEOCODED',
  'TASK_ASSIGNED',
  'TASK_UNASSIGNED',
  'TASK_UPDATED',
]

const previousOf = (entry: Entry) => (entry.data as { previous?: Fields } | null)?.previous ?? null

/**
 * What happened to a task, latest first. The log has the values before each change; those after it are found by walking
 * back from the current task.
 */
export function activityOf(task: Task): Activity[] {
  let state: Fields = task as unknown as Fields
  return groupEntries(task.timelines)
    .toReversed()
    .map((entries): Activity => {
      const main = entries.toSorted((one, other) => weight.indexOf(one.event) - weight.indexOf(other.event))[0] as Entry
      const previous = previousOf(entries[0] as Entry) ?? {}
      const changes = changesOf(previous, state)
      const driver = (state['user'] as { name: string } | null)?.name
      state = { ...state, ...merge(previous, state) }
      const isLate = isToldLate(main.occurredAt, main.recordedAt)
      return {
        id: main.id,
        event: main.event,
        actor: main.actor,
        occurredAt: main.occurredAt,
        recordedAt: main.recordedAt,
        toldAt: isLate ? main.recordedAt : undefined,
        changes,
        remark: (main.data as Remark | null) ?? {},
        driver,
      }
    })
}

/** A move fires several events at once, all with the same values before. */
function groupEntries(entries: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last && isSameAction(last[0] as Entry, entry) && !last.some(({ event }) => event === entry.event))
      last.push(entry)
    else groups.push([entry])
  }
  return groups
}

const isSameAction = (one: Entry, other: Entry) =>
  one.recordedAt === other.recordedAt &&
  one.actor.type === other.actor.type &&
  one.actor.id === other.actor.id &&
  JSON.stringify(one.data) === JSON.stringify(other.data)

const isPart = (field: string, before: unknown, now: unknown) =>
  (field === 'address' || field === 'customer') && !!before && !!now

function changesOf(previous: Fields, state: Fields, prefix = ''): Change[] {
  return Object.entries(previous).flatMap(([field, before]) => {
    const after = state[field]
    return isPart(field, before, after)
      ? changesOf(before as Fields, after as Fields, `${field}.`)
      : [{ field: prefix + field, before, after }]
  })
}

/** Of the address and the customer, the log has only the parts that changed. */
const merge = (previous: Fields, state: Fields): Fields =>
  Object.fromEntries(
    Object.entries(previous).map(([field, before]) => [
      field,
      isPart(field, before, state[field]) ? { ...(state[field] as object), ...(before as object) } : before,
    ]),
  )
