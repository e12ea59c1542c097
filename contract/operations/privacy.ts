import { Erasure, ErasureInput, erasureFields, PersonalDataQuery } from '../erasure.ts'
import { PageQuery, reply } from '../schema.ts'
import { Type } from '../type.ts'
import { NextCursor, type Operation } from './operation.ts'

export const privacyOperations = {
  createErasure: {
    method: 'POST',
    path: '/api/v1/erasures',
    tag: 'Privacy',
    summary: 'Erase the personal data of a customer, a task or a driver who left',
    scope: 'privacy:write',
    body: ErasureInput,
    reply: reply(erasureFields),
    // What is erased stays so; and a repeat would need a hash of the phone number.
    isRepeatable: true,
    changes: ['messages', 'conflicts', 'notes'],
    refuses: ['VALIDATION_FAILED', 'TASK_NOT_FOUND', 'DRIVER_NOT_FOUND', 'DRIVER_NOT_DELETED'],
  },
  listErasures: {
    method: 'GET',
    path: '/api/v1/erasures',
    tag: 'Privacy',
    summary: 'List the receipts of erasures, newest first',
    scope: 'privacy:write',
    query: PageQuery,
    reply: reply({ erasures: Type.Array(Erasure), nextCursor: NextCursor }),
    refuses: [],
  },
  getPersonalData: {
    method: 'GET',
    path: '/api/v1/personalData',
    tag: 'Privacy',
    summary: 'Download what is kept about a customer: a tar file of JSON and pictures',
    scope: 'privacy:write',
    query: PersonalDataQuery,
    reply: reply({}),
    download: ['application/x-tar'],
    refuses: [],
  },
} as const satisfies Record<string, Operation>
