import type { PlannedStop } from '../../../../contract/task.ts'
import { hasArrived, lateSeconds } from '../../../../core/arrival.ts'
import { endOfStop, stopsOf } from '../../../../core/stop.ts'
import {
  Assigned,
  Failed,
  InTransit,
  isEnded,
  isOpen,
  type StatusId,
  Succeeded,
  Unassigned,
} from '../../../../core/task-status.ts'
import type { Task } from '../../../api/data.ts'
import { arrivalOf } from '../../../tasks/arrival.ts'
import { stopOf } from '../../../tasks/risk.ts'

/** A task at its time of the day: as it happened, or as planned. */
export interface Parcel {
  task: Task
  /** When the driver arrives; until `start` they wait for the window to open. */
  arrival: number
  start: number
  end: number
  /** When the driver set off, if known. */
  leaves: number | undefined
  lateSeconds: number
  distanceMetres: number
  isPlanned: boolean
  /** The driver should be there by now, but is not. */
  isBehind: boolean
}

/** A stop: one task, or several that follow each other at one door. */
export interface Block extends Omit<Parcel, 'task'> {
  /** Of its first task. */
  id: number
  /** In the order of the route. */
  parcels: [Parcel, ...Parcel[]]
  /** Its number, if it is still to come. */
  number: number | undefined
  /** What it looks like: as what is most on its way, else as how it ended. */
  statusId: StatusId
}

const minute = 60_000
/** Who comes back to a door later than this comes a second time, also with no other stop in between. */
const sameVisitMs = 30 * minute

export const tasksOf = ({ parcels }: Pick<Block, 'parcels'>): Task[] => parcels.map(({ task }) => task)
export const idsOf = ({ parcels }: Pick<Block, 'parcels'>): number[] => parcels.map(({ task }) => task.id)
/** Those that can go to another place, or to another driver. */
export const openIdsOf = (block: Pick<Block, 'parcels'>): number[] =>
  tasksOf(block)
    .filter(isOpen)
    .map(({ id }) => id)

/** How many of its tasks are in which state, the ended ones first. */
export const countStates = (block: Pick<Block, 'parcels'>): [StatusId, number][] =>
  [...Map.groupBy(tasksOf(block), ({ statusId }) => statusId)]
    .map(([statusId, tasks]): [StatusId, number] => [statusId, tasks.length])
    .sort(([one], [other]) => other - one)

/** The tasks of a stop with different time windows, of which each window is drawn once. */
export const windowsOf = ({ parcels }: Pick<Block, 'parcels'>): Parcel[] =>
  parcels.filter(
    ({ task: { completeAfter, completeBefore } }, at) =>
      at ===
      parcels.findIndex(({ task }) => task.completeAfter === completeAfter && task.completeBefore === completeBefore),
  )

/** Undefined if nobody knows when. */
export const parcelOf = (task: Task, now: number): Parcel | undefined =>
  isEnded(task) ? endedParcel(task, now) : openParcel(task, now)

/** What is drawn of parcels in the order of the day. `numbers` are of the stops still to come, by task. */
export function blocksOf(parcels: readonly Parcel[], numbers: ReadonlyMap<number, number>, now: number): Block[] {
  const visits = stopsOf(parcels, ({ task }) => task.address).flatMap(splitByVisit)
  return visits.map((visit) => blockOf(visit, numbers, now))
}

function splitByVisit(stop: readonly Parcel[]): [Parcel, ...Parcel[]][] {
  const visits: [Parcel, ...Parcel[]][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const parcel of stop) {
    const visit = visits.at(-1)
    if (visit && parcel.arrival - end <= sameVisitMs) visit.push(parcel)
    else visits.push([parcel])
    end = Math.max(end, parcel.end)
  }
  return visits
}

/** One arrival for all, and as long as planning counts (`core/stop`). */
function blockOf(parcels: [Parcel, ...Parcel[]], numbers: ReadonlyMap<number, number>, now: number): Block {
  const arrival = Math.min(...parcels.map((parcel) => parcel.arrival))
  const isPlanned = parcels.every((parcel) => parcel.isPlanned)
  const ended = parcels.filter(({ task }) => isEnded(task))
  // Of a driver who is there, what is left to do is done from now on.
  const left = parcels
    .filter(({ task }) => !isEnded(task))
    .map((parcel) => {
      const isWaiting = parcel.start > parcel.arrival
      const start = isPlanned || isWaiting ? parcel.start : now
      const serviceMs = parcel.end - (parcel.isPlanned ? parcel.start : now)
      return { start: (isPlanned ? start : Math.max(start, now)) / 1000, serviceSeconds: Math.max(0, serviceMs) / 1000 }
    })
  const leaves = parcels.flatMap((parcel) => parcel.leaves ?? [])
  const end = endOfStop(left)
  const start = isPlanned ? Math.min(...left.map((parcel) => parcel.start * 1000)) : arrival
  return {
    id: parcels[0].task.id,
    parcels,
    number: parcels.map(({ task }) => numbers.get(task.id)).find((number) => number !== undefined),
    statusId: statusOf(parcels),
    arrival,
    start,
    end: Math.max(end === undefined ? start : end * 1000, ...ended.map((parcel) => parcel.end)),
    leaves: leaves.length > 0 ? Math.min(...leaves) : undefined,
    lateSeconds: Math.max(...parcels.map((parcel) => parcel.lateSeconds)),
    distanceMetres: Math.max(...parcels.map((parcel) => parcel.distanceMetres)),
    isPlanned,
    isBehind: isPlanned && parcels.some((parcel) => parcel.isBehind),
  }
}

const rank: StatusId[] = [InTransit, Assigned, Unassigned, Failed, Succeeded]
const statusOf = (parcels: readonly Parcel[]): StatusId =>
  rank.find((statusId) => parcels.some(({ task }) => task.statusId === statusId)) ?? Unassigned

const parsed = (moment: string | null) => (moment === null ? undefined : Date.parse(moment))
const serviceMs = ({ serviceTime }: Task) => (serviceTime ?? 0) * minute

function endedParcel(task: Task, now: number): Parcel {
  const end = Date.parse(task.completedAt ?? task.updatedAt)
  const leaves = parsed(task.startedAt)
  const arrival = parsed(task.arrivalTime) ?? Math.max(end - serviceMs(task), leaves ?? 0)
  return {
    task,
    arrival: Math.min(arrival, end),
    start: Math.min(arrival, end),
    end,
    leaves,
    lateSeconds: lateSeconds(task, now),
    distanceMetres: stopOf(task)?.distanceMetres ?? 0,
    isPlanned: false,
    isBehind: false,
  }
}

function openParcel(task: Task, now: number): Parcel | undefined {
  const plan = stopOf(task)
  const leaves = task.statusId === InTransit ? parsed(task.startedAt) : undefined
  const shared = { task, leaves, lateSeconds: lateSeconds(task, now), distanceMetres: plan?.distanceMetres ?? 0 }
  const arrived = task.statusId === InTransit ? parsed(task.arrivalTime) : undefined
  if (arrived !== undefined) {
    const end = Math.max(arrived + serviceMs(task), now)
    return { ...shared, arrival: arrived, start: arrived, end, isPlanned: false, isBehind: false }
  }
  const expected = arrivalOf(task, now)
  if (!expected) return hasArrived(task) ? hereNow(shared, plan, now) : undefined
  const { at: arrival, isBehind } = expected
  // A plan that waits for a window to open waits less if the driver comes later.
  const opens = plan && plan.waitSeconds > 0 ? Date.parse(plan.arrivalTime) + plan.waitSeconds * 1000 : arrival
  const start = Math.max(arrival, opens)
  return { ...shared, arrival, start, end: start + serviceMs(task), isPlanned: true, isBehind }
}

/** The position of the driver says that they are there, but nobody said since when. */
function hereNow(
  shared: Pick<Parcel, 'task' | 'leaves' | 'lateSeconds' | 'distanceMetres'>,
  plan: PlannedStop | undefined,
  now: number,
): Parcel {
  const arrival = Math.min(now, plan ? Date.parse(plan.arrivalTime) : now)
  const end = Math.max(arrival + serviceMs(shared.task), now)
  return { ...shared, arrival, start: arrival, end, isPlanned: false, isBehind: false }
}
