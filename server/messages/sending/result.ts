import { causes, type MessageReason, type MessageState } from '../../../core/message-rules/causes.ts'
import type { Attempted } from '../../sending/parts.ts'
import type { MessageRow } from '../../tasks/noted-messages/tables.ts'

/** What a message becomes after a look at it or an attempt. */
export interface MessageResult {
  state: MessageState
  reason: MessageReason | null
  error: string | null
  /** When to look at it again, if it waits. */
  dueAt: Date | null
  /** It waits because of quiet hours, until then. */
  quietUntil: Date | null
}

export const result = (state: MessageState, given: Partial<Omit<MessageResult, 'state'>> = {}): MessageResult => ({
  state,
  reason: null,
  error: null,
  dueAt: null,
  quietUntil: null,
  ...given,
})

/** What came of looking at a message: the engine learns the outcome, the log the result. */
export interface Made extends Attempted {
  outcome: 'delivered' | 'failed' | 'left'
  result: MessageResult
  /** How many attempts it has had now; identifies this one. */
  attempts: number
}

type Told = Pick<MessageRow, 'id' | 'cause' | 'channel' | 'facts'>

/** As the timeline of the task shows it. */
export const presentResult = ({ id, cause, channel }: Told, { state, reason }: MessageResult) => ({
  id,
  cause,
  channel,
  state,
  reason,
})

/** Whether the customer now knows when the driver comes. */
export const toldArrival = ({ cause, facts }: Told, { state }: MessageResult): boolean =>
  state === 'sent' && facts.tellsTime === true && cause !== 'test' && 'tellsArrival' in causes[cause]
