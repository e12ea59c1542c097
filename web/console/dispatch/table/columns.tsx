import type { ReactNode } from 'react'
import { isOursToDo, shownStatus } from '../../../../core/delegation.ts'
import { moneyOf } from '../../../../core/money.ts'
import { fold } from '../../../../core/search.ts'
import type { TableColumn } from '../../../../core/table-columns.ts'
import type { Task } from '../../../api/data.ts'
import type { Formats } from '../../../api/time.ts'
import { arrivalOf } from '../../../tasks/arrival.ts'
import { Eta } from '../../../tasks/eta.tsx'
import { riskOf } from '../../../tasks/risk.ts'
import { lookOf, StatusIcon } from '../../../tasks/status.tsx'
import { statusOrder } from '../../../tasks/status-order.ts'
import type { Say, Word } from '../../../words/console.ts'
import { ConflictMark } from '../../conflicts/conflict-mark.tsx'
import { DoubtMark } from '../../day/doubt-mark.tsx'
import { AddressOf } from '../../day/erased.tsx'
import { LeftMark } from '../../day/left-mark.tsx'
import { PartnerMark } from '../../day/partner-mark.tsx'
import { MessageMark } from '../list/message-mark.tsx'
import { RiskMark } from '../list/risk-mark.tsx'

/** What a cell needs besides its task. */
export interface CellContext {
  say: Say
  formats: Formats
  now: number
}

export interface Column {
  /** The settings name the same ones. */
  id: TableColumn
  word: Word
  width: number
  /** Aligned right, for numbers. */
  end?: true
  /** Hidden by default. */
  extra?: true
  /** The value to sort by; undefined comes last in both directions. */
  value: (task: Task) => string | number | undefined
  cell: (task: Task, context: CellContext) => ReactNode
}

const text = (value: string | null | undefined) => (value ? fold(value) : undefined)

export const columns: readonly Column[] = [
  {
    id: 'state',
    word: 'state',
    width: 114,
    value: (task) => statusOrder.indexOf(shownStatus(task)),
    cell: ({ statusId, side }, { say }) => (
      <span className="flex items-center gap-1.5">
        <StatusIcon statusId={statusId} side={side} className="!size-3.5" />
        <span aria-hidden className="truncate">
          {say(lookOf({ statusId, side }).one)}
        </span>
      </span>
    ),
  },
  {
    id: 'awb',
    word: 'awb',
    // With the mark of a conflict beside it.
    width: 124,
    value: ({ awb }) => text(awb),
    cell: (task) => (
      <span className="flex items-center gap-1.5">
        <span className="truncate">{task.awb}</span>
        <PartnerMark task={task} brief />
        <ConflictMark taskId={task.id} />
        <LeftMark task={task} />
        <MessageMark taskId={task.id} />
      </span>
    ),
  },
  {
    id: 'address',
    word: 'address',
    width: 204,
    value: ({ address }) => text(address.address),
    cell: (task) => (
      <span className="flex items-center gap-1.5">
        <DoubtMark task={task} />
        <span className="min-w-0 truncate">
          <span className="font-medium">
            <AddressOf task={task} long />
          </span>
          {task.address.area && <span className="ml-1.5 text-ink-faint">{task.address.area}</span>}
        </span>
      </span>
    ),
  },
  {
    id: 'customer',
    word: 'customer',
    width: 116,
    value: ({ customer }) => text(customer?.name),
    cell: ({ customer }) => customer?.name,
  },
  {
    id: 'phone',
    word: 'phone',
    width: 118,
    extra: true,
    value: ({ customer }) => customer?.phone || undefined,
    cell: ({ customer }) => customer?.phone,
  },
  {
    id: 'window',
    word: 'window',
    width: 124,
    value: ({ completeBefore, completeAfter }) => completeBefore ?? completeAfter ?? undefined,
    cell: (task, { formats, now }) => (
      <span className="flex items-center gap-1.5">
        {formats.window(task.completeAfter, task.completeBefore)}
        <RiskMark risk={riskOf(task, now)} />
      </span>
    ),
  },
  {
    id: 'driver',
    word: 'driver',
    width: 132,
    value: ({ user, fulfillerDriver }) => text(user?.name ?? fulfillerDriver?.name),
    // A partner's driver is not one of ours; until there is one, the partner is who has it.
    cell: (task) =>
      isOursToDo(task) ? (
        task.user?.name
      ) : task.fulfillerDriver ? (
        <span className="text-ink-soft">{task.fulfillerDriver.name}</span>
      ) : (
        <PartnerMark task={task} className="text-ink-soft" />
      ),
  },
  {
    id: 'team',
    word: 'team',
    width: 110,
    extra: true,
    value: ({ team }) => text(team?.name),
    cell: ({ team }) => team?.name,
  },
  {
    id: 'eta',
    word: 'eta',
    width: 76,
    value: ({ etaAt }) => etaAt ?? undefined,
    cell: (task, { formats, now }) => (
      <Eta task={task} risk={riskOf(task, now)} isBehind={arrivalOf(task, now)?.isBehind ?? false} formats={formats} />
    ),
  },
  {
    id: 'cash',
    word: 'toCollect',
    width: 84,
    end: true,
    value: (task) => moneyOf(task).toCollect || undefined,
    cell: (task, { formats }) => {
      const { toCollect } = moneyOf(task)
      return toCollect > 0 && formats.money(toCollect)
    },
  },
  {
    id: 'priority',
    word: 'priority',
    width: 76,
    end: true,
    value: ({ priority }) => priority || undefined,
    cell: ({ priority }) => priority || '',
  },
  {
    id: 'created',
    word: 'createdColumn',
    width: 112,
    extra: true,
    value: ({ createdAt }) => createdAt,
    cell: ({ createdAt }, { formats }) => `${formats.date(createdAt)} ${formats.time(createdAt)}`,
  },
]

export const columnById = new Map<string, Column>(columns.map((column) => [column.id, column]))
