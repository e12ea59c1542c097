import type { ReactNode } from 'react'
import { serviceSecondsOf } from '../../../../core/stop.ts'
import { useFormats } from '../../../api/time.ts'
import { StatusBadge } from '../../../tasks/status.tsx'
import { useSay } from '../../../words/console.ts'
import { AddressOf } from '../../day/erased.tsx'
import { nameAwbs } from '../../day/name-awbs.ts'
import { PartnerMark } from '../../day/partner-mark.tsx'
import { LateMark } from '../../planning/route-compare.tsx'
import { type Block, countStates, tasksOf, windowsOf } from './blocks.ts'

export interface Hovered {
  block: Block
  rect: DOMRect
}

const width = 288

/** Describes a block while the pointer or the focus is on it. The block's own label says the same. */
export function HoverCard({ block, rect, hasConflict }: Hovered & { hasConflict: boolean }) {
  const say = useSay()
  const { time, window: promised, duration, distance } = useFormats()
  const { task } = block.parcels[0]
  const tasks = tasksOf(block)
  const isShared = tasks.length > 1
  const serviceSeconds = serviceSecondsOf(tasks.map(({ serviceTime }) => (serviceTime ?? 0) * 60))
  const customers = new Set(tasks.map(({ customer }) => customer?.name))
  const isLow = rect.bottom > window.innerHeight - 230
  const left = Math.max(8, Math.min(rect.left, window.innerWidth - width - 8))
  const style = isLow
    ? { left, width, bottom: window.innerHeight - rect.top + 8 }
    : { left, width, top: rect.bottom + 8 }
  const windows = windowsOf(block)
    .map(({ task: { completeAfter, completeBefore } }) => promised(completeAfter, completeBefore))
    .filter(Boolean)
  return (
    <div
      aria-hidden
      style={style}
      className="pointer-events-none fixed z-30 grid gap-1.5 rounded-lg border border-line bg-raised p-3 shadow-raised"
    >
      <div className="font-semibold leading-tight">
        <AddressOf task={task} long />
      </div>
      <div className="text-ink-soft">
        {[
          isShared ? `${say('parcelsOfStop', { n: tasks.length })}: ${nameAwbs(tasks)}` : task.awb,
          customers.size === 1 && task.customer?.name,
        ]
          .filter(Boolean)
          .join(' · ')}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {countStates(block).map(([statusId, n]) => (
          <span key={statusId} className="numbers flex items-center gap-1">
            {isShared && `${n} ×`}
            <StatusBadge statusId={statusId} side={tasks.find((one) => one.statusId === statusId)?.side} />
          </span>
        ))}
        <LateMark seconds={block.lateSeconds} />
        {block.isBehind && <span className="text-waiting text-xs">{say('behindPlan')}</span>}
        <PartnerMark task={task} className="text-ink-soft text-xs" />
        {hasConflict && <span className="text-waiting text-xs">{say('taskHasConflict')}</span>}
      </div>
      <dl className="numbers grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5">
        <Line term={say(block.isPlanned ? 'planned' : 'timelineArrived')}>
          {time(block.arrival)}–{time(block.end)}
        </Line>
        {windows.length > 0 && <Line term={say('windowOf')}>{windows.join(', ')}</Line>}
        {block.start > block.arrival && (
          <Line term={say('waitingTime')}>{duration((block.start - block.arrival) / 1000)}</Line>
        )}
        {serviceSeconds > 0 && <Line term={say('serviceOf')}>{duration(serviceSeconds)}</Line>}
        {block.distanceMetres > 0 && <Line term={say('fromStopBefore')}>{distance(block.distanceMetres)}</Line>}
      </dl>
    </div>
  )
}

const Line = ({ term, children }: { term: string; children: ReactNode }) => (
  <>
    <dt className="text-ink-faint">{term}</dt>
    <dd>{children}</dd>
  </>
)
