import { PackageOpen } from 'lucide-react'
import { InTransit, isEnded } from '../../../core/task-status.ts'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/driver.ts'
import { useDay } from '../looks/day.ts'
import { plainButton } from '../looks/parts.tsx'
import { screens } from '../looks/screen.ts'
import { useLoad } from '../looks/use-load.ts'

/** To loading: before the day begins, and as long as somebody scans. How it stands is said only where somebody does. */
export function LoadLink() {
  const say = useSay()
  const { tasks } = useDay()
  const { expected, inVehicle, missing, foreign, isInUse } = useLoad()
  const hasBegun = tasks.some((task) => task.statusId === InTransit || isEnded(task))
  if (isInUse ? expected + foreign.length === 0 : expected === 0 || hasBegun) return null
  const tone = foreign.length > 0 ? 'text-bad' : missing > 0 ? 'text-waiting' : 'text-ink-soft'
  const said = [
    say('loadedOf', { loaded: inVehicle, expected }),
    ...(foreign.length > 0 ? [say('loadForeign', { n: foreign.length })] : []),
  ]
  return (
    <a href={screens.load} className={join(plainButton, 'flex-wrap py-2 text-center')}>
      <PackageOpen aria-hidden className="size-5 shrink-0" />
      {say('loadTitle')}
      {isInUse && <span className={join('numbers', tone)}>{said.join(' · ')}</span>}
    </a>
  )
}
