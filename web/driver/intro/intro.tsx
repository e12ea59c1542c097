import { CloudCheck, type LucideIcon, Navigation, UserRound } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useSay, type Word } from '../../words/driver.ts'
import { useDay } from '../looks/day.ts'
import { BigButton, Card } from '../looks/parts.tsx'
import { serverFor } from '../outbox/server.ts'

const key = 'waybill.introClosedBy'

const points: [Icon: LucideIcon, Word][] = [
  [UserRound, 'introDuty'],
  [Navigation, 'introNext'],
  [CloudCheck, 'introSaved'],
]

/** Shown instead of its children until the driver has closed it, on whichever phone. */
export function Intro({ children }: { children: ReactNode }) {
  const say = useSay()
  const { day, session, isReachable } = useDay()
  const [closedBy, setClosedBy] = useState(() => localStorage.getItem(key))
  const isClosedHere = closedBy === String(session.driverId)
  const isKnown = day.user.hasDismissedIntroModal
  const isUntold = isClosedHere && !isKnown
  const { token } = session
  useEffect(() => {
    // If it does not get through, it is told when the server can be reached again.
    if (isUntold && isReachable && token)
      serverFor(token)
        .updateProfile({ body: { hasDismissedIntroModal: true } })
        .catch(() => {})
  }, [isUntold, isReachable, token])
  if (isKnown || isClosedHere) return children
  const close = () => {
    localStorage.setItem(key, String(session.driverId))
    setClosedBy(String(session.driverId))
  }
  return (
    <Card aria-labelledby="intro" className="flex flex-col gap-3 p-4">
      <h2 id="intro" className="font-bold text-title">
        {say('introTitle', { name: day.user.name })}
      </h2>
      <ul className="flex flex-col gap-3">
        {points.map(([Icon, word]) => (
          <li key={word} className="flex gap-3 text-large">
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
            {say(word)}
          </li>
        ))}
      </ul>
      <BigButton onClick={close}>{say('introClose')}</BigButton>
    </Card>
  )
}
