import { ClockAlert } from 'lucide-react'
import type { Task } from '../api/data.ts'
import type { Formats } from '../api/time.ts'
import { join } from '../ui/class-names.ts'
import { useSay } from '../words/shared.ts'
import type { riskOf } from './risk.ts'

interface Props {
  task: Task
  risk: ReturnType<typeof riskOf>
  isBehind: boolean
  formats: Formats
  className?: string
}

/** The time of arrival: red after the window, amber if it is over and the driver is not there. */
export function Eta({ task: { etaAt }, risk, isBehind, formats, className }: Props) {
  const say = useSay()
  if (etaAt === null) return null
  const colour = risk !== 'none' ? 'text-bad' : isBehind ? 'text-waiting' : 'text-ink-soft'
  const time = formats.time(etaAt)
  const words = isBehind ? say('etaBehind', { time }) : say('etaAtTime', { time })
  return (
    <span title={words} className={join('numbers shrink-0 whitespace-nowrap', colour, className)}>
      <span className="sr-only">{words}</span>
      <span aria-hidden className="inline-flex items-center gap-1">
        {isBehind && <ClockAlert className="size-3.5" />}
        {time}
      </span>
    </span>
  )
}
