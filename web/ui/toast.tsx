import { X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useSay } from '../words/words.ts'
import { Button, IconButton } from './button.tsx'
import { join } from './class-names.ts'
import { Kbd } from './kbd.tsx'

interface Options {
  bad?: boolean
  undo?: () => void
  /** Where to look for what it tells of. */
  link?: { label: string; go: () => void }
}
interface Toast extends Options {
  id: number
  text: string
}
type Tell = (text: string, options?: Options) => void

const ToastContext = createContext<{ tell: Tell; undoLast: () => void }>({ tell: () => {}, undoLast: () => {} })
/** Tells what has been done, at the foot of the page, with a way back if there is one. */
export const useTell = () => useContext(ToastContext).tell
/** Undoes what the latest of the notices on the page offers to undo. */
export const useUndoLast = () => useContext(ToastContext).undoLast

export const undoKeys = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘Z' : 'Ctrl+Z'

const shownMs = 6_000
/** What can be pressed, or went wrong, takes longer to read and to reach. */
const longMs = 15_000
let lastId = 0

export function Toasts({ children }: { children: ReactNode }) {
  const say = useSay()
  const [toasts, setToasts] = useState<Toast[]>([])
  const latest = useRef(toasts)
  latest.current = toasts
  const drop = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), [])
  const tell = useCallback<Tell>((text, options = {}) => {
    lastId += 1
    const toast = { id: lastId, text, ...options }
    setToasts((all) => [...all.slice(-3), toast])
  }, [])
  const value = useMemo(() => {
    const undoLast = () => {
      const last = latest.current.findLast(({ undo }) => undo)
      if (!last) return
      drop(last.id)
      last.undo?.()
    }
    return { tell, undoLast }
  }, [tell, drop])
  const undoable = toasts.findLast(({ undo }) => undo)?.id
  return (
    <ToastContext value={value}>
      {children}
      <section
        aria-live="polite"
        aria-label={say('notices')}
        className="pointer-events-none fixed bottom-18 left-1/2 z-60 grid -translate-x-1/2 justify-items-center gap-2"
      >
        {toasts.map((toast) => (
          <Notice key={toast.id} toast={toast} hasKey={toast.id === undoable} onDrop={drop} />
        ))}
      </section>
    </ToastContext>
  )
}

interface NoticeProps {
  toast: Toast
  /** The keys for undoing mean this one. */
  hasKey: boolean
  onDrop: (id: number) => void
}

/** Goes by itself, but not while the mouse or the keyboard is on it. */
function Notice({ toast: { id, text, bad, undo, link }, hasKey, onDrop }: NoticeProps) {
  const say = useSay()
  const [isPointedAt, setPointedAt] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const isHeld = isPointedAt || isFocused
  const stayMs = bad || undo || link ? longMs : shownMs
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(() => onDrop(id), stayMs)
    return () => clearTimeout(timer)
  }, [isHeld, id, stayMs, onDrop])
  const act = (what: () => void) => () => {
    onDrop(id)
    what()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits while somebody is about to press what is in it
    <div
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => setFocused(true)}
      onBlur={({ currentTarget, relatedTarget }) => setFocused(currentTarget.contains(relatedTarget))}
      className={join(
        'pointer-events-auto flex items-center gap-2 rounded-lg border bg-raised py-1.5 pr-1.5 pl-3 shadow-raised',
        bad ? 'border-bad text-bad' : 'border-line',
      )}
    >
      <span>{text}</span>
      {link && (
        <Button look="quiet" className="!text-accent" onClick={act(link.go)}>
          {link.label}
        </Button>
      )}
      {undo && (
        <Button
          look="quiet"
          className="!text-accent"
          aria-label={say('undo')}
          aria-keyshortcuts={hasKey ? 'Control+Z Meta+Z' : undefined}
          onClick={act(undo)}
        >
          {say('undo')}
          {hasKey && <Kbd>{undoKeys}</Kbd>}
        </Button>
      )}
      <IconButton label={say('close')} onClick={() => onDrop(id)}>
        <X />
      </IconButton>
    </div>
  )
}
