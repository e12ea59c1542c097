import { Printer } from 'lucide-react'
import type { Driver } from '../../api/data.ts'
import { buttonLook } from '../../ui/button.tsx'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/console.ts'

interface Props {
  driver: Pick<Driver, 'id' | 'name'>
  day: string
  /** An icon without a label. */
  compact?: boolean
  className?: string
}

/** Saves the run sheet of a driver for a day. */
export function RunSheetLink({ driver, day, compact, className, ...rest }: Props) {
  const say = useSay()
  const label = `${say('runSheet')}: ${driver.name}`
  return (
    <a
      href={`/api/v1/manifests/${driver.id}?day=${day}`}
      download
      aria-label={label}
      title={label}
      className={join(buttonLook('quiet'), compact ? 'w-8 px-0' : '!justify-start', className)}
      {...rest}
    >
      <Printer aria-hidden />
      {!compact && say('runSheet')}
    </a>
  )
}
