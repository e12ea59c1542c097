import { Assigned, Unassigned } from '../../core/task-status.ts'
import type { Driver, Task } from '../api/data.ts'

/** A task as the API returns it, with the fields that the rules of the pages use. */
export const taskWith = (changes: Partial<Task> = {}): Task =>
  ({
    id: 1,
    awb: `A-${changes.id ?? 1}`,
    statusId: changes.userId ? Assigned : Unassigned,
    userId: null,
    user: null,
    teamId: null,
    team: null,
    route: null,
    // As on the server: the plan, until something newer is known.
    etaAt: changes.route?.arrivalTime ?? null,
    driverArrived: false,
    details: '',
    customer: null,
    dependencies: [],
    attempt: 1,
    attemptOf: null,
    reattemptedAs: null,
    returnOf: null,
    returnedAs: null,
    closedAt: null,
    feedbacks: [],
    serviceTime: 0,
    completeAfter: null,
    completeBefore: null,
    startedAt: null,
    arrivalTime: null,
    completedAt: null,
    updatedAt: '2026-11-15T08:00:00.000Z',
    address: { address: 'Strada Lipscani 12, București', area: '', lat: 44.43, lng: 26.1 },
    ...changes,
  }) as Task

export const driverWith = (changes: Partial<Driver> = {}): Driver =>
  ({
    id: 7,
    name: 'Ana Pop',
    inShift: true,
    active: true,
    silentSince: null,
    driverTeams: [],
    startShiftTime: null,
    shiftTimes: [],
    endShiftTime: null,
    lunchBreakStart: null,
    lunchBreakEnd: null,
    lunchBreakDuration: null,
    ...changes,
  }) as Driver

/** The planned stop of a task. */
export const plannedAt = (arrivalTime: string, position = 1, waitSeconds = 0) => ({
  position,
  arrivalTime,
  waitSeconds,
  distanceMetres: 1_000,
  lateSeconds: 0,
})

export const idsOf = (tasks: readonly { id: number }[]) => tasks.map(({ id }) => id)
