import type { Place } from '../../../phone/place.ts'
import { batteryLeft } from '../outbox/device.ts'
import { phone } from '../outbox/phone.ts'
import { noteFound, noteProblem } from './access.ts'
import { isDue, type Pace, secondsOf } from './pace.ts'

/**
 * Reports where the driver is until it is stopped. Satellites, which take most battery, are used only while it
 * matters (`isPrecise`).
 */
export function followPhone(driverId: number, pace: Pace, isPrecise: boolean): () => void {
  const { geolocation } = navigator
  const options = { enableHighAccuracy: isPrecise, maximumAge: 5_000, timeout: 60_000 }
  let reported: Place | undefined
  const startedMs = Date.now()
  let isStopped = false

  const take = ({ coords, timestamp }: GeolocationPosition) => {
    if (isStopped) return
    noteFound()
    const { latitude: lat, longitude: lng, accuracy: accuracyMetres } = coords
    // It may be some seconds old, but not older than the duty: the server would not take it.
    const atMs = Math.max(startedMs, Math.min(timestamp, Date.now()))
    const place = { lat, lng, accuracyMetres, atMs }
    phone.place.note(place)
    if (!isDue(reported, place, pace)) return
    reported = place
    void report(driverId, place, coords)
  }
  const watch = geolocation.watchPosition(take, noteProblem, options)
  // A phone that lies still says nothing by itself.
  const timer = setInterval(() => geolocation.getCurrentPosition(take, noteProblem, options), secondsOf(pace) * 1000)
  return () => {
    isStopped = true
    geolocation.clearWatch(watch)
    clearInterval(timer)
    phone.place.note(undefined)
  }
}

async function report(driverId: number, { atMs, ...where }: Place, { speed, heading }: GeolocationCoordinates) {
  const location = {
    ...where,
    occurredAt: new Date(atMs).toISOString(),
    ...(speed !== null && { speedMetresPerSecond: speed }),
    // Not a number while the phone does not move.
    ...(heading !== null && !Number.isNaN(heading) && { heading }),
    battery: batteryLeft() ?? null,
  }
  await phone.keepPosition({ driverId, location })
  // Without a connection the outbox tries again, and sends this with the rest.
  if (phone.reachesServer() && !(await phone.reportPositions().catch(() => false))) void phone.wake()
}
