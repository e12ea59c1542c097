import { RouteActions } from '../../planning/route-actions.tsx'
import { useSay } from '../../words/words.ts'
import type { Lane } from './lanes.ts'
import { tailWidth } from './scale.ts'
import { TaskChip } from './task-chip.tsx'
import type { Moves } from './use-moves.ts'

const most = 3

/** What the driver has to do and no plan says when. */
export function LaneTail({ lane, moves, chosen }: { lane: Lane; moves: Moves; chosen: ReadonlySet<number> }) {
  const say = useSay()
  const { unplanned, driver } = lane
  return (
    <div
      style={{ width: tailWidth }}
      className="sticky right-0 z-10 flex shrink-0 items-center border-line border-l bg-surface pl-2"
    >
      <ul
        aria-label={say('notPlannedOf', { driver: driver.name })}
        className="flex min-w-0 grow flex-wrap content-center items-center gap-1"
      >
        {unplanned.slice(0, most).map((task) => (
          <TaskChip key={task.id} task={task} moves={moves} isChosen={chosen.has(task.id)} isSmall />
        ))}
        {unplanned.length > most && (
          <li className="numbers text-ink-soft text-xs">{say('moreTasks', { n: unplanned.length - most })}</li>
        )}
      </ul>
      {unplanned.length > 0 && <RouteActions driver={driver} only="optimise" compact />}
    </div>
  )
}
