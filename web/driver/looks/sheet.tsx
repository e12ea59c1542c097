import { X } from 'lucide-react'
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { useSay } from '../../words/driver.ts'
import { useBack } from './back.ts'
import { go } from './screen.ts'
import { Trouble } from './trouble.tsx'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
}

/** A sheet from the lower edge, within reach of a thumb. */
export function Sheet({ title, onClose, children }: Props) {
  const say = useSay()
  const dialog = useRef<HTMLDialogElement>(null)
  useBack(onClose)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  const click = (event: MouseEvent) => {
    if (event.target === dialog.current) return onClose()
    const link = (event.target as Element).closest('a')?.getAttribute('href')
    if (!link?.startsWith('#')) return
    // Another screen of the app: going back from there leads to this one, not to this sheet.
    event.preventDefault()
    go(link)
  }
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onCancel={onClose}
      onClick={click}
      onKeyDown={() => {}}
      className="mx-auto mt-auto mb-0 w-full max-w-lg rounded-t-2xl bg-surface text-ink backdrop:bg-black/50"
    >
      <div className="flex flex-col gap-3 p-4 pb-[calc(env(safe-area-inset-bottom)+16px)]">
        <div className="flex items-center">
          <h2 className="flex-1 font-bold text-title">{title}</h2>
          <button
            type="button"
            onClick={onClose}
            aria-label={say('close')}
            className="-m-2 grid size-12 place-items-center"
          >
            <X aria-hidden className="size-6" />
          </button>
        </div>
        {children}
        <Trouble />
      </div>
    </dialog>
  )
}
