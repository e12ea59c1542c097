import { Hub, HubInput, HubUpdate } from '../hub.ts'
import { Id, PageQuery, reply } from '../schema.ts'
import { Type } from '../type.ts'
import { NextCursor, type Operation } from './operation.ts'

export const hubOperations = {
  createHub: {
    method: 'POST',
    path: '/api/v1/hubs',
    tag: 'Hubs',
    summary: 'Create a hub',
    scope: 'teams:write',
    body: HubInput,
    reply: reply({ hub: Hub }),
    changes: ['hubs'],
    refuses: ['ADDRESS_NOT_FOUND'],
  },
  listHubs: {
    method: 'GET',
    path: '/api/v1/hubs',
    tag: 'Hubs',
    summary: 'List hubs',
    scope: 'teams:read',
    query: PageQuery,
    reply: reply({ hubs: Type.Array(Hub), nextCursor: NextCursor }),
    refuses: [],
  },
  updateHub: {
    method: 'PUT',
    path: '/api/v1/hubs/:hubId',
    tag: 'Hubs',
    summary: 'Update the given fields, keep the rest',
    scope: 'teams:write',
    params: Type.Object({ hubId: Id() }),
    body: HubUpdate,
    reply: reply({ hub: Hub }),
    missing: 'HUB_NOT_FOUND',
    changes: ['hubs', 'teams'],
    refuses: ['ADDRESS_NOT_FOUND'],
  },
  deleteHub: {
    method: 'DELETE',
    path: '/api/v1/hubs/:hubId',
    tag: 'Hubs',
    summary: 'Delete a hub that no team uses',
    scope: 'teams:write',
    params: Type.Object({ hubId: Id() }),
    reply: reply({}),
    missing: 'HUB_NOT_FOUND',
    changes: ['hubs'],
    refuses: ['HUB_IN_USE'],
  },
} as const satisfies Record<string, Operation>
