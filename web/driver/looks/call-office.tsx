import { Headset } from 'lucide-react'
import { useSay } from '../../words/driver.ts'
import { useDay } from './day.ts'
import { plainButton } from './parts.tsx'

/** Nothing if the organisation has no phone. */
export function CallOffice() {
  const say = useSay()
  const { phone } = useDay().day.user.company
  if (!phone) return null
  return (
    <a className={plainButton} href={`tel:${phone}`}>
      <Headset aria-hidden className="size-5" />
      {say('callOffice')}
    </a>
  )
}
