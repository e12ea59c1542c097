import { X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useSay } from '../words/shared.ts'
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

/** Ctrl+Z on a page without shortcuts of its own. */
export function useUndoKeys() {
  const undoLast = useUndoLast()
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isMeant = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      if (!isMeant || (event.target instanceof HTMLElement && event.target.closest('input, textarea'))) return
      event.preventDefault()
      undoLast()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [undoLast])
}

export const undoKeys = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘Z' : 'Ctrl+Z'

let lastId = 0

export function Toasts({ children }: { children: ReactNode }) {
  const say = useSay()
  const [toasts, setToasts] = useState<Notice[]>([])
  const latest = useRef<readonly Notice[]>([])
  const show = useCallback((next: Notice[], undone?: Notice) => {
    const gone = latest.current.filter((notice) => notice !== undone && !next.includes(notice))
    latest.current = next
    setToasts(next)
    for (const { whenGone } of gone) whenGone?.()
  }, [])
  const drop = useCallback((id: number) => show(dropNotice(latest.current, id)), [show])
  const tell = useCallback<Tell>(
    (text, options = {}) => {
      lastId += 1
      show(addNotice(latest.current, { id: lastId, text, ...options }))
    },
    [show],
  )
  const undo = useCallback(
    (notice: Notice | undefined) => {
      if (!notice) return
      show(dropNotice(latest.current, notice.id), notice)
      notice.undo?.()
    },
    [show],
  )
  useEffect(() => {
    // The tab closes: what waits for its notice to go is done now.
    const leave = () => show([])
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  }, [show])
  const value = useMemo(() => ({ tell, undoLast: () => undo(lastUndoable(latest.current)) }), [tell, undo])
  const undoable = lastUndoable(toasts)?.id
  return (
    <ToastContext value={value}>
      {children}
      <section
        aria-live="polite"
        aria-label={say('notices')}
        className="pointer-events-none fixed bottom-(--notices) left-1/2 z-60 grid w-max max-w-[calc(100vw-1rem)] -translate-x-1/2 justify-items-center gap-2"
      >
        {toasts.map((toast) => (
          <Toast key={toast.id} toast={toast} hasKey={toast.id === undoable} onDrop={drop} onUndo={undo} />
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
  onUndo: (notice: Notice) => void
}

/** Disappears automatically, but not while the mouse or the keyboard is on it. */
function Toast({ toast, hasKey, onDrop, onUndo }: ToastProps) {
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
  const follow = (go: () => void) => () => {
    onDrop(id)
    go()
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
        <Button look="quiet" className="!text-accent" onClick={follow(link.go)}>
          {link.label}
        </Button>
      )}
      {undo && (
        <Button
          look="quiet"
          className="!text-accent"
          aria-keyshortcuts={hasKey ? 'Control+Z Meta+Z' : undefined}
          onClick={() => onUndo(toast)}
        >
          {say('undo')}
          {hasKey && (
            <span aria-hidden>
              <Kbd>{undoKeys}</Kbd>
            </span>
          )}
        </Button>
      )}
      <IconButton label={say('close')} onClick={() => onDrop(id)}>
        <X />
      </IconButton>
    </div>
  )
}
