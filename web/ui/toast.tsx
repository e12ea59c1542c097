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

/** Of the latest notice; first of all the one to undo. */
function findButton(region: HTMLElement | null) {
  const buttons = [...(region?.querySelectorAll<HTMLElement>('button') ?? [])]
  return buttons.findLast(({ dataset }) => dataset['undo']) ?? buttons.at(-1)
}

const hasFocusIn = (id: number) => document.activeElement?.closest(`[data-notice="${id}"]`) != null

export function Toasts({ children }: { children: ReactNode }) {
  const say = useSay()
  const [toasts, setToasts] = useState<Notice[]>([])
  const latest = useRef<readonly Notice[]>([])
  const region = useRef<HTMLElement>(null)
  /** Where the focus was before it came to the notices. */
  const cameFrom = useRef<HTMLElement>(null)
  const goBack = useCallback(() => {
    if (cameFrom.current?.isConnected) cameFrom.current.focus()
    else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  }, [])
  const show = useCallback((next: Notice[], undone?: Notice) => {
    const gone = latest.current.filter((notice) => notice !== undone && !next.includes(notice))
    latest.current = next
    setToasts(next)
    for (const { whenGone } of gone) whenGone?.()
  }, [])
  const drop = useCallback(
    (id: number) => {
      // Who is on a notice that goes is back where they were, not at the top of the page.
      if (hasFocusIn(id)) goBack()
      show(dropNotice(latest.current, id))
    },
    [show, goBack],
  )
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
      if (hasFocusIn(notice.id)) goBack()
      show(dropNotice(latest.current, notice.id), notice)
      notice.undo?.()
    },
    [show, goBack],
  )
  useEffect(() => {
    // The tab closes: what waits for its notice to go is done now.
    const leave = () => show([])
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  }, [show])
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isMeant = event.key === 'F6' && !event.ctrlKey && !event.altKey && !event.metaKey
      if (!isMeant || event.defaultPrevented || latest.current.length === 0) return
      event.preventDefault()
      if (region.current?.contains(document.activeElement)) goBack()
      else findButton(region.current)?.focus()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [goBack])
  const value = useMemo(() => ({ tell, undoLast: () => undo(lastUndoable(latest.current)) }), [tell, undo])
  const undoable = lastUndoable(toasts)?.id
  return (
    <ToastContext value={value}>
      {children}
      <section
        ref={region}
        aria-live="polite"
        onFocus={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget))
            cameFrom.current = relatedTarget instanceof HTMLElement ? relatedTarget : null
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          goBack()
        }}
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
      data-notice={id}
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
          data-undo
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
