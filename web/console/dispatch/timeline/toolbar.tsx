import { LocateFixed } from 'lucide-react'
import { statusLooks } from '../../../tasks/status.tsx'
import { statusOrder } from '../../../tasks/status-order.ts'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { useSay } from '../../../words/console.ts'
import { type Zoom, zooms } from './scale.ts'

interface Props {
  zoom: Zoom
  onZoom: (zoom: Zoom) => void
  onNow: (() => void) | undefined
}

/** The zoom, and the legend. */
export function Toolbar({ zoom, onZoom, onNow }: Props) {
  const say = useSay()
  return (
    <div className="flex h-10 short:h-8 shrink-0 items-center gap-3 border-line border-b bg-surface px-3">
      <fieldset className="flex rounded-md border border-line p-0.5">
        <legend className="sr-only">{say('zoom')}</legend>
        {zooms.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === zoom}
            onClick={() => onZoom(one)}
            className={join(
              'h-6 rounded px-2 font-medium',
              one === zoom ? 'bg-chosen text-ink' : 'text-ink-soft hover:text-ink',
            )}
          >
            {one === 'fit' ? say('fitDay') : say('hours', { n: one })}
          </button>
        ))}
      </fieldset>
      {onNow && zoom !== 'fit' && (
        <Button look="quiet" onClick={onNow} className="!h-7">
          <LocateFixed aria-hidden />
          {say('goToNow')}
        </Button>
      )}
      <p className="sr-only">{say('timelineHint')}</p>
      <div className="grow" />
      <ul aria-label={say('timelineKey')} className="flex items-center gap-3 text-ink-soft text-xs max-lg:hidden">
        {statusOrder.slice(1).map((status) => {
          const { word, Icon, text } = statusLooks[status]
          return (
            <li key={status} className="flex items-center gap-1">
              <Icon aria-hidden className={join('size-3.5', text)} />
              {say(word)}
            </li>
          )
        })}
        <li className="flex items-center gap-1 max-xl:hidden">
          <span aria-hidden className="h-1.5 w-4 border-line-strong border-x-2 border-t-2" />
          {say('keyWindow')}
        </li>
        <li className="flex items-center gap-1 max-xl:hidden">
          <span
            aria-hidden
            className="h-3 w-4 border-line-strong border-y bg-[repeating-linear-gradient(135deg,var(--line-strong)_0_1px,transparent_1px_4px)]"
          />
          {say('waitingTime')}
        </li>
        <li className="flex items-center gap-1 max-xl:hidden">
          <span aria-hidden className="numbers font-semibold text-bad">
            +5
          </span>
          {say('keyLate')}
        </li>
      </ul>
    </div>
  )
}
