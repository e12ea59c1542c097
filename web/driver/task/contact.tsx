import { MapPinned, MessageSquare, Navigation, Phone } from 'lucide-react'
import { useState } from 'react'
import type { PhoneTask } from '../../../contract/sync.ts'
import { useSay } from '../../words/driver.ts'
import { useDay } from '../looks/day.ts'
import { linkTo, useNavigationApp } from '../looks/navigation.ts'
import { plainButton } from '../looks/parts.tsx'
import { Sheet } from '../looks/sheet.tsx'

const tile =
  'flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 rounded-xl px-1 border border-line-strong bg-surface font-semibold text-small [&_svg]:size-5 [&_svg]:text-given'

/** The way to the stop, and to the customer if the organisation allows it. */
export function Contact({ task }: { task: PhoneTask }) {
  const say = useSay()
  const { settings } = useDay().day
  const [asks, setAsks] = useState(false)
  const { offered, chosen, choose } = useNavigationApp()
  const phone = settings.allowDriverToCallTheCustomer ? task.customer?.phone : ''
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {chosen ? (
        <a className={tile} href={linkTo(task, chosen)} target="_blank" rel="noreferrer">
          <Navigation aria-hidden />
          {say('navigateTo')}
        </a>
      ) : (
        <button type="button" className={tile} onClick={() => setAsks(true)}>
          <Navigation aria-hidden />
          {say('navigateTo')}
        </button>
      )}
      {phone && (
        <>
          <a className={tile} href={`tel:${phone}`}>
            <Phone aria-hidden />
            {say('callCustomer')}
          </a>
          <a className={tile} href={`sms:${phone}`}>
            <MessageSquare aria-hidden />
            {say('messageCustomer')}
          </a>
        </>
      )}
      {asks && (
        <Sheet title={say('navigateWith')} onClose={() => setAsks(false)}>
          {offered.map((app) => (
            <a
              key={app}
              href={linkTo(task, app)}
              target="_blank"
              rel="noreferrer"
              className={`${plainButton} min-h-14 text-large`}
              onClick={() => {
                choose(app)
                setAsks(false)
              }}
            >
              <MapPinned aria-hidden className="size-5" />
              {app === 'geo:' ? say('otherMaps') : app}
            </a>
          ))}
          <p className="text-ink-soft">{say('navigationKept')}</p>
        </Sheet>
      )}
    </div>
  )
}
