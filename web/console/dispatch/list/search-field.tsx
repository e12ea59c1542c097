import { Search } from 'lucide-react'
import { useRef, useState } from 'react'
import { join } from '../../../ui/class-names.ts'
import { inputLook } from '../../../ui/field.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'

/** Used by the keyboard shortcut. Only one is on the screen at a time. */
export const searchFieldId = 'task-search'
const pauseMs = 180

/** The address is updated when typing pauses; if something else changes the address, the field follows. */
export function SearchField({ className }: { className?: string }) {
  const say = useSay()
  const { filters, change } = useDispatch()
  const known = filters.q ?? ''
  const [text, setText] = useState(known)
  const [seen, setSeen] = useState(known)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (seen !== known) {
    setSeen(known)
    // The typed text comes back through the URL when the next letter is already there.
    if (!text.startsWith(known) || known === '') setText(known)
  }
  const write = (next: string, waitMs = pauseMs) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => change({ q: next.trim() || undefined }), waitMs)
  }
  return (
    <div className={join('relative', className)}>
      <Search aria-hidden className="absolute top-2 left-2 size-4 text-ink-faint" />
      <input
        id={searchFieldId}
        type="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={say('searchTasks')}
        placeholder={say('searchTasks')}
        value={text}
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') write('', 0)
          if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur()
        }}
        className={join(inputLook, '!bg-sunken text-ellipsis pr-8 pl-8 [&::-webkit-search-cancel-button]:hidden')}
      />
      <span aria-hidden className="absolute top-1.5 right-2 short:max-lg:hidden">
        <Kbd>/</Kbd>
      </span>
    </div>
  )
}
