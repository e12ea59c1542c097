import { useState } from 'react'
import type { PhoneTask } from '../../../contract/sync.ts'

/** `geo:` is whatever the phone opens places with. */
export type NavigationApp = 'Google Maps' | 'Waze' | 'Apple Maps' | 'geo:'

const apps: readonly NavigationApp[] = ['Google Maps', 'Waze', 'Apple Maps', 'geo:']

/** An iPad says it is a Macintosh. */
const isOfApple = (userAgent: string) => /iPhone|iPad|iPod|Macintosh/.test(userAgent)

export const appsOn = (userAgent: string) => apps.filter((app) => app !== 'Apple Maps' || isOfApple(userAgent))

/** Where an app finds a task: by its place, or by its address if that is not known. */
export function linkTo({ address }: Pick<PhoneTask, 'address'>, app: NavigationApp): string {
  const { lat, lng } = address
  const place = lat !== null && lng !== null ? `${lat},${lng}` : undefined
  const words = encodeURIComponent(address.address)
  switch (app) {
    case 'Google Maps':
      return `https://www.google.com/maps/dir/?api=1&destination=${place ?? words}`
    case 'Waze':
      return place ? `https://waze.com/ul?ll=${place}&navigate=yes` : `https://waze.com/ul?q=${words}&navigate=yes`
    case 'Apple Maps':
      return `https://maps.apple.com/?daddr=${place ?? words}`
    case 'geo:':
      return place ? `geo:${place}?q=${place}` : `geo:0,0?q=${words}`
  }
}

const key = 'waybill.navigationApp'

/** The app the driver chose on this phone, and how to choose another; none asks again. */
export function useNavigationApp() {
  const offered = appsOn(navigator.userAgent)
  const [kept, setKept] = useState(() => localStorage.getItem(key))
  const choose = (app: NavigationApp | undefined) => {
    if (app) localStorage.setItem(key, app)
    else localStorage.removeItem(key)
    setKept(app ?? null)
  }
  return { offered, chosen: offered.find((app) => app === kept), choose }
}
