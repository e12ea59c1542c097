import { Assigned, type MoveName, type StatusId, Unassigned } from './task-status.ts'

/*
 * A task that one organisation gave to another: the owner gave it, the fulfiller does it. Each has a task of its own, and
 * what one does is mirrored to the other. In a chain the one in the middle is both: the owner of what it gave on.
 */

export type Side = 'owner' | 'fulfiller'

interface Parts {
  ownerId: number | null
  fulfillerId: number | null
}

/** Whose work it is: what was given on is done by somebody else, whoever it came from. */
export const sideOf = (parts: Parts): Side | undefined => sidesOf(parts)[0]

/** What an organisation is to the task: who gave on what it was given is both. */
const sidesOf = ({ ownerId, fulfillerId }: Parts): Side[] => [
  ...(fulfillerId !== null ? ['owner' as const] : []),
  ...(ownerId !== null ? ['fulfiller' as const] : []),
]

export type DelegationRefusal = 'TASK_DELEGATED' | 'TASK_OF_PARTNER'

type Work = Exclude<MoveName, 'create' | 'createForDriver'>
/** A setting: the fulfiller may if that of the owner is on. */
export type OwnersSetting = 'canExecutorsModifyDelegatedTasks' | 'canExecutorsUndelegateTasks'
export type Rule = 'mirrored' | DelegationRefusal | OwnersSetting

/** The work is the fulfiller's. */
const done = { owner: 'TASK_DELEGATED', fulfiller: 'mirrored' } as const
const forBoth = { owner: 'mirrored', fulfiller: 'mirrored' } as const

/** What each side may do with the task: its move is mirrored to the other, or refused. */
export const delegatedMoves = {
  assign: done,
  reassign: done,
  unassign: done,
  accept: done,
  start: done,
  arrive: done,
  takeBackStart: done,
  takeBackArrive: done,
  complete: done,
  completeUnstarted: done,
  fail: done,
  forceComplete: done,
  forceFail: done,
  correctToSucceeded: done,
  correctToFailed: done,
  // Given on, it becomes a chain; it is given to one at a time.
  delegate: { owner: 'TASK_DELEGATED', fulfiller: 'mirrored' },
  undelegate: { owner: 'mirrored', fulfiller: 'canExecutorsUndelegateTasks' },
  // The owner may; the fulfiller gives it back instead.
  delete: { owner: 'mirrored', fulfiller: 'TASK_OF_PARTNER' },
} as const satisfies Record<Work, Record<Side, Rule>>

/** What is done to a task without moving it. */
export const delegatedActs = {
  edit: { owner: 'mirrored', fulfiller: 'canExecutorsModifyDelegatedTasks' },
  addNote: forBoth,
  addPayment: forBoth,
} as const satisfies Record<string, Record<Side, Rule>>

const refusals: readonly string[] = ['TASK_DELEGATED', 'TASK_OF_PARTNER'] satisfies DelegationRefusal[]

/** Why a side may not make a move, if it may not. What nobody shares has no side, and nothing is refused. */
export function refuseSide(name: MoveName, side: Side | undefined): DelegationRefusal | undefined {
  const rule: Rule | undefined = side && delegatedMoves[name as Work]?.[side]
  return rule && refusals.includes(rule) ? (rule as DelegationRefusal) : undefined
}

/** Who gave on what it was given is on both sides, and what either may not, it may not. */
export const refuseDelegated = (name: MoveName, parts: Parts): DelegationRefusal | undefined =>
  sidesOf(parts)
    .map((side) => refuseSide(name, side))
    .find((refusal) => refusal !== undefined)

/** As it travels: `side` is there only if the task is shared. */
interface Shared {
  statusId: StatusId
  side?: Side | undefined
}

/** Whether the work is this organisation’s: what was given to a partner is done there. */
export const isOursToDo = ({ side }: Pick<Shared, 'side'>): boolean => side !== 'owner'

/** Whether it needs a driver of this organisation. What a partner has needs one there. */
export const awaitsDriver = (task: Shared): boolean => task.statusId === Unassigned && isOursToDo(task)

/** The state it is counted and shown with: what a partner has is in good hands, even while nobody drives it there. */
export const shownStatus = (task: Shared): StatusId =>
  task.statusId === Unassigned && !isOursToDo(task) ? Assigned : task.statusId

/**
 * Whether an organisation's own row of a task is the one whose customer is told: that of the first owner, or that of the
 * last fulfiller, as the first owner chose. Exactly one row of a chain is.
 */
export const tellsCustomer = ({ ownerId, fulfillerId, messagesBy }: Parts & { messagesBy: Side | null }): boolean =>
  messagesBy === 'fulfiller' ? fulfillerId === null : ownerId === null
