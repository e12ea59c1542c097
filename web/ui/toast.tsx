import { X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { useSay } from '../words/words.ts'
import { Button, IconButton } from './button.tsx'
import { join } from './class-names.ts'

interface Toast {
  id: number
  text: string
  bad: boolean
  undo: (() => void) | undefined
}
interface Options {
  bad?: boolean
  undo?: () => void
}
type Tell = (text: string, options?: Options) => void

const TellContext = createContext<Tell>(() => {})
/** Tells what has been done, at the foot of the page, with a way back if there is one. */
export const useTell = () => useContext(TellContext)

const shownMs = 6_000
let lastId = 0

export function Toasts({ children }: { children: ReactNode }) {
  const say = useSay()
  const [toasts, setToasts] = useState<Toast[]>([])
  const drop = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), [])
  const tell = useCallback<Tell>(
    (text, { bad = false, undo } = {}) => {
      lastId += 1
      const id = lastId
      setToasts((all) => [...all.slice(-3), { id, text, bad, undo }])
      setTimeout(() => drop(id), bad ? shownMs * 2 : shownMs)
    },
    [drop],
  )
  return (
    <TellContext.Provider value={tell}>
      {children}
      <section
        aria-live="polite"
        aria-label={say('live')}
        className="pointer-events-none fixed bottom-18 left-1/2 z-60 grid -translate-x-1/2 justify-items-center gap-2"
      >
        {toasts.map(({ id, text, bad, undo }) => (
          <div
            key={id}
            className={join(
              'pointer-events-auto flex items-center gap-2 rounded-lg border bg-raised py-1.5 pr-1.5 pl-3 shadow-raised',
              bad ? 'border-bad text-bad' : 'border-line',
            )}
          >
            <span>{text}</span>
            {undo && (
              <Button
                look="quiet"
                className="!text-accent"
                onClick={() => {
                  drop(id)
                  undo()
                }}
              >
                {say('undo')}
              </Button>
            )}
            <IconButton label={say('close')} onClick={() => drop(id)}>
              <X />
            </IconButton>
          </div>
        ))}
      </section>
    </TellContext.Provider>
  )
}
