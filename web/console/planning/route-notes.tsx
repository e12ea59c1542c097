import { Link } from '@tanstack/react-router'
import { Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSay } from '../../words/console.ts'
import { useDispatch } from '../day/dispatch.tsx'
import type { Route } from './route.ts'

const most = 12
const named = (awbs: string[]) => awbs.slice(0, most).join(', ') + (awbs.length > most ? ` +${awbs.length - most}` : '')

/** Nobody knows when a stop without a place is reached. */
const nobodyLate = (warnings: Route['warnings']) =>
  warnings.some(({ code }) => code === 'WITHOUT_PLACE') ? 'nobodyPlacedLate' : 'nobodyLate'

/** Notes about a plan: what will be late, what is estimated, where times come from. */
export function RouteNotes({
  route: { late, warnings, travel },
  driverId,
}: {
  route: Route
  driverId?: number | undefined
}) {
  const say = useSay()
  return (
    <ul className="grid gap-1.5 text-ink-soft">
      <Note isWarning={late.length > 0}>
        {late.length > 0 ? say('lateTasks', { n: late.length, awbs: named(late) }) : say(nobodyLate(warnings))}
      </Note>
      <PlanWarnings warnings={warnings} driverId={driverId} />
      <TravelNote travel={travel} />
    </ul>
  )
}

/** What somebody can do about: say where the task is. */
const placeless = new Set<string>(['WITHOUT_PLACE', 'APPROXIMATE_PLACE'])

interface Warnings {
  warnings: Route['warnings']
  /** Whose route it is, if it is that of one. */
  driverId?: number | undefined
}

export function PlanWarnings({ warnings, driverId }: Warnings) {
  const say = useSay()
  const { day } = useDispatch()
  return warnings.map(({ code, awbs }) => (
    <Note key={code + awbs.join()} isWarning>
      {say(`warn_${code}`)}
      {awbs.length > 0 && <span className="text-ink">: {named(awbs)}</span>}
      {placeless.has(code) && awbs.length > 0 && (
        <>
          {' · '}
          <Link
            to="/addresses"
            search={{ day, ...(driverId && { driver: driverId }) }}
            className="inline-block text-accent underline-offset-2 hover:underline"
          >
            {say('addressesToCheck')}
          </Link>
        </>
      )}
    </Note>
  ))
}

export function TravelNote({ travel: { isEstimate, source } }: { travel: Route['travel'] }) {
  const say = useSay()
  return <Note>{isEstimate ? say('travelIsEstimate') : say('travelFrom', { source: source.toUpperCase() })}</Note>
}

function Note({ isWarning, children }: { isWarning?: boolean; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2">
      {isWarning ? (
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-waiting" />
      ) : (
        <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
      )}
      <span>{children}</span>
    </li>
  )
}
