import type { LucideIcon } from 'lucide-react'
import { useId } from 'react'
import { useSay, type Word } from '../../words/driver.ts'
import { BigButton, Card, plainButton } from './parts.tsx'

interface Props {
  question: Word
  why: Word
  yes: { word: Word; Icon: LucideIcon; run: () => void }
  no: { word: Word; run: () => void }
}

/** Says what something is for before the browser asks for it. */
export function AskCard({ question, why, yes, no }: Props) {
  const say = useSay()
  const id = useId()
  return (
    <Card aria-labelledby={id} className="flex flex-col gap-3 p-4">
      <h2 id={id} className="font-bold text-title">
        {say(question)}
      </h2>
      <p>{say(why)}</p>
      <div className="flex flex-wrap gap-2">
        <button type="button" className={plainButton} onClick={no.run}>
          {say(no.word)}
        </button>
        <BigButton className="flex-1" Icon={yes.Icon} onClick={yes.run}>
          {say(yes.word)}
        </BigButton>
      </div>
    </Card>
  )
}
