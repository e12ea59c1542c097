import { MapPinOff, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Task } from '../../../api/data.ts'
import type { Ground } from '../../../map/ground/ground.ts'
import { StatusIcon, statusLooks } from '../../../tasks/status.tsx'
import { statusOrder } from '../../../tasks/status-order.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { pointOf } from './pins.ts'

/** The line below the map, where it covers nothing: the legend, the kind of map, and tasks that are not on it. */
export function MapFoot({ ground }: { ground: Ground }) {
  const say = useSay()
  return (
    <footer className="@container border-line border-t bg-surface text-ink-soft text-xs">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1 px-2.5 py-1">
        <Legend />
        <div className="grow" />
        <Unplaced />
        {ground.reason && (
          <p role="status" data-ground={ground.reason} className="flex items-center gap-1">
            {ground.reason === 'unreachable' && <TriangleAlert aria-hidden className="size-3.5 text-waiting" />}
            {say(ground.reason === 'unreachable' ? 'streetsUnreachable' : 'withoutStreets')}
          </p>
        )}
      </div>
    </footer>
  )
}

/** In a narrow pane only the symbols; their names are tooltips and read by screen readers. */
function Legend() {
  const say = useSay()
  const name = '@max-4xl:sr-only'
  return (
    <ul aria-label={say('legend')} className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      {statusOrder.map((status) => {
        const { word, Icon, text } = statusLooks[status]
        return (
          <li key={status} title={say(word)} className="flex items-center gap-1">
            <Icon aria-hidden className={`size-3.5 ${text}`} />
            <span className={name}>{say(word)}</span>
          </li>
        )
      })}
      <li title={say('late')} className="flex items-center gap-1">
        <span aria-hidden className="size-3.5 rounded-full border-2 border-bad" />
        <span className={name}>{say('late')}</span>
      </li>
      <li title={say('atRisk')} className="flex items-center gap-1">
        <span aria-hidden className="size-3.5 rounded-full border-2 border-waiting border-dotted" />
        <span className={name}>{say('atRisk')}</span>
      </li>
      <li title={say('approximatePlace')} className="flex items-center gap-1">
        <span
          aria-hidden
          className="grid size-3.5 place-items-center rounded-full bg-ink font-bold text-[10px] text-surface"
        >
          ≈
        </span>
        <span className={name}>{say('approximate')}</span>
      </li>
      <li title={say('byLastTaskLead')} className="flex items-center gap-1">
        <span aria-hidden className="size-3.5 rounded-full border border-ink-soft border-dashed" />
        <span className={name}>{say('byLastTask')}</span>
      </li>
      <li title={say('oldPositionLead')} className="flex items-center gap-1">
        <span aria-hidden className="size-3.5 rounded-full border-2 border-line-strong bg-sunken" />
        <span className={name}>{say('oldPosition')}</span>
      </li>
    </ul>
  )
}

/** The tasks that are not on the map because their address was not found. */
function Unplaced() {
  const say = useSay()
  const { tasks } = useDispatch()
  const [isOpen, setOpen] = useState(false)
  const unplaced = tasks.filter((task) => !task.erasedAt && !pointOf(task))
  if (unplaced.length === 0) return null
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="flex items-center gap-1 rounded bg-waiting-soft px-1.5 py-0.5 font-medium text-waiting hover:underline"
      >
        <MapPinOff aria-hidden className="size-3.5" />
        {say('unplaced', { n: unplaced.length })}
      </button>
      <Dialog
        title={say('unplaced', { n: unplaced.length })}
        lead={say('unplacedLead')}
        open={isOpen}
        onClose={() => setOpen(false)}
      >
        <UnplacedList tasks={unplaced} onOpened={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function UnplacedList({ tasks, onOpened }: { tasks: Task[]; onOpened: () => void }) {
  const { change } = useDispatch()
  return (
    <ul className="grid">
      {tasks.slice(0, 200).map((task) => (
        <li key={task.id}>
          <button
            type="button"
            onClick={() => {
              onOpened()
              change({ task: task.id }, false)
            }}
            className="flex h-8 w-full items-center gap-2 rounded px-2 text-left hover:bg-hover"
          >
            <StatusIcon statusId={task.statusId} side={task.side} />
            <span className="grow truncate">{task.address.address}</span>
            <span className="numbers text-ink-faint text-xs">{task.awb}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
