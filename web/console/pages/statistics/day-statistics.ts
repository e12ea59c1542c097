import { type Money, sumMoney } from '../../../../core/money.ts'
import { judgePunctuality, type Punctuality } from '../../../../core/punctuality.ts'
import { Failed, isEnded, type StatusId, Succeeded } from '../../../../core/task-status.ts'
import type { Task } from '../../../api/data.ts'
import { stopOf } from '../../../tasks/risk.ts'
import { statusOrder } from '../../../tasks/status-order.ts'

export interface DriverDay extends Punctuality {
  driverId: number | null
  name: string
  succeeded: number
  failed: number
  open: number
  distanceMetres: number
  money: Money
}

/** A day in numbers, counted from its tasks. */
export function countDay(tasks: Task[], hourOf: (moment: string) => number, now = Date.now()) {
  const ended = tasks.filter(isEnded)
  return {
    all: tasks.length,
    byStatus: Object.fromEntries(
      statusOrder.map((status) => [status, tasks.filter(({ statusId }) => statusId === status).length]),
    ) as Record<StatusId, number>,
    punctuality: judgePunctuality(tasks, now),
    hours: countHours(ended, hourOf),
    drivers: countDrivers(tasks, now),
    failures: countReasons(tasks),
    payments: [1, 2].map((paymentTypeId) => ({
      paymentTypeId,
      ...sumMoney(tasks.filter((task) => task.paymentTypeId === paymentTypeId)),
    })),
    money: sumMoney(tasks),
    rating: averageRating(tasks),
  }
}
export type DayCount = ReturnType<typeof countDay>

/** What customers said of the day: the average of their stars; 0 if nobody said anything. */
function averageRating(tasks: Task[]) {
  const ratings = tasks.flatMap(({ feedbacks }) => feedbacks.map(({ rating }) => rating))
  const total = ratings.reduce((sum, rating) => sum + rating, 0)
  return { count: ratings.length, average: ratings.length === 0 ? 0 : total / ratings.length }
}

/** From the first hour in which a task ended to the last, including hours without any. */
function countHours(ended: Task[], hourOf: (moment: string) => number) {
  const hours = ended.map((task) => ({ task, hour: hourOf(task.completedAt ?? task.updatedAt) }))
  if (hours.length === 0) return []
  const [first, last] = [Math.min(...hours.map(({ hour }) => hour)), Math.max(...hours.map(({ hour }) => hour))]
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const these = hours.filter(({ hour }) => hour === first + index)
    const failed = these.filter(({ task }) => task.statusId === Failed).length
    return { hour: first + index, succeeded: these.length - failed, failed }
  })
}

function countDrivers(tasks: Task[], now: number): DriverDay[] {
  const groups = [...Map.groupBy(tasks, ({ userId }) => userId)].map(([driverId, group]): DriverDay => {
    const count = (statusId: StatusId) => group.filter((task) => task.statusId === statusId).length
    return {
      driverId,
      name: group[0]?.user?.name ?? '',
      succeeded: count(Succeeded),
      failed: count(Failed),
      open: group.filter((task) => !isEnded(task)).length,
      ...judgePunctuality(group, now),
      distanceMetres: group.reduce((sum, task) => sum + (stopOf(task)?.distanceMetres ?? 0), 0),
      money: sumMoney(group),
    }
  })
  // Tasks without a driver come last.
  return groups.sort(
    (one, other) =>
      Number(one.driverId === null) - Number(other.driverId === null) ||
      other.succeeded - one.succeeded ||
      one.name.localeCompare(other.name),
  )
}

function countReasons(tasks: Task[]) {
  const failed = tasks.filter(({ statusId }) => statusId === Failed)
  return [...Map.groupBy(failed, ({ cancelReason }) => cancelReason?.trim() ?? '')]
    .map(([reason, group]) => ({ reason, count: group.length }))
    .sort((one, other) => other.count - one.count || one.reason.localeCompare(other.reason))
}
