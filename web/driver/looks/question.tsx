import { useSay, type Word } from '../../words/driver.ts'
import { BigButton } from './parts.tsx'
import { Sheet } from './sheet.tsx'

export interface Answer {
  word: Word
  run: () => void
  look?: 'primary' | 'danger' | 'plain'
}

interface Props {
  title: Word
  lead: string
  /** The last one lies where the thumb was: it is the one that does no harm. */
  answers: readonly Answer[]
  onClose: () => void
}

/** One plain question before something unusual. Closing it means no. */
export function Question({ title, lead, answers, onClose }: Props) {
  const say = useSay()
  return (
    <Sheet title={say(title)} onClose={onClose}>
      <p className="text-large">{lead}</p>
      {answers.map(({ word, run, look = 'plain' }) => (
        <BigButton key={word} look={look} onClick={run}>
          {say(word)}
        </BigButton>
      ))}
    </Sheet>
  )
}
