import { Id, PageQuery, reply } from '../schema.ts'
import { Conflict, ConflictQuery, OpenConflict, SettleInput } from '../sync.ts'
import { Type } from '../type.ts'
import { NextCursor, type Operation } from './operation.ts'

export const conflictOperations = {
  listConflicts: {
    method: 'GET',
    path: '/api/v1/conflicts',
    tag: 'Conflicts',
    summary: 'List what drivers did that could not be applied',
    scope: 'tasks:read',
    query: ConflictQuery,
    reply: reply({ conflicts: Type.Array(Conflict), nextCursor: NextCursor }),
    refuses: [],
  },
  listOpenConflicts: {
    method: 'GET',
    path: '/api/v1/conflicts/open',
    tag: 'Conflicts',
    summary: 'List the tasks that wait for a decision, without the details',
    scope: 'tasks:read',
    query: PageQuery,
    reply: reply({ conflicts: Type.Array(OpenConflict), nextCursor: NextCursor }),
    refuses: [],
  },
  settleConflict: {
    method: 'POST',
    path: '/api/v1/conflicts/:conflictId/settle',
    tag: 'Conflicts',
    summary: 'Decide whether what a driver did is applied after all',
    scope: 'tasks:write',
    params: Type.Object({ conflictId: Id() }),
    body: SettleInput,
    reply: reply({ conflict: Conflict }),
    missing: 'CONFLICT_NOT_FOUND',
    changes: ['conflicts'],
    refuses: ['CONFLICT_SETTLED', 'TASK_NOT_FOUND', 'DRIVER_NOT_FOUND', 'TASK_FULL', 'CURRENCY_DIFFERS'],
  },
} as const satisfies Record<string, Operation>
