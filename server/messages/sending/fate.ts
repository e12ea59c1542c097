import { causes, type MessageReason, type MessageState } from '../../../core/messages/causes.ts'
import type { MessageRow } from '../../tasks/messages/tables.ts'

/** What a message becomes after a look at it or an attempt. */
export interface Fate {
  state: MessageState
  reason: MessageReason | null
  error: string | null
  /** When to look at it again, if it waits. */
  dueAt: Date | null
  /** It waits because of quiet hours, until then. */
  quietUntil: Date | null
}

export const fate = (state: MessageState, given: Partial<Omit<Fate, 'state'>> = {}): Fate => ({
  state,
  reason: null,
  error: null,
  dueAt: null,
  quietUntil: null,
  ...given,
})

type Told = Pick<MessageRow, 'id' | 'cause' | 'channel' | 'facts'>

/** As the timeline of the task shows it. */
export const presentFate = ({ id, cause, channel }: Told, { state, reason }: Fate) => ({
  id,
  cause,
  channel,
  state,
  reason,
})

/** Whether the customer now knows when the driver comes. */
export const toldArrival = ({ cause, facts }: Told, { state }: Fate): boolean =>
  state === 'sent' && facts.tellsTime === true && cause !== 'test' && 'tellsArrival' in causes[cause]
