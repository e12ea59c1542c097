import { LoaderCircle } from 'lucide-react'
import { useSay } from '../../words/console.ts'

/** Shown while a plan is being computed. */
export function Computing() {
  const say = useSay()
  return (
    <p role="status" className="flex items-center justify-center gap-2 py-10 text-ink-soft">
      <LoaderCircle aria-hidden className="size-4 animate-spin" />
      {say('computing')}
    </p>
  )
}
