import { MapMarker } from '../../../map/marker.tsx'
import type { Stage } from '../../../map/stage.ts'
import { StatusIcon } from '../../../tasks/status.tsx'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { usePress } from '../../day/press.ts'
import type { OpenPile } from './pointing.ts'

/** The tasks on one spot, to choose from. */
export function PileList({ stage, pile, onClose }: { stage: Stage; pile: OpenPile; onClose: () => void }) {
  const say = useSay()
  const { selection, byId } = useDispatch()
  const press = usePress()
  const tasks = pile.tasks.flatMap(({ id }) => byId.get(id) ?? [])
  return (
    <MapMarker map={stage.map} point={pile.point} level={2}>
      <section
        aria-label={say('tasksHere', { n: tasks.length })}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
        className="absolute top-4 left-4 w-64 rounded-lg border border-line bg-raised shadow-raised"
      >
        <header className="flex items-center gap-1 border-line border-b py-1 pr-1 pl-2.5">
          <h2 className="grow font-semibold">{say('tasksHere', { n: tasks.length })}</h2>
          <Button look="quiet" onClick={() => selection.set(tasks.map(({ id }) => id))}>
            {say('chooseAll')}
          </Button>
          <Button look="quiet" onClick={onClose}>
            {say('close')}
          </Button>
        </header>
        <ul className="max-h-48 overflow-y-auto p-1">
          {tasks.map((task) => (
            <li key={task.id}>
              <button
                type="button"
                aria-pressed={selection.ids.has(task.id)}
                onClick={(event) => press(task.id, event)}
                className={join(
                  'flex h-7 w-full items-center gap-2 rounded px-1.5 text-left hover:bg-hover',
                  selection.ids.has(task.id) && 'bg-chosen',
                )}
              >
                <StatusIcon statusId={task.statusId} side={task.side} />
                <span className="truncate">{task.customer?.name || task.address.address}</span>
                <span className="numbers ml-auto shrink-0 text-ink-faint text-xs">{task.awb}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    </MapMarker>
  )
}
