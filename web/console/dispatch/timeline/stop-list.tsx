import { Popover } from 'radix-ui'
import { useRef } from 'react'
import { lateSeconds } from '../../../../core/arrival.ts'
import { useFormats } from '../../../api/time.ts'
import { StatusIcon, statusLooks } from '../../../tasks/status.tsx'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { useSay } from '../../../words/console.ts'
import { ConflictMark } from '../../conflicts/conflict-mark.tsx'
import { useDispatch } from '../../day/dispatch.tsx'
import { addressText } from '../../day/erased.tsx'
import { PartnerMark } from '../../day/partner-mark.tsx'
import { usePress } from '../../day/press.ts'
import { LateMark } from '../../planning/route-compare.tsx'
import { type Block, idsOf, tasksOf } from './blocks.ts'

interface Props {
  block: Block
  /** The block on the screen. */
  anchor: HTMLElement
  onClose: () => void
}

/** The tasks of a stop, each with its own state and window, to choose one from. */
export function StopList({ block, anchor, onClose }: Props) {
  const say = useSay()
  const { selection, now } = useDispatch()
  const { time, window } = useFormats()
  const press = usePress()
  const list = useRef<HTMLUListElement>(null)
  const tasks = tasksOf(block)
  const title = say('parcelsOfStop', { n: tasks.length })
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Anchor virtualRef={{ current: anchor }} />
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={`${title}, ${addressText(block.parcels[0].task, say)}`}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            list.current?.querySelector('button')?.focus()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (document.activeElement === document.body) anchor.focus()
          }}
          className="z-50 w-80 max-w-[calc(100vw-1rem)] rounded-lg border border-line bg-raised shadow-raised outline-none"
        >
          <header className="flex items-start gap-2 border-line border-b py-1.5 pr-1.5 pl-3">
            <div className="min-w-0 grow">
              <h2 className="font-semibold leading-tight [overflow-wrap:anywhere]">
                {addressText(block.parcels[0].task, say)}
              </h2>
              <p className="numbers text-ink-soft text-xs">
                {title} · {say(block.isPlanned ? 'planned' : 'timelineArrived')} {time(block.arrival)}–{time(block.end)}
              </p>
            </div>
            <Button look="quiet" onClick={() => selection.set(idsOf(block))}>
              {say('chooseAll')}
            </Button>
          </header>
          <ul ref={list} className="max-h-72 overflow-y-auto p-1">
            {tasks.map((task) => {
              const promised = window(task.completeAfter, task.completeBefore)
              return (
                <li key={task.id}>
                  <button
                    type="button"
                    aria-pressed={selection.ids.has(task.id)}
                    onClick={(event) => {
                      press(task.id, event)
                      if (!event.shiftKey && !event.metaKey && !event.ctrlKey) onClose()
                    }}
                    className={join(
                      'flex min-h-10 w-full items-center gap-2 rounded px-2 py-1 text-left hover:bg-hover',
                      selection.ids.has(task.id) && 'bg-chosen',
                    )}
                  >
                    <StatusIcon statusId={task.statusId} side={task.side} />
                    <span className="min-w-0 grow leading-tight">
                      <span className="block truncate">{task.customer?.name || task.awb}</span>
                      <span className="numbers flex flex-wrap gap-x-1.5 text-ink-soft text-xs">
                        {task.customer?.name && <span className="truncate">{task.awb}</span>}
                        <span>{say(statusLooks[task.statusId].one)}</span>
                        {promised && <span>{promised}</span>}
                      </span>
                    </span>
                    <LateMark seconds={lateSeconds(task, now)} />
                    <ConflictMark taskId={task.id} />
                    <PartnerMark task={task} brief />
                  </button>
                </li>
              )
            })}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
