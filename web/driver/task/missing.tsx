import { Check, ChevronRight, TriangleAlert } from 'lucide-react'
import { useSay } from '../../words/driver.ts'
import { go } from '../looks/screen.ts'

interface Props {
  missing: Missing | undefined
}

/** What is missing, as a name or, if it is there but not right, as a sentence; and where that is put right. */
export interface Missing {
  text: string
  isSentence?: boolean
  /** A place on the page, or another screen. */
  at: string
}

/** Said before the last tap, not after. It keeps its height, so nothing jumps when the last thing is done. */
export function MissingLine({ missing }: Props) {
  const say = useSay()
  const look = 'mb-2.5 flex min-h-12 w-full items-center gap-2.5 rounded-xl px-3 text-left font-semibold'
  if (!missing)
    return (
      <p role="status" className={`${look} bg-good-soft text-good`}>
        <Check aria-hidden className="size-5.5 shrink-0" />
        {say('nothingMissing')}
      </p>
    )
  return (
    <button type="button" className={`${look} bg-waiting-soft text-waiting`} onClick={() => lead(missing.at)}>
      <TriangleAlert aria-hidden className="size-5.5 shrink-0" />
      <span role="status" className="flex-1">
        {missing.isSentence ? missing.text : say('stillMissing', { what: missing.text })}
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0" />
    </button>
  )
}

export function lead(id: string) {
  if (id.startsWith('#')) return go(id)
  const place = document.getElementById(id)
  place?.scrollIntoView({ block: 'center' })
  place?.focus({ preventScroll: true })
}
