import { lazy } from 'react'
import { join } from '../../../ui/class-names.ts'
import { Later } from '../../../ui/later.tsx'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { RunSheetLink } from '../../day/run-sheet.tsx'
import { SilentMark } from '../../day/silent-mark.tsx'
import { RouteActions } from '../../planning/route-actions.tsx'
import { usePlaceTarget } from '../drag.ts'
import type { Lane } from './lanes.ts'
import type { Moves } from './use-moves.ts'

const DropPlaces = lazy(() => import('../drop-places.tsx'))

/** The driver of a lane, their progress, and actions for the route. Tasks dropped on it go where planning puts them. */
export function LaneHead({ lane: { driver, done, late, all }, moves }: { lane: Lane; moves: Moves }) {
  const say = useSay()
  const { isToday, day } = useDispatch()
  const { ref, placing, carried } = usePlaceTarget({
    canDrop: (ids) => moves.mayGive(ids, driver),
    onDrop: (tasks, placing) => void moves.give(tasks, driver, placing),
  })
  return (
    <div
      ref={ref}
      className="sticky left-0 z-10 flex w-(--lane-head) shrink-0 items-center gap-1 border-line border-r bg-surface pr-1 pl-3"
    >
      <div className="min-w-0 grow">
        <div className="flex items-center gap-1.5">
          {isToday && (
            <span
              role="img"
              aria-label={say(driver.inShift ? 'onDuty' : 'timelineOffDuty')}
              title={say(driver.inShift ? 'onDuty' : 'timelineOffDuty')}
              className={join(
                'size-2 shrink-0 rounded-full border',
                !driver.inShift
                  ? 'border-line-strong'
                  : driver.silentSince
                    ? 'border-waiting bg-waiting'
                    : 'border-good bg-good',
              )}
            />
          )}
          <span className="truncate font-medium" title={driver.name}>
            {driver.name}
          </span>
          {isToday && <SilentMark driver={driver} />}
        </div>
        <div className="numbers flex gap-2 text-ink-soft text-xs">
          <span title={say('laneProgress', { done, all })}>
            <span aria-hidden>
              {done}/{all}
            </span>
            <span className="sr-only">{say('laneProgress', { done, all })}</span>
          </span>
          {late > 0 && (
            <span className="truncate font-medium text-bad" title={say('lateCount', { n: late })}>
              {say('lateCount', { n: late })}
            </span>
          )}
        </div>
      </div>
      <div className="flex shrink-0 @max-2xl:hidden">
        {all > done && <RouteActions driver={driver} compact />}
        {all > 0 && <RunSheetLink driver={driver} day={day} compact className="!h-7 !w-7" />}
      </div>
      {placing && (
        <Later>
          <DropPlaces driverId={driver.id} tasks={carried} over={placing} />
        </Later>
      )}
    </div>
  )
}
