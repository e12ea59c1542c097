import { Bell } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSay, type Word } from '../../words/driver.ts'
import { AskCard } from '../looks/ask-card.tsx'
import { useDay, useIsOnDuty } from '../looks/day.ts'
import { BigButton, Card } from '../looks/parts.tsx'
import { phone } from '../outbox/phone.ts'
import { askForCalls, type Calls, subscribe, useCalls } from './subscribe.ts'

/** Shows nothing: lets the server call this phone, once the driver has allowed it, and syncs when it does. */
export function Push() {
  const { session, isReachable } = useDay()
  const isAllowed = useCalls() === 'allowed'
  const { token } = session
  useEffect(() => {
    if (isAllowed && isReachable && token) void subscribe(token)
  }, [isAllowed, isReachable, token])
  useEffect(() => {
    const called = () => void phone.wake()
    navigator.serviceWorker?.addEventListener('message', called)
    return () => navigator.serviceWorker?.removeEventListener('message', called)
  }, [])
  return null
}

const key = 'waybill.pushPutOff'

/** On the route, on duty, once: what notifications are for, before the browser asks. */
export function PushOnRoute() {
  const calls = useCalls()
  const isOnDuty = useIsOnDuty()
  const [isPutOff, putOff] = useState(() => localStorage.getItem(key) !== null)
  if (!isOnDuty || calls !== 'unasked' || isPutOff) return null
  const later = () => {
    localStorage.setItem(key, 'yes')
    putOff(true)
  }
  return (
    <AskCard
      question="pushAsk"
      why="pushWhy"
      yes={{ word: 'pushAllow', Icon: Bell, run: () => void askForCalls() }}
      no={{ word: 'pushNo', run: later }}
    />
  )
}

const sentences = {
  missing: 'pushMissing',
  unasked: 'pushWhy',
  denied: 'pushDenied',
  allowed: 'pushOn',
  failed: 'pushFailed',
} as const satisfies Record<Calls, Word>

/** Under "Me": whether the phone is told of new work. */
export function PushSettings() {
  const say = useSay()
  const calls = useCalls()
  return (
    <Card aria-labelledby="push" className="flex flex-col gap-3 p-4">
      <h2 id="push" className="font-semibold text-large">
        {say('pushTitle')}
      </h2>
      <p>{say(sentences[calls])}</p>
      {calls === 'unasked' && (
        <BigButton Icon={Bell} onClick={() => void askForCalls()}>
          {say('pushAllow')}
        </BigButton>
      )}
    </Card>
  )
}
