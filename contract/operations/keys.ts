import { Key, KeyInput, KeyRotation, KeyWithSecret } from '../key.ts'
import { Id, PageQuery, reply } from '../schema.ts'
import { Type } from '../type.ts'
import { NextCursor, type Operation } from './operation.ts'

export const keyOperations = {
  listKeys: {
    method: 'GET',
    path: '/api/v1/keys',
    tag: 'Keys',
    summary: 'List keys, without their secrets',
    scope: 'keys:read',
    query: PageQuery,
    reply: reply({ keys: Type.Array(Key), nextCursor: NextCursor }),
    refuses: [],
  },
  createKey: {
    method: 'POST',
    path: '/api/v1/keys',
    tag: 'Keys',
    summary: 'Create a key with no more rights than the caller has',
    scope: 'keys:write',
    body: KeyInput,
    reply: reply({ key: KeyWithSecret }),
    changes: ['keys'],
    refuses: ['INVALID_TIME'],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/api/v1/keys/:keyId',
    tag: 'Keys',
    summary: 'Revoke a key; it stops working within a second',
    scope: 'keys:write',
    params: Type.Object({ keyId: Id() }),
    reply: reply({}),
    missing: 'KEY_NOT_FOUND',
    changes: ['keys'],
    refuses: [],
  },
  rotateKey: {
    method: 'POST',
    path: '/api/v1/keys/:keyId/rotate',
    tag: 'Keys',
    summary: 'Replace a key with a new one; the old one keeps working for a while',
    scope: 'keys:write',
    params: Type.Object({ keyId: Id() }),
    body: KeyRotation,
    reply: reply({ key: KeyWithSecret }),
    missing: 'KEY_NOT_FOUND',
    changes: ['keys'],
    refuses: ['KEY_REPLACED'],
  },
} as const satisfies Record<string, Operation>
