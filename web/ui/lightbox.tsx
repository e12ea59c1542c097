import { ChevronLeft, ChevronRight, ExternalLink, X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type KeyboardEvent, useState } from 'react'
import { useSay } from '../words/shared.ts'
import { IconButton } from './button.tsx'
import { useReturnFocus } from './return-focus.ts'

export interface Picture {
  path: string
  title: string
  /** What stands below it. */
  lead: string
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 }

/** Pictures as large as the screen allows, one at a time; the arrow keys go to the others. */
export function Lightbox({ pictures, first, onClose }: { pictures: Picture[]; first: number; onClose: () => void }) {
  const say = useSay()
  const [place, setPlace] = useState(first)
  const { rememberFocus, onCloseAutoFocus } = useReturnFocus()
  const shown = pictures[Math.min(place, pictures.length - 1)]
  if (!shown) return null
  const go = (step: number) => setPlace((place + step + pictures.length) % pictures.length)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    go(step)
  }
  const isOne = pictures.length === 1
  return (
    <Radix.Root open onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/70" />
        <Radix.Content
          onKeyDown={onKeyDown}
          onOpenAutoFocus={rememberFocus}
          onCloseAutoFocus={onCloseAutoFocus}
          className="fixed inset-3 z-50 m-auto flex max-w-5xl flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-raised outline-none"
        >
          <header className="flex items-center gap-1 border-line border-b py-1.5 pr-2 pl-4">
            <Radix.Title className="min-w-0 grow truncate font-semibold text-base">{shown.title}</Radix.Title>
            {!isOne && (
              <>
                <span role="status" className="numbers whitespace-nowrap px-1 text-ink-soft">
                  {say('pictureOf', { place: pictures.indexOf(shown) + 1, all: pictures.length })}
                </span>
                <IconButton label={say('previousPicture')} onClick={() => go(-1)}>
                  <ChevronLeft />
                </IconButton>
                <IconButton label={say('nextPicture')} onClick={() => go(1)}>
                  <ChevronRight />
                </IconButton>
              </>
            )}
            <IconButton label={say('openOriginal')} onClick={() => window.open(shown.path, '_blank', 'noopener')}>
              <ExternalLink />
            </IconButton>
            <Radix.Close asChild>
              <IconButton label={say('close')}>
                <X />
              </IconButton>
            </Radix.Close>
          </header>
          {/* A signature is dark on nothing, so it needs a light ground in every theme. */}
          <div className="grid min-h-0 grow place-items-center bg-sunken p-2">
            <img
              key={shown.path}
              src={shown.path}
              alt={shown.title}
              className="max-h-full max-w-full bg-white object-contain"
            />
          </div>
          <Radix.Description className="border-line border-t px-4 py-2 text-ink-soft [overflow-wrap:anywhere]">
            {shown.lead}
          </Radix.Description>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
