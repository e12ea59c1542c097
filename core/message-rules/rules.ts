import { hasArrived } from '../arrival.ts'
import { isEmail } from '../email.ts'
import { canGetSms } from '../phone.ts'
import { Assigned, Failed, InTransit, isOpen, type StatusId, Succeeded } from '../task-status.ts'
import { type Cause, type ChannelName, causes, channels, type MessageReason } from './causes.ts'
import { type QuietHours, quietUntil } from './times.ts'

/* Whether, when and how a message goes out. Nothing here knows the database or a provider. */

interface Reachable {
  /** In E.164, if it is a possible number; else as it was typed. */
  phone: string | null
  typed_phone: string | null
  email: string | null
}

export interface Recipient {
  channel: ChannelName
  /** Empty if there is none. */
  recipient: string
}

/** The first way that works, in the order the organisation prefers; else the first there is an address for. */
export function chooseRecipient(
  customer: Reachable | null,
  first: ChannelName,
  available: readonly ChannelName[],
): Recipient {
  const addresses = { sms: customer?.phone ?? customer?.typed_phone ?? '', email: customer?.email ?? '' }
  const order = [...channels].sort((one, other) => Number(other === first) - Number(one === first))
  const ways = order.map((channel) => ({ channel, recipient: addresses[channel] }))
  const works = ({ channel, recipient }: Recipient) =>
    available.includes(channel) && findObstacle(channel, recipient) === undefined
  return (ways.find(works) ?? ways.find(({ recipient }) => recipient !== '') ?? ways[0]) as Recipient
}

/** Why nothing can be sent to this address. */
export function findObstacle(channel: ChannelName, recipient: string): MessageReason | undefined {
  if (recipient === '') return 'noRecipient'
  if (channel === 'email') return isEmail(recipient) ? undefined : 'invalidEmail'
  if (!/^\+\d+$/.test(recipient)) return 'invalidPhone'
  return canGetSms(recipient) ? undefined : 'notMobile'
}

/** How an address is remembered that wants no messages. */
export const addressKey = (address: string) => address.trim().toLowerCase()

/** What a message says about a task, to see later whether it still holds. */
export interface Facts {
  /** Of windowChanged: the window it tells, and the one the customer knew before. */
  window?: string
  known?: string
  /** It says when the driver comes. */
  tellsTime?: true
}

export interface ToldTask {
  status_id: StatusId
  driver_arrived: boolean
  arrived_at: Date | string | null
  window: string
}

/** Whether what a message says is still so. */
export function isStillTrue(cause: Cause, facts: Facts, task: ToldTask | undefined): boolean {
  if (!task) return false
  const isThere = hasArrived({ driverArrived: task.driver_arrived, arrivalTime: task.arrived_at })
  switch (cause) {
    case 'onItsWay':
      return task.status_id === InTransit && !isThere
    case 'nextStop':
      return (task.status_id === Assigned || task.status_id === InTransit) && !isThere
    case 'arrived':
      return task.status_id === InTransit && isThere
    case 'delivered':
      return task.status_id === Succeeded
    case 'failed':
      return task.status_id === Failed
    case 'windowChanged':
      return isOpen({ statusId: task.status_id }) && facts.window === task.window
  }
}

export interface Waiting {
  channel: ChannelName
  recipient: string
  expiresAt: Date
  isOptedOut: boolean
  isAvailable: boolean
  /** A person sends it: they know the time and the task. */
  isByHand: boolean
  isTurnedOn: boolean
  isStillTrue: boolean
}

export type Verdict =
  | { kind: 'send' }
  | { kind: 'skipped' | 'dropped'; reason: MessageReason }
  | { kind: 'later'; at: Date }

/** What to do with a message that is due. */
export function judgeMessage(message: Waiting, now: Date, quiet: QuietHours, timezone: string): Verdict {
  const obstacle = findObstacle(message.channel, message.recipient)
  if (obstacle) return { kind: 'skipped', reason: obstacle }
  if (message.isOptedOut) return { kind: 'skipped', reason: 'optedOut' }
  if (!message.isAvailable) return { kind: 'skipped', reason: 'noChannel' }
  if (now > message.expiresAt) return { kind: 'dropped', reason: 'tooOld' }
  if (message.isByHand) return { kind: 'send' }
  if (!message.isTurnedOn) return { kind: 'dropped', reason: 'turnedOff' }
  if (!message.isStillTrue) return { kind: 'dropped', reason: 'outdated' }
  const at = quietUntil(now, quiet, timezone)
  if (!at) return { kind: 'send' }
  return at > message.expiresAt ? { kind: 'dropped', reason: 'tooOld' } : { kind: 'later', at }
}

/** A window in a form that can be compared. */
export const windowKey = (after: Date | string | null, before: Date | string | null) =>
  [after, before].map((time) => (time === null ? '' : new Date(time).toISOString())).join('/')

/**
 * Whether a changed window is news: it differs from the one the customer knows, and no message that waits says the same.
 * `told` are the earlier messages about the window of this task, oldest first.
 */
export function isNewWindow(told: readonly { state: string; facts: Facts }[], before: string, after: string) {
  const reached = told.findLast(({ state }) => state === 'sent' || state === 'sending' || state === 'unknown')
  const known = reached?.facts.window ?? told[0]?.facts.known ?? before
  const isWaiting = told.some(({ state, facts }) => state === 'waiting' && facts.window === after)
  return { known, isNews: after !== known && !isWaiting }
}

const second = 1_000
const minute = 60 * second

/** How long to wait after each definite refusal. Messages are soon old news, so there are few. */
export const retryDelaysMs = [10 * second, minute, 5 * minute, 15 * minute, 30 * minute] as const

/** Messages that failed together must not all be tried again in the same second. */
const jitter = 0.2

export interface Refused {
  /** The number of the attempt just made, from 1. */
  attempt: number
  retryAfterSeconds?: number | undefined
  isFinal?: boolean | undefined
  now: Date
  expiresAt: Date
  /** From 0 up to, not including, 1. */
  random: number
}

/** When to try again after a definite refusal; undefined if not at all. */
export function retryAt({ attempt, retryAfterSeconds = 0, isFinal, now, expiresAt, random }: Refused) {
  const delayMs = retryDelaysMs[attempt - 1]
  if (isFinal || delayMs === undefined) return undefined
  const waitMs = Math.max(delayMs * (1 - jitter + 2 * jitter * random), retryAfterSeconds * second)
  const at = new Date(now.getTime() + waitMs)
  return at > expiresAt ? undefined : at
}

export const expiryOf = (cause: Cause, occurredAt: Date) =>
  new Date(occurredAt.getTime() + causes[cause].maxAgeMinutes * minute)
