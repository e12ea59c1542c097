import { Bike, Car, Footprints, Motorbike, Truck, Van } from 'lucide-react'
import { useSay } from '../../../words/console.ts'

const ways = {
  1: [Footprints, 'transport1'],
  2: [Bike, 'transport2'],
  3: [Motorbike, 'transport3'],
  4: [Car, 'transport4'],
  5: [Van, 'transport5'],
  6: [Truck, 'transport6'],
} as const

export function TransportIcon({ id }: { id: number | null }) {
  const say = useSay()
  if (!id || !(id in ways)) return null
  const [Icon, word] = ways[id as keyof typeof ways]
  return <Icon role="img" aria-label={say(word)} className="size-3.5 shrink-0 text-ink-faint" />
}
