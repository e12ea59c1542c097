import { Reason, ReasonInput, ReasonUpdate } from '../reason.ts'
import { Id, PageQuery, reply } from '../schema.ts'
import { Type } from '../type.ts'
import { NextCursor, type Operation } from './operation.ts'

export const reasonOperations = {
  listReasons: {
    method: 'GET',
    path: '/api/v1/reasons',
    tag: 'Reasons',
    summary: 'List the reasons for which tasks fail',
    scope: 'tasks:read',
    query: PageQuery,
    reply: reply({ reasons: Type.Array(Reason), nextCursor: NextCursor }),
    refuses: [],
  },
  createReason: {
    method: 'POST',
    path: '/api/v1/reasons',
    tag: 'Reasons',
    summary: 'Create a reason that drivers can choose when a task fails',
    scope: 'company:write',
    body: ReasonInput,
    reply: reply({ reason: Reason }),
    changes: ['reasons'],
    refuses: ['REASON_TAKEN'],
  },
  updateReason: {
    method: 'PUT',
    path: '/api/v1/reasons/:reasonId',
    tag: 'Reasons',
    summary: 'Update the given fields, keep the rest; the code never changes',
    scope: 'company:write',
    params: Type.Object({ reasonId: Id() }),
    body: ReasonUpdate,
    reply: reply({ reason: Reason }),
    missing: 'REASON_NOT_FOUND',
    changes: ['reasons'],
    refuses: [],
  },
  deleteReason: {
    method: 'DELETE',
    path: '/api/v1/reasons/:reasonId',
    tag: 'Reasons',
    summary: 'Delete a reason; tasks that failed with it keep it',
    scope: 'company:write',
    params: Type.Object({ reasonId: Id() }),
    reply: reply({}),
    missing: 'REASON_NOT_FOUND',
    changes: ['reasons'],
    refuses: [],
  },
} as const satisfies Record<string, Operation>
