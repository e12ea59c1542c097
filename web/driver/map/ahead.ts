import { useEffect, useRef, useState } from 'react'
import { dayOf } from '../../../core/task-day.ts'
import { placesOnWay } from '../../../phone/way.ts'
import { useDay, useIsOnDuty, useNow } from '../looks/day.ts'
import { isOnMobileData, savesData } from '../outbox/device.ts'
import { phone } from '../outbox/phone.ts'
import { listTasks } from '../route/list.ts'
import { pointOf } from './spots.ts'

const patienceMs = 5_000

/**
 * On duty, the map around the stops of the day is fetched before anybody looks at it: a cellar or a village without a network is
 * where it is needed. Not while the phone is asked to save data, nor over mobile data where photos wait for Wi-Fi.
 */
export function MapAhead() {
  const { tasks, day } = useDay()
  const isOnDuty = useIsOnDuty()
  const isOnline = useOnlineCount()
  const done = useRef('')
  const points = tasks.map(pointOf).filter((one) => one !== undefined)
  // A few metres make no other tile worth asking again.
  const key = JSON.stringify(points, (_, value) => (typeof value === 'number' ? Number(value.toFixed(3)) : value))
  const waitsForWifi = day.settings.uploadPhotosOnWifi
  useEffect(() => {
    const isDear = savesData() || (waitsForWifi && isOnMobileData())
    const wanted = `${key} ${isOnline}`
    if (!isOnDuty || isDear || key === '[]' || done.current === wanted) return undefined
    const stopped = new AbortController()
    const keep = async () => {
      // The worker that keeps it has to be there first; and whoever has just opened the app is not kept waiting for the map.
      await navigator.serviceWorker?.ready
      await new Promise((resolve) => setTimeout(resolve, patienceMs))
      if (stopped.signal.aborted) return
      const { fetchArea } = await import('./fetch-area.ts')
      if (stopped.signal.aborted) return
      await fetchArea(JSON.parse(key), stopped.signal)
      done.current = wanted
    }
    // Without a network it is tried again when there is one.
    keep().catch(() => {})
    return () => stopped.abort()
  }, [key, isOnDuty, waitsForWifi, isOnline])
  return null
}

/** The way along the roads is on the phone before anybody looks, too: whenever the route has changed, and there is a network. */
export function WayAhead() {
  const { tasks, day, isReachable } = useDay()
  const now = useNow()
  const { timezone } = day.user.company
  const { next, rest } = listTasks(tasks, now, timezone)
  const key = JSON.stringify(placesOnWay(next ? [next, ...rest] : rest))
  const today = dayOf(now, timezone)
  useEffect(() => {
    // A phone that cannot be read or reach the server tries again with the next change.
    if (isReachable && key !== '[]') phone.completeLines(JSON.parse(key), today).catch(() => {})
  }, [key, today, isReachable])
  return null
}

/** Changes whenever the network is back. */
function useOnlineCount(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const more = () => setCount((before) => before + 1)
    window.addEventListener('online', more)
    return () => window.removeEventListener('online', more)
  }, [])
  return count
}
