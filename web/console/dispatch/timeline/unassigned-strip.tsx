import { useVirtualizer } from '@tanstack/react-virtual'
import { Wand2 } from 'lucide-react'
import { lazy, useRef, useState } from 'react'
import { awaitsDriver } from '../../../../core/delegation.ts'
import { whyEmpty } from '../../../../core/why-empty.ts'
import type { Task } from '../../../api/data.ts'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { useDropTarget } from '../../../ui/drag.ts'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { Later } from '../../../ui/later.tsx'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { usePlannable } from '../../day/plannable.ts'
import { chipWidth, TaskChip } from './task-chip.tsx'
import type { Moves } from './use-moves.ts'

const PlanAssignDialog = lazy(() => import('../../planning/plan-assign-dialog.tsx'))
const gap = 6

interface Props {
  tasks: Task[]
  moves: Moves
  chosen: ReadonlySet<number>
}

/** Said of the whole day: a filter does not give a task its driver. */
function WhyNone() {
  const say = useSay()
  const { all } = useDispatch()
  const empty = whyEmpty(all, awaitsDriver)
  if (empty.why === 'hidden') return say('unassignedHidden', { n: empty.count })
  return say(empty.why === 'noTasks' ? 'noTasks' : 'nothingUnassigned')
}

/** Unassigned tasks above the lanes. Drag one to a lane to assign it, or from a lane to here to unassign it. */
export function UnassignedStrip({ tasks, moves, chosen }: Props) {
  const say = useSay()
  const scroller = useRef<HTMLUListElement>(null)
  const plannable = usePlannable()
  const [isPlanning, setIsPlanning] = useState(false)
  const { ref, over } = useDropTarget({
    kind: 'tasks',
    canDrop: moves.mayTakeBack,
    where: () => true,
    onDrop: (ids) => void moves.takeBack(ids),
  })
  const virtual = useVirtualizer({
    horizontal: true,
    count: tasks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => chipWidth + gap,
    overscan: 4,
  })
  return (
    <section
      ref={ref}
      aria-label={say('unassignedTasks')}
      className={join('flex h-14 shrink-0 border-line border-b', over ? 'bg-chosen' : 'bg-surface')}
    >
      <div className="flex w-(--lane-head) shrink-0 items-center gap-2 border-line border-r pr-2 pl-3">
        <h2 className="grow">
          <span className="block font-medium">{say('status1')}</span>
          <span className="numbers text-ink-soft text-xs">{say('tasks', { n: tasks.length })}</span>
        </h2>
        {moves.canMove && tasks.length > 0 && (
          <Button {...plannable(() => setIsPlanning(true))}>
            <Wand2 aria-hidden />
            <span className="@max-2xl:sr-only">{say('planAssign')}</span>
          </Button>
        )}
      </div>
      {tasks.length === 0 ? (
        <p className="self-center px-3 text-ink-faint">
          <WhyNone />
        </p>
      ) : (
        <ul ref={scroller} className="relative min-w-0 grow overflow-x-auto overflow-y-hidden">
          <li aria-hidden style={{ width: virtual.getTotalSize() + gap }} className="h-px" />
          {virtual.getVirtualItems().map(({ index, start }) => {
            const task = tasks[index] as Task
            return (
              <TaskChip key={task.id} task={task} moves={moves} isChosen={chosen.has(task.id)} left={start + gap} />
            )
          })}
        </ul>
      )}
      {isPlanning && (
        <ErrorBoundary isDialog onClose={() => setIsPlanning(false)}>
          <Later>
            <PlanAssignDialog tasks={tasks} onClose={() => setIsPlanning(false)} />
          </Later>
        </ErrorBoundary>
      )}
    </section>
  )
}
