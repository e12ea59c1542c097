import { Link } from '@tanstack/react-router'
import { MapPinX } from 'lucide-react'
import { useMemo } from 'react'
import { isInDoubt } from '../../tasks/doubt.ts'
import { buttonLook } from '../../ui/button.tsx'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/console.ts'
import { useDispatch } from '../day/dispatch.tsx'

/** In the top bar, as long as the day has addresses to check: how many, and the way to them. */
export function AddressLink() {
  const say = useSay()
  const { all, day } = useDispatch()
  const count = useMemo(() => all.filter(isInDoubt).length, [all])
  if (count === 0) return null
  const name = say('addressesToCheckCount', { n: count })
  return (
    <Link
      to="/addresses"
      search={{ day }}
      aria-label={name}
      title={name}
      className={join(buttonLook(), '!border-waiting !text-waiting shrink-0')}
    >
      <MapPinX aria-hidden />
      <span className="numbers">{count}</span>
    </Link>
  )
}
