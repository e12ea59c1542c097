import { lazy, Suspense, useMemo, useState } from 'react'
import { canDraw } from '../../../map/can-draw.ts'
import { join } from '../../../ui/class-names.ts'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { useSay } from '../../../words/console.ts'
import type { DrawnRoute, Shown } from './drawn-route.ts'

const RouteMap = lazy(() => import('./route-map.tsx'))

const words = { both: 'orderBoth', before: 'orderNow', after: 'orderAfter' } as const satisfies Record<Shown, string>

/** The routes of a preview on a map, before and after; nothing where no map can be drawn, or nothing is to be drawn. */
export function RoutesDrawn({ routes }: { routes: DrawnRoute[] }) {
  const say = useSay()
  const [draws] = useState(canDraw)
  const [shown, setShown] = useState<Shown>('both')
  const [driverId, setDriverId] = useState<number>()
  const drawable = useMemo(() => routes.filter(({ before, after }) => before.length + after.length > 0), [routes])
  const chosen = drawable.find((route) => route.driverId === driverId)
  const onMap = useMemo(() => (chosen ? [chosen] : drawable), [chosen, drawable])
  if (!draws || drawable.length === 0) return null
  return (
    <section aria-label={say('routesOnMap')} className="grid gap-2">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        {drawable.length > 1 && (
          <SelectField
            label={say('planDriver')}
            value={chosen?.driverId ?? ''}
            onChange={({ target }) => setDriverId(Number(target.value) || undefined)}
            className="w-52"
          >
            <option value="">{say('allDrivers')}</option>
            {drawable.map((route) => (
              <option key={route.driverId} value={route.driverId}>
                {route.driverName}
              </option>
            ))}
          </SelectField>
        )}
        <Choice shown={shown} onShown={setShown} />
      </div>
      <ErrorBoundary isQuiet>
        <Suspense fallback={<div className="h-72 rounded-md bg-sunken max-sm:h-56" />}>
          <RouteMap routes={onMap} shown={shown} />
        </Suspense>
      </ErrorBoundary>
      <Legend />
    </section>
  )
}

function Choice({ shown, onShown }: { shown: Shown; onShown: (shown: Shown) => void }) {
  const say = useSay()
  return (
    <fieldset className="flex rounded-lg border border-line p-0.5">
      <legend className="sr-only">{say('routesOnMap')}</legend>
      {(['both', 'before', 'after'] as const).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === shown}
          onClick={() => onShown(one)}
          className={join(
            'flex h-7 items-center rounded-md px-2.5 font-medium',
            one === shown ? 'bg-chosen text-ink' : 'text-ink-soft hover:text-ink',
          )}
        >
          {say(words[one])}
        </button>
      ))}
    </fieldset>
  )
}

function Legend() {
  const say = useSay()
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-ink-soft text-xs">
      <li className="flex items-center gap-1.5">
        <span aria-hidden className="h-1 w-5 rounded bg-ink-faint" />
        {say('orderNow')}
      </li>
      <li className="flex items-center gap-1.5">
        <span aria-hidden className="h-1 w-5 rounded bg-given" />
        {say('orderAfter')}
      </li>
      <li className="flex items-center gap-1.5">
        <span aria-hidden className="w-5 border-ink-soft border-t-2 border-dashed" />
        {say('noRoadKnown')}
      </li>
    </ul>
  )
}
