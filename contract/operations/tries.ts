import { Awb, Each, reply } from '../schema.ts'
import { Task } from '../task.ts'
import { CorrectInput, ReattemptInput, ReturnInput, TryResult } from '../try.ts'
import { Type } from '../type.ts'
import type { Operation } from './operation.ts'

const ofOne = {
  tag: 'Second tries',
  method: 'POST',
  params: Type.Object({ awb: Awb }),
  reply: reply({ task: Task }),
  missing: 'TASK_NOT_FOUND',
} as const

const ofMany = {
  tag: 'Second tries',
  method: 'POST',
  scope: 'tasks:write',
  reply: reply({ results: Type.Array(TryResult) }),
} as const

export const tryOperations = {
  reattemptTask: {
    ...ofOne,
    path: '/api/v1/tasks/awb/:awb/reattempt',
    summary: 'Try a failed task again: a new task, linked to it',
    scope: 'tasks:write',
    body: ReattemptInput,
    refuses: [
      'TASK_NOT_FAILED',
      'TASK_REATTEMPTED',
      'TASK_RETURNED',
      'ATTEMPTS_EXHAUSTED',
      'TASK_OF_PARTNER',
      'TASK_ERASED',
      'AWB_TAKEN',
      'INVALID_TIME',
      'INVALID_TIME_WINDOW',
      'DRIVER_NOT_FOUND',
      'DRIVER_INACTIVE',
    ],
  },
  returnTask: {
    ...ofOne,
    path: '/api/v1/tasks/awb/:awb/return',
    summary: 'Bring the parcel of a failed task back: a new task to a hub, or to the address given',
    scope: 'tasks:write',
    body: ReturnInput,
    refuses: [
      'TASK_NOT_FAILED',
      'TASK_REATTEMPTED',
      'TASK_RETURNED',
      'NOTHING_TO_RETURN',
      'NO_RETURN_ADDRESS',
      'TASK_OF_PARTNER',
      'TASK_ERASED',
      'AWB_TAKEN',
      'INVALID_TIME',
      'INVALID_TIME_WINDOW',
      'DRIVER_NOT_FOUND',
      'DRIVER_INACTIVE',
    ],
  },
  correctTask: {
    ...ofOne,
    path: '/api/v1/tasks/awb/:awb/correct',
    summary: 'Correct how a task ended: succeeded instead of failed, or failed instead of succeeded',
    scope: 'tasks:correct',
    body: CorrectInput,
    refuses: [
      'TASK_NOT_ENDED',
      'TASK_ALREADY_PROCESSED',
      'TASK_REATTEMPTED',
      'TASK_RETURNED',
      'TASK_DELEGATED',
      'TASK_ERASED',
    ],
  },
  bulkReattemptTasks: {
    ...ofMany,
    path: '/api/v1/tasks/bulkReattempt',
    summary: 'Try failed tasks again',
    body: Type.Object({ tasks: Each(Awb), ...ReattemptInput.properties }),
    refuses: ['TOO_MANY_ITEMS', 'INVALID_TIME', 'INVALID_TIME_WINDOW', 'DRIVER_NOT_FOUND', 'DRIVER_INACTIVE'],
  },
  bulkReturnTasks: {
    ...ofMany,
    path: '/api/v1/tasks/bulkReturn',
    summary: 'Bring the parcels of failed tasks back to their hubs',
    body: Type.Object({ tasks: Each(Awb) }),
    refuses: ['TOO_MANY_ITEMS'],
  },
  bulkCloseTasks: {
    ...ofMany,
    path: '/api/v1/tasks/bulkClose',
    summary: 'Leave failed tasks as they are: nobody has to decide about them any more',
    body: Type.Object({
      tasks: Each(Awb),
      closed: Type.Optional(Type.Boolean({ description: '`false` takes it back' })),
    }),
    refuses: ['TOO_MANY_ITEMS'],
  },
} as const satisfies Record<string, Operation>
