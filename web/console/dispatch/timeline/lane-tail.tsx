import { join } from '../../../ui/class-names.ts'
import { useSay } from '../../../words/console.ts'
import { RouteActions } from '../../planning/route-actions.tsx'
import type { Lane } from './lanes.ts'
import { TaskChip } from './task-chip.tsx'
import type { Moves } from './use-moves.ts'

interface Props {
  width: number
  lane: Lane
  moves: Moves
  chosen: ReadonlySet<number>
}

/** The driver's tasks without a planned time: two rows of them, and how many more there are. */
export function LaneTail({ width, lane: { unplanned, driver }, moves, chosen }: Props) {
  const say = useSay()
  const isWide = width > 200
  const places = isWide ? 4 : 2
  const shown = unplanned.slice(0, unplanned.length > places ? places - 1 : places)
  return (
    <div
      style={{ width }}
      className="right-0 z-10 flex shrink-0 @2xl:sticky items-center border-line border-l bg-surface pl-2"
    >
      {unplanned.length > 0 && (
        <>
          <ul
            aria-label={say('notPlannedOf', { driver: driver.name })}
            className={join('grid min-w-0 grow items-center gap-1', isWide ? 'grid-cols-2' : 'grid-cols-1')}
          >
            {shown.map((task) => (
              <TaskChip key={task.id} task={task} moves={moves} isChosen={chosen.has(task.id)} isSmall />
            ))}
            {unplanned.length > shown.length && (
              <li className="numbers px-1 text-ink-soft text-xs">
                {say('moreTasks', { n: unplanned.length - shown.length })}
              </li>
            )}
          </ul>
          <RouteActions driver={driver} only="optimise" compact />
        </>
      )}
    </div>
  )
}
