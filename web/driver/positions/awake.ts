import { useEffect, useState } from 'react'

export const canKeepAwake = 'wakeLock' in navigator

const key = 'waybill.keepsAwake'
const stored = () => localStorage.getItem(key) !== 'no'
const changed = new EventTarget()

/** Whether this phone shall keep its screen on while a task is in transit: yes, until the driver says no. */
export function useKeepsAwake(): [keeps: boolean, choose: (keeps: boolean) => void] {
  const [keeps, setKeeps] = useState(stored)
  useEffect(() => {
    const look = () => setKeeps(stored())
    changed.addEventListener('change', look)
    return () => changed.removeEventListener('change', look)
  }, [])
  const choose = (wanted: boolean) => {
    localStorage.setItem(key, wanted ? 'yes' : 'no')
    changed.dispatchEvent(new Event('change'))
  }
  return [keeps, choose]
}

/** Keeps the screen on. The browser ends that whenever the app is hidden, so it is asked again. */
export function useAwake(isWanted: boolean) {
  useEffect(() => {
    if (!isWanted || !canKeepAwake) return undefined
    let held: WakeLockSentinel | undefined
    let isOver = false
    const hold = async () => {
      if (document.visibilityState !== 'visible') return
      // A phone that saves battery may say no.
      held = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (isOver) void held?.release()
    }
    const look = () => void hold()
    document.addEventListener('visibilitychange', look)
    look()
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', look)
      void held?.release()
    }
  }, [isWanted])
}
