import { MapPinOff } from 'lucide-react'
import { EmptyState } from '../../../ui/state.tsx'
import { useSay } from '../../../words/console.ts'

/** In the map's place, where the browser cannot draw one. */
export default function NoMap() {
  const say = useSay()
  return (
    <EmptyState picture={<MapPinOff />} title={say('noMap')}>
      {say('noMapLead')}
    </EmptyState>
  )
}
