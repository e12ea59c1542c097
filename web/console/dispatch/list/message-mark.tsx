import { MessageSquareText } from 'lucide-react'
import { useSay } from '../../../words/console.ts'
import { useUnseenNotes } from '../../tasks/unseen-notes.ts'

/** The driver wrote something that nobody of the office has seen. */
export function MessageMark({ taskId }: { taskId: number }) {
  const say = useSay()
  if (!useUnseenNotes()?.some((note) => note.taskId === taskId)) return null
  return (
    <span title={say('unseenNote')} className="shrink-0 text-given">
      <MessageSquareText role="img" aria-label={say('unseenNote')} className="size-3.5" />
    </span>
  )
}
