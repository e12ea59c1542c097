import { Type } from 'typebox'
import { ProofListQuery, ProofQuery } from '../proof.ts'
import { Id, reply } from '../schema.ts'
import type { Operation } from './operation.ts'

export const proofOperations = {
  getTaskProof: {
    method: 'GET',
    path: '/api/v1/tasks/:taskId/proof.pdf',
    tag: 'Proof of delivery',
    summary: 'Get the proof of delivery of a task that has ended; of a failed one, the record of the attempt',
    scope: 'tasks:read',
    params: Type.Object({ taskId: Id() }),
    query: ProofQuery,
    reply: reply({}),
    download: ['application/pdf'],
    missing: 'TASK_NOT_FOUND',
    refuses: ['TASK_NOT_ENDED', 'VALIDATION_FAILED'],
  },
  getProofs: {
    method: 'GET',
    path: '/api/v1/proofs.pdf',
    tag: 'Proof of delivery',
    summary: 'Get the proofs of several tasks as one file that begins with a list of them',
    scope: 'tasks:read',
    query: ProofListQuery,
    reply: reply({}),
    download: ['application/pdf'],
    refuses: ['TASK_NOT_ENDED', 'TOO_MANY_ITEMS', 'VALIDATION_FAILED'],
  },
} as const satisfies Record<string, Operation>
