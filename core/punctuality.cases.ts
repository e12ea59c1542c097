import { Assigned, Failed, InTransit, type StatusId, Succeeded } from './task-status.ts'

/** Tasks at noon, and whether their window was met: `true`, missed by so many minutes, or nothing to judge. */
export const punctualityCases: [
  what: string,
  task: { statusId: StatusId; completeBefore: string | null; completedAt: string | null },
  met: true | number | undefined,
][] = [
  ['done before the end', { statusId: Succeeded, completeBefore: '10:00', completedAt: '09:30' }, true],
  ['done at the end', { statusId: Succeeded, completeBefore: '10:00', completedAt: '10:00' }, true],
  ['done after the end', { statusId: Succeeded, completeBefore: '10:00', completedAt: '10:20' }, 20],
  ['done long before', { statusId: Succeeded, completeBefore: '18:00', completedAt: '08:00' }, true],
  ['done, without a window', { statusId: Succeeded, completeBefore: null, completedAt: '08:00' }, undefined],
  ['failed within the window', { statusId: Failed, completeBefore: '10:00', completedAt: '09:00' }, undefined],
  ['failed after the end', { statusId: Failed, completeBefore: '10:00', completedAt: '10:30' }, 30],
  ['failed, without a window', { statusId: Failed, completeBefore: null, completedAt: '10:30' }, undefined],
  ['not started, the window is over', { statusId: Assigned, completeBefore: '10:00', completedAt: null }, 120],
  ['under way, the window is over', { statusId: InTransit, completeBefore: '11:30', completedAt: null }, 30],
  ['under way, the window is open', { statusId: InTransit, completeBefore: '13:00', completedAt: null }, undefined],
  ['open, without a window', { statusId: Assigned, completeBefore: null, completedAt: null }, undefined],
]
