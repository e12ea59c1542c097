import { Link } from '@tanstack/react-router'
import { UserRoundX } from 'lucide-react'
import type { LeftReason } from '../../../contract/planning.ts'
import type { Task } from '../../api/data.ts'
import { buttonLook } from '../../ui/button.tsx'
import { useSay } from '../../words/console.ts'
import { useDispatch } from './dispatch.tsx'
import { useLeftReason } from './left-tasks.ts'

/** On a task in a list: automatic assignment leaves it without a driver, and why. */
export function LeftMark({ task }: { task: Task }) {
  const say = useSay()
  const reason = useLeftReason(task)
  if (!reason) return null
  const name = `${say('leftAlone')}: ${say(`left_${reason}`)}`
  return (
    <span title={name} className="shrink-0 text-waiting">
      <UserRoundX role="img" aria-label={name} className="size-3.5" />
    </span>
  )
}

/** What somebody can put right by saying where the task is. */
const ofAddress: ReadonlySet<LeftReason> = new Set<LeftReason>(['WITHOUT_PLACE', 'DOUBTFUL_PLACE'])

/** The same on an opened task, with the way to its address if that is what is wrong. */
export function LeftNotice({ task }: { task: Task }) {
  const say = useSay()
  const { day } = useDispatch()
  const reason = useLeftReason(task)
  if (!reason) return null
  return (
    <div role="status" className="m-4 mb-0 flex gap-2 rounded-md bg-waiting-soft px-2.5 py-2 text-waiting">
      <UserRoundX aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="grid min-w-0 grow justify-items-start gap-1.5">
        <p>
          <strong className="font-semibold">{say('leftAlone')}</strong>
          <span className="block">{say(`left_${reason}`)}</span>
        </p>
        {ofAddress.has(reason) && (
          <Link to="/addresses" search={{ day }} className={buttonLook()}>
            {say('checkAddress')}
          </Link>
        )}
      </div>
    </div>
  )
}
