import { createContext, useContext, useEffect, useMemo, useState } from 'react'
import type { Day, Session } from '../../../phone/kept.ts'
import type { State } from '../../../phone/state.ts'
import { formatsFor, localeOf, type Units } from '../../api/formats.ts'
import { useSpeech } from '../../words/driver.ts'

/** For screens of a driver who is signed in and whose route is on the phone. */
export interface DayState extends State {
  session: Session
  day: Day
  /** What is shown may be old: the phone cannot read what it keeps. */
  isUnreadable: boolean
}
export const DayContext = createContext<DayState | null>(null)

export function useDay(): DayState {
  const state = useContext(DayContext)
  if (!state) throw new Error('This part of the app is for drivers who are signed in')
  return state
}

export function useDriverFormats() {
  const { language, say } = useSpeech()
  const { user, settings } = useDay().day
  const { timezone, currency } = user.company
  const units = settings.preferredUnitType as Units
  return useMemo(
    () => formatsFor(say, localeOf(language, navigator.languages), timezone, currency, units),
    [language, say, timezone, currency, units],
  )
}

/** As the driver has left it, sent or not. */
export function useIsOnDuty(): boolean {
  const { day, ops } = useDay()
  const waiting = ops.map(({ op }) => op).findLast((op) => op.type === 'duty')
  return waiting?.inShift ?? day.user.inShift
}

const tickMs = 20_000

/** The time by the server's clock, and again every few seconds. */
export function useNow(): number {
  const { aheadMs } = useDay().day
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now - aheadMs
}

/** A time the phone noted, by the server's clock. */
export const useCorrected = () => {
  const { aheadMs } = useDay().day
  return (at: string) => Date.parse(at) - aheadMs
}
