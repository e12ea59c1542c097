import type { Answer } from '../../../contract/operations.ts'
import { join } from '../../ui/class-names.ts'
import { type Say, useSay } from '../../words/console.ts'

export type Message = Answer<'listMessages'>['messages'][number]

const looks: Record<string, string> = {
  waiting: 'text-waiting bg-waiting-soft',
  sending: 'text-waiting bg-waiting-soft',
  sent: 'text-good bg-good-soft',
  failed: 'text-bad bg-bad-soft',
  unknown: 'text-bad bg-bad-soft',
}

export function MessageState({ message: { state } }: { message: Message }) {
  const say = useSay()
  return (
    <span
      className={join(
        'whitespace-nowrap rounded px-1.5 py-0.5 font-medium text-xs',
        looks[state] ?? 'bg-sunken text-ink-soft',
      )}
    >
      {stateInWords(state, say)}
    </span>
  )
}

/** Why a message was not sent, or that nobody knows whether it was. */
export function whyNot({ state, reason, error }: Message, say: Say): string {
  const words = reason ? reasonInWords(reason, say) : state === 'unknown' ? say('messageUnknownLead') : ''
  return [words, error].filter(Boolean).join(' · ')
}

/** One line of the timeline: which message, what became of it, and why. */
export const messageLine = ({ cause, state, reason }: Pick<Message, 'cause' | 'state' | 'reason'>, say: Say) =>
  [causeInWords(cause, say), stateInWords(state, say), reason && reasonInWords(reason, say)].filter(Boolean).join(' · ')

// A server that is newer than this page may have some that it does not know.
export const causeInWords = (cause: string, say: Say) => say.known(`cause_${cause}`) ?? cause
export const stateInWords = (state: string, say: Say) => say.known(`message_${state}`) ?? state
const reasonInWords = (reason: string, say: Say) => say.known(`reason_${reason}`) ?? reason
