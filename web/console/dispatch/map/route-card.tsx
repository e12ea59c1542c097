import { ChevronDown, ChevronUp, TriangleAlert, Waypoints, X } from 'lucide-react'
import { type ComponentType, lazy, type ReactNode, useState } from 'react'
import type { Driver } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { shortAddress } from '../../../tasks/address.ts'
import { riskOf } from '../../../tasks/risk.ts'
import { statusLooks } from '../../../tasks/status.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { Later } from '../../../ui/later.tsx'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { usePress } from '../../day/press.ts'
import { countStops, type RouteStop } from '../../day/route.ts'

type Actions = ComponentType<{ driver: Driver }>
/** “Optimise” and “Reorder” come from planning; without it there are no buttons. */
const [loadActions] = Object.values(import.meta.glob<{ RouteActions: Actions }>('../../planning/route-actions.tsx'))
const PlanningActions = loadActions && lazy(async () => ({ default: (await loadActions()).RouteActions }))

interface Props {
  driver: Driver
  stops: RouteStop[]
  /** Where the driver drove, if that is shown. */
  track: ReactNode
}

/** A driver's remaining stops, as a strip below the map, where it covers no pin. */
export function RouteCard({ driver, stops, track }: Props) {
  const say = useSay()
  const { filters, change } = useDispatch()
  const [isOpen, setOpen] = useState(true)
  return (
    <section aria-label={say('routeOf', { driver: driver.name })} className="border-line border-t bg-surface">
      <header className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 py-0.5 pr-1 pl-3">
        <div className="flex min-w-0 grow basis-40 items-baseline gap-x-2">
          <h2 className="truncate font-semibold">{driver.name}</h2>
          <span className="numbers truncate text-ink-soft">{say('stopsLeft', { n: countStops(stops) })}</span>
        </div>
        <div className="flex flex-wrap items-center justify-end gap-1">
          {PlanningActions && (
            <Later>
              <PlanningActions driver={driver} />
            </Later>
          )}
          <IconButton
            label={say(filters.track ? 'hideTrack' : 'showTrack')}
            aria-pressed={filters.track === true}
            className={filters.track ? '!bg-chosen !text-ink' : ''}
            onClick={() => change({ track: filters.track ? undefined : true })}
          >
            <Waypoints />
          </IconButton>
          <IconButton
            label={say(isOpen ? 'foldStops' : 'unfoldStops')}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <ChevronDown /> : <ChevronUp />}
          </IconButton>
          <IconButton label={say('closeRoute')} onClick={() => change({ driver: undefined })}>
            <X />
          </IconButton>
        </div>
      </header>
      {track}
      {isOpen &&
        (stops.length === 0 ? (
          <p className="px-3 pb-2 text-ink-soft">{say('noStops')}</p>
        ) : (
          <ol className={join('flex gap-1 overflow-x-auto px-2 pb-2', filters.track && 'max-md:hidden')}>
            {stops.map((stop) => (
              <StopChip key={stop.task.id} stop={stop} />
            ))}
          </ol>
        ))}
    </section>
  )
}

const fills: Record<number, string> = { 6: 'bg-given', 7: 'bg-moving' }

function StopChip({ stop: { task, number } }: { stop: RouteStop }) {
  const say = useSay()
  const { selection, now } = useDispatch()
  const press = usePress()
  const { time, window } = useFormats()
  const risk = riskOf(task, now)
  const isLate = risk !== 'none'
  const when = task.etaAt ? time(task.etaAt) : window(task.completeAfter, task.completeBefore) || say('anyTime')
  return (
    <li className="shrink-0">
      <button
        type="button"
        aria-pressed={selection.ids.has(task.id)}
        title={say(statusLooks[task.statusId].one)}
        onClick={(event) => press(task.id, event)}
        className={join(
          'flex h-11 w-48 items-center gap-2 rounded-md border px-1.5 text-left hover:bg-hover',
          selection.ids.has(task.id) ? 'border-accent bg-chosen' : 'border-line',
        )}
      >
        <span
          className={join(
            'numbers grid size-6 shrink-0 place-items-center rounded-full font-bold text-surface text-xs',
            fills[task.statusId] ?? 'bg-ink-faint',
          )}
        >
          {number ?? '·'}
        </span>
        <span className="min-w-0">
          <span className="block truncate leading-tight">{shortAddress(task)}</span>
          <span
            className={join(
              'numbers flex items-center gap-1 text-xs leading-tight',
              isLate ? 'font-medium text-bad' : 'text-ink-soft',
            )}
          >
            {when}
            {isLate && (
              <TriangleAlert
                role="img"
                aria-label={say(risk === 'late' ? 'late' : 'atRiskOfLate')}
                className="size-3"
              />
            )}
          </span>
        </span>
      </button>
    </li>
  )
}
