import { X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useSay } from '../words/words.ts'
import { Button, IconButton } from './button.tsx'
import { join } from './class-names.ts'
import { Kbd } from './kbd.tsx'
import { addNotice, dropNotice, lastUndoable, type Notice, type Options, stayMsOf } from './notices.ts'

type Tell = (text: string, options?: Options) => void

const ToastContext = createContext<{ tell: Tell; undoLast: () => void }>({ tell: () => {}, undoLast: () => {} })
/** Shows a notice at the bottom of the page, with an undo button if possible. */
export const useTell = () => useContext(ToastContext).tell
/** Undoes the latest action that a notice on the page offers to undo. */
export const useUndoLast = () => useContext(ToastContext).undoLast

export const undoKeys = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘Z' : 'Ctrl+Z'

let lastId = 0

export function Toasts({ children }: { children: ReactNode }) {
  const say = useSay()
  const [toasts, setToasts] = useState<Notice[]>([])
  const latest = useRef(toasts)
  latest.current = toasts
  const drop = useCallback((id: number) => setToasts((all) => dropNotice(all, id)), [])
  const tell = useCallback<Tell>((text, options = {}) => {
    lastId += 1
    const toast = { id: lastId, text, ...options }
    setToasts((all) => addNotice(all, toast))
  }, [])
  const value = useMemo(() => {
    const undoLast = () => {
      const last = lastUndoable(latest.current)
      if (!last) return
      drop(last.id)
      last.undo?.()
    }
    return { tell, undoLast }
  }, [tell, drop])
  const undoable = lastUndoable(toasts)?.id
  return (
    <ToastContext value={value}>
      {children}
      <section
        aria-live="polite"
        aria-label={say('notices')}
        className="pointer-events-none fixed bottom-18 left-1/2 z-60 grid -translate-x-1/2 justify-items-center gap-2"
      >
        {toasts.map((toast) => (
          <Toast key={toast.id} toast={toast} hasKey={toast.id === undoable} onDrop={drop} />
        ))}
      </section>
    </ToastContext>
  )
}

interface ToastProps {
  toast: Notice
  /** Whether the undo keys apply to this one. */
  hasKey: boolean
  onDrop: (id: number) => void
}

/** Disappears automatically, but not while the mouse or the keyboard is on it. */
function Toast({ toast, hasKey, onDrop }: ToastProps) {
  const { id, text, bad, undo, link } = toast
  const say = useSay()
  const [isPointedAt, setPointedAt] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const isHeld = isPointedAt || isFocused
  const stayMs = stayMsOf(toast)
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
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the notice open while the pointer is on it
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
