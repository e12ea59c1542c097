import { LocateOff } from 'lucide-react'
import type { Driver } from '../../api/data.ts'
import { useFormats } from '../../api/time.ts'
import { useSay } from '../../words/console.ts'

/** A driver on duty from whom nothing is heard; by the server's rule, which every client sees. */
export function SilentMark({ driver: { silentSince } }: { driver: Pick<Driver, 'silentSince'> }) {
  const say = useSay()
  const { time } = useFormats()
  if (silentSince === null) return null
  const words = say('noPositionSince', { time: time(silentSince) })
  return (
    <span title={words} className="shrink-0 text-waiting">
      <LocateOff role="img" aria-label={words} className="size-3.5" />
    </span>
  )
}
