import type { ReactNode } from 'react'
import { useFormats } from '../../../api/time.ts'
import { StatusBadge } from '../../../tasks/status.tsx'
import { useSay } from '../../../words/console.ts'
import { AddressOf } from '../../day/erased.tsx'
import { PartnerMark } from '../../day/partner-mark.tsx'
import { LateMark } from '../../planning/route-compare.tsx'
import type { Block } from './lanes.ts'

export interface Hovered {
  block: Block
  rect: DOMRect
}

const width = 288

/** Describes a block while the pointer or the focus is on it. The block's own label says the same. */
export function HoverCard({ block, rect, hasConflict }: Hovered & { hasConflict: boolean }) {
  const say = useSay()
  const { time, window: promised, duration, distance } = useFormats()
  const { task } = block
  const isLow = rect.bottom > window.innerHeight - 230
  const left = Math.max(8, Math.min(rect.left, window.innerWidth - width - 8))
  const style = isLow
    ? { left, width, bottom: window.innerHeight - rect.top + 8 }
    : { left, width, top: rect.bottom + 8 }
  const windowText = promised(task.completeAfter, task.completeBefore)
  return (
    <div
      aria-hidden
      style={style}
      className="pointer-events-none fixed z-30 grid gap-1.5 rounded-lg border border-line bg-raised p-3 shadow-raised"
    >
      <div className="font-semibold leading-tight">
        <AddressOf task={task} long />
      </div>
      <div className="text-ink-soft">{[task.awb, task.customer?.name].filter(Boolean).join(' · ')}</div>
      <div className="flex items-center gap-2">
        <StatusBadge statusId={task.statusId} side={task.side} />
        <LateMark seconds={block.lateSeconds} />
        {block.isBehind && <span className="text-waiting text-xs">{say('behindPlan')}</span>}
        <PartnerMark task={task} className="text-ink-soft text-xs" />
        {hasConflict && <span className="text-waiting text-xs">{say('taskHasConflict')}</span>}
      </div>
      <dl className="numbers grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5">
        <Line term={say(block.isPlanned ? 'planned' : 'timelineArrived')}>
          {time(block.arrival)}–{time(block.end)}
        </Line>
        {windowText && <Line term={say('windowOf')}>{windowText}</Line>}
        {block.start > block.arrival && (
          <Line term={say('waitingTime')}>{duration((block.start - block.arrival) / 1000)}</Line>
        )}
        {task.serviceTime ? <Line term={say('serviceOf')}>{duration(task.serviceTime * 60)}</Line> : null}
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
