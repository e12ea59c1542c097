import { ChevronRight, LockKeyhole, MapPin, MapPinOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { dayOf } from '../../../core/task-day.ts'
import { useSay, type Word } from '../../words/driver.ts'
import { AskCard } from '../looks/ask-card.tsx'
import { useDay, useIsOnDuty, useNow } from '../looks/day.ts'
import { BigButton, Card } from '../looks/parts.tsx'
import { screens } from '../looks/screen.ts'
import { type Access, askForPosition, useAccess } from './access.ts'
import { canKeepAwake, useKeepsAwake } from './awake.ts'

const key = 'waybill.positionPutOffOn'

const putOffs = new EventTarget()

/** Whether the driver is asked on the route: on duty, unless they said "not today". */
export function useAsksForPosition(): boolean {
  const { access } = useAccess()
  const isOnDuty = useIsOnDuty()
  const today = useToday()
  const [putOffOn, setPutOffOn] = useState(() => localStorage.getItem(key))
  useEffect(() => {
    const look = () => setPutOffOn(localStorage.getItem(key))
    putOffs.addEventListener('change', look)
    return () => putOffs.removeEventListener('change', look)
  }, [])
  return isOnDuty && access === 'unasked' && putOffOn !== today
}

const useToday = () => dayOf(useNow(), useDay().day.user.company.timezone)

/** On the route: what the position is for, before the browser asks; and whether the office cannot see the driver. */
export function PositionOnRoute() {
  const say = useSay()
  const { access, isLost } = useAccess()
  const isOnDuty = useIsOnDuty()
  const isAsked = useAsksForPosition()
  const today = useToday()
  const later = () => {
    localStorage.setItem(key, today)
    putOffs.dispatchEvent(new Event('change'))
  }
  if (!isOnDuty || access === 'unknown') return null
  if (access === 'unasked')
    return isAsked ? (
      <AskCard
        question="positionAsk"
        why="positionWhy"
        yes={{ word: 'positionAllow', Icon: MapPin, run: askForPosition }}
        no={{ word: 'positionLater', run: later }}
      />
    ) : null
  const trouble = access !== 'allowed' ? 'positionBlockedShort' : isLost ? 'positionLostShort' : undefined
  return trouble ? (
    <a
      href={screens.me}
      className="flex min-h-12 items-center gap-2.5 rounded-2xl border border-waiting bg-waiting-soft px-4 py-2 font-semibold text-waiting"
    >
      <MapPinOff aria-hidden className="size-5 shrink-0" />
      <span role="status" className="flex-1">
        {say(trouble)}
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0" />
    </a>
  ) : null
}

const sentences = {
  unknown: 'positionOff',
  unasked: 'positionWhy',
  allowed: 'positionOn',
  denied: 'positionDenied',
  missing: 'positionMissing',
} as const satisfies Record<Access, Word>

/** Under "Me": how it stands with the position, and what can be chosen. */
export function PositionSettings() {
  const say = useSay()
  const { access, isLost } = useAccess()
  const isOnDuty = useIsOnDuty()
  const [keepsAwake, chooseAwake] = useKeepsAwake()
  const sentence =
    access !== 'allowed' ? sentences[access] : !isOnDuty ? 'positionOff' : isLost ? 'positionLost' : 'positionOn'
  return (
    <Card aria-labelledby="position">
      <div className="flex flex-col gap-3 p-4">
        <h2 id="position" className="font-semibold text-large">
          {say('positionTitle')}
        </h2>
        <p>{say(sentence)}</p>
        {access === 'unasked' && (
          <BigButton Icon={MapPin} onClick={askForPosition}>
            {say('positionAllow')}
          </BigButton>
        )}
      </div>
      {canKeepAwake && (
        <label className="flex min-h-14 items-center gap-3 border-line border-t px-4 py-2">
          <span className="flex-1">
            <span className="block font-semibold">{say('keepAwake')}</span>
            <span className="block text-ink-soft">{say('keepAwakeLead')}</span>
          </span>
          <input
            type="checkbox"
            className="size-6 shrink-0 accent-(--brand)"
            checked={keepsAwake}
            onChange={({ target }) => chooseAwake(target.checked)}
          />
        </label>
      )}
      <a href={screens.locked} className="flex min-h-14 items-center gap-3 border-line border-t px-4 py-2">
        <LockKeyhole aria-hidden className="size-5 shrink-0" />
        <span className="flex-1 font-semibold">{say('lockedTitle')}</span>
        <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-soft" />
      </a>
    </Card>
  )
}
