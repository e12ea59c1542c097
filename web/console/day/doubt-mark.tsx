import { MapPinX } from 'lucide-react'
import type { Task } from '../../api/data.ts'
import { isInDoubt } from '../../tasks/doubt.ts'
import { useSay } from '../../words/console.ts'

/** On a task in a list: its address is to be checked before a driver is sent there. */
export function DoubtMark({ task }: { task: Task }) {
  const say = useSay()
  if (!isInDoubt(task)) return null
  return (
    <span title={say('addressToCheck')} className="shrink-0 text-waiting">
      <MapPinX role="img" aria-label={say('addressToCheck')} className="size-3.5" />
    </span>
  )
}
