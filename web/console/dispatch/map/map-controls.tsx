import { Minus, Plus, Scan } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Stage } from '../../../map/stage.ts'
import { useSay } from '../../../words/console.ts'

/** Zoom in, zoom out, and show everything. */
export function MapControls({ stage, onFit }: { stage: Stage; onFit: () => void }) {
  const say = useSay()
  return (
    <div className="absolute top-2 right-2 z-5 grid divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-raised">
      <Square label={say('zoomIn')} onClick={() => stage.map.zoomIn()}>
        <Plus aria-hidden />
      </Square>
      <Square label={say('zoomOut')} onClick={() => stage.map.zoomOut()}>
        <Minus aria-hidden />
      </Square>
      <Square label={say('fitAll')} onClick={onFit}>
        <Scan aria-hidden />
      </Square>
    </div>
  )
}

const Square = ({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    onClick={onClick}
    className="grid size-8 place-items-center text-ink-soft hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 [&_svg]:size-4"
  >
    {children}
  </button>
)
