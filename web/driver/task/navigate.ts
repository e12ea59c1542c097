import type { PhoneTask } from '../../../contract/sync.ts'

/** Where apps for navigation find a task: by its place, or by its address if that is not known. */
export function navigationLinks({ address }: Pick<PhoneTask, 'address'>): [name: string, href: string][] {
  const { lat, lng } = address
  const place = lat !== null && lng !== null ? `${lat},${lng}` : undefined
  const words = encodeURIComponent(address.address)
  return [
    ['Google Maps', `https://www.google.com/maps/dir/?api=1&destination=${place ?? words}`],
    ['Waze', place ? `https://waze.com/ul?ll=${place}&navigate=yes` : `https://waze.com/ul?q=${words}&navigate=yes`],
    ['Apple Maps', `https://maps.apple.com/?daddr=${place ?? words}`],
    ['geo:', place ? `geo:${place}?q=${place}` : `geo:0,0?q=${words}`],
  ]
}
