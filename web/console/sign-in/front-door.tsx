import type { ReactNode } from 'react'
import { type Language, languages } from '../../../core/words/languages.ts'
import { BrandMark } from '../../ui/brand.tsx'
import { Button } from '../../ui/button.tsx'
import { useSpeak } from '../../ui/speak.ts'
import { useSpeech } from '../../words/console.ts'

/** The layout of the pages before the sign-in. */
export function FrontDoor({
  title,
  lead,
  children,
  below,
}: {
  title: string
  lead?: string
  children: ReactNode
  below?: ReactNode
}) {
  const { language } = useSpeech()
  const speak = useSpeak()
  return (
    <main className="grid min-h-full place-items-center p-6">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-3">
          <BrandMark className="size-10" />
          <div>
            <h1 className="font-semibold text-lg leading-tight">{title}</h1>
            {lead && <p className="text-ink-soft">{lead}</p>}
          </div>
        </div>
        <div className="rounded-xl border border-line bg-surface p-5 shadow-raised">{children}</div>
        {below && <p className="mt-4 text-ink-faint">{below}</p>}
        <div className="mt-4 flex gap-1">
          {Object.entries(languages).map(([code, { name }]) => (
            <Button
              key={code}
              look="quiet"
              aria-pressed={code === language}
              lang={code}
              onClick={() => void speak(code as Language)}
            >
              {name}
            </Button>
          ))}
        </div>
      </div>
    </main>
  )
}
