import type { Answer } from '../../../contract/operations.ts'
import { join } from '../../ui/class-names.ts'
import { messageWords } from '../../words/messages.ts'
import { addWords, type Say, useSay, type Word } from '../../words/words.ts'

addWords(messageWords)

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
      {say(`message${state}` as Word)}
    </span>
  )
}

/** Why a message was not sent, or that nobody knows whether it was. */
export function whyNot({ state, reason, error }: Message, say: Say): string {
  const words = reason ? say(`reason${reason}` as Word) : state === 'unknown' ? say('messageUnknownLead') : ''
  return [words, error].filter(Boolean).join(' · ')
}

/** One line of the timeline: which message, what became of it, and why. */
export const messageLine = ({ cause, state, reason }: Pick<Message, 'cause' | 'state' | 'reason'>, say: Say) =>
  [say(causeWord(cause)), say(`message${state}` as Word), reason && say(`reason${reason}` as Word)]
    .filter(Boolean)
    .join(' · ')

export const causeWord = (cause: string) => `cause${cause}` as Word
