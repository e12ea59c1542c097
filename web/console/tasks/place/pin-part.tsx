import { MapPinned } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Point } from '../../../../core/geo.ts'
import { canDraw } from '../../../map/can-draw.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { useSay } from '../../../words/console.ts'
import type { Pin } from './place.ts'

const PinMap = lazy(() => import('./pin-map.tsx'))

/** The pin on its map, at once where there is one, else for who wants to put it. Nothing where no map can be drawn. */
export function PinPart({ pin, onMove }: { pin: Pin | undefined; onMove: (point: Point) => void }) {
  const say = useSay()
  const [isOpen, setOpen] = useState(false)
  const [draws] = useState(canDraw)
  if (!draws) return null
  if (!pin && !isOpen)
    return (
      <Button className="justify-self-start" onClick={() => setOpen(true)}>
        <MapPinned aria-hidden />
        {say('pickOnMap')}
      </Button>
    )
  return (
    <ErrorBoundary isQuiet>
      <Suspense fallback={<div className="h-48 rounded-md bg-sunken max-sm:h-40" />}>
        <PinMap pin={pin} onMove={onMove} />
      </Suspense>
    </ErrorBoundary>
  )
}
