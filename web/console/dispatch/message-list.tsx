import { MessageSquareText } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useFormats } from '../../api/time.ts'
import { buttonLook } from '../../ui/button.tsx'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/console.ts'
import { useDispatch } from '../day/dispatch.tsx'
import { useUnseenNotes } from '../tasks/unseen-notes.ts'

/** In the top bar of the day, as long as drivers wrote something that nobody has read. */
export function MessageList() {
  const say = useSay()
  const { change } = useDispatch()
  const { dateTime } = useFormats()
  const notes = useUnseenNotes() ?? []
  if (notes.length === 0) return null
  const label = say('unseenNotes', { n: notes.length })
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={label}
        title={label}
        className={join(buttonLook(), '!border-given !text-given shrink-0')}
      >
        <MessageSquareText aria-hidden />
        <span className="numbers">{notes.length}</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          aria-label={label}
          className="z-50 max-h-96 w-80 overflow-y-auto rounded-lg border border-line bg-raised p-1.5 shadow-raised"
        >
          <ul>
            {notes.map(({ id, taskId, awb, note, user, createdAt }) => (
              <li key={id}>
                <Popover.Close
                  onClick={() => change({ task: taskId }, false)}
                  className="w-full rounded-md px-2 py-1.5 text-left hover:bg-hover"
                >
                  <span className="line-clamp-3 [overflow-wrap:anywhere]">{note}</span>
                  <span className="numbers block text-ink-soft text-xs">
                    {awb} · {user.name} · {dateTime(createdAt)}
                  </span>
                </Popover.Close>
              </li>
            ))}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
