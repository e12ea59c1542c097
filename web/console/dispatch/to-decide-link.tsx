import { Link } from '@tanstack/react-router'
import { PackageX } from 'lucide-react'
import { buttonLook } from '../../ui/button.tsx'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/console.ts'
import { useToDecide } from '../tasks/tries/to-decide.ts'

/** In the top bar, as long as failed tasks of any day wait for a decision: how many, and the way to them. */
export function ToDecideLink() {
  const say = useSay()
  const { data } = useToDecide()
  if (!data || data.tasks.length === 0) return null
  const count = data.tasks.length
  const name = say(data.isMore ? 'toDecideMore' : 'toDecideCount', { n: count })
  return (
    <Link
      to="/to-decide"
      aria-label={name}
      title={name}
      className={join(buttonLook(), '!border-waiting !text-waiting shrink-0')}
    >
      <PackageX aria-hidden />
      <span className="numbers">{data.isMore ? `${count}+` : count}</span>
    </Link>
  )
}
