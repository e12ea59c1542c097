import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useSay } from '../../words/words.ts'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
}

/** A sheet from the lower edge, within reach of a thumb. */
export function Sheet({ title, onClose, children }: Props) {
  const say = useSay()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onCancel={onClose}
      onClick={({ target }) => target === dialog.current && onClose()}
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
      </div>
    </dialog>
  )
}
