import { isOpen, type StatusId, Unassigned } from './task-status.ts'

/*
 * Whether the driver is there, when they come, and how late a task is: one rule each for the flags of the API, the
 * messages, the tracking page, the console and the driver's app.
 */

type Moment = Date | string | number

const ms = (moment: Moment) => new Date(moment).getTime()

export interface Arriving {
  statusId: StatusId
  /** Their position says that they are there. */
  driverArrived: boolean
  /** When they said so. */
  arrivalTime: Moment | null
}

export const hasArrived = ({ driverArrived, arrivalTime }: Pick<Arriving, 'driverArrived' | 'arrivalTime'>) =>
  driverArrived || arrivalTime !== null

/** A driver has the task, ours or a partner's, and is not there yet. */
export const isAwaited = (task: Arriving) => isOpen(task) && task.statusId !== Unassigned && !hasArrived(task)

export interface Expected<Time extends Moment = Moment> extends Arriving {
  etaAt: Time | null
  /** The place in the saved plan. */
  route: { arrivalTime: string } | null
}

/** When an awaited driver comes: as followed on the way, else as planned; null if unknown. */
export const expectedAt = <Time extends Moment>(task: Expected<Time>): Time | string | null =>
  isAwaited(task) ? (task.etaAt ?? task.route?.arrivalTime ?? null) : null

export interface Due {
  statusId: StatusId
  completeBefore: Moment | null
  completedAt: Moment | null
}

/** How long a task has been, or was at its end, beyond its window; 0 if it is in time. */
export function overdueMs(task: Due, now: Moment): number {
  const { completeBefore, completedAt } = task
  const end = completedAt ?? (isOpen(task) ? now : null)
  return completeBefore === null || end === null ? 0 : Math.max(0, ms(end) - ms(completeBefore))
}

/** Whether its window ended before the task did: of an open one, before now. */
export const isDelayed = (task: Due, now: Moment) => overdueMs(task, now) > 0

/**
 * How late a task is or will be: what is certain by now, or more if the driver is expected later. In whole minutes, and
 * nothing that is late is late by 0 min.
 */
export function lateSeconds(task: Due & Expected, now: Moment): number {
  const expected = expectedAt(task)
  const late = overdueMs(task, expected === null ? now : Math.max(ms(now), ms(expected)))
  return late === 0 ? 0 : Math.max(1, Math.floor(late / 60_000)) * 60
}

/** Whether the driver arrives after the end of the window: certain once the window has ended without the driver. */
export const willBeDelayed = (task: Due & Expected, now: Moment) => isAwaited(task) && lateSeconds(task, now) > 0
