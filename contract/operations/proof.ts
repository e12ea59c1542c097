import { FileId, PictureSize } from '../file.ts'
import { longest } from '../limits.ts'
import { NewProofLink, ProofLink, ProofLinkInput, ProofListQuery, ProofQuery } from '../proof.ts'
import { Id, PageQuery, reply, Text } from '../schema.ts'
import { Type } from '../type.ts'
import { NextCursor, type Operation } from './operation.ts'

/** Anyone with the link can call these; a right link always works, different wrong ones are counted per address. */
const withLink = {
  tag: 'Proof of delivery',
  access: 'anybody',
  signsIn: true,
  missing: 'PROOF_LINK_NOT_FOUND',
  reply: reply({}),
} as const

const secret = Text(100, { description: 'The last part of the link' })

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
    refuses: ['TASK_NOT_ENDED'],
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
    refuses: ['TASK_NOT_FOUND', 'TASK_NOT_ENDED', 'TOO_MANY_ITEMS'],
  },
  listProofLinks: {
    method: 'GET',
    path: '/api/v1/proofLinks',
    tag: 'Proof of delivery',
    summary: 'List the links made for senders, the latest first',
    scope: 'tasks:read',
    query: Type.Object({ ...PageQuery.properties, awb: Type.Optional(Text(longest.awb)) }),
    reply: reply({ proofLinks: Type.Array(ProofLink), nextCursor: NextCursor }),
    refuses: [],
  },
  createProofLink: {
    method: 'POST',
    path: '/api/v1/proofLinks',
    tag: 'Proof of delivery',
    summary: 'Make a link by which the sender sees the proofs of some tasks, without an account',
    scope: 'tasks:write',
    body: ProofLinkInput,
    reply: reply({ proofLink: NewProofLink }),
    refuses: ['TASK_NOT_FOUND', 'TOO_MANY_ITEMS', 'VALIDATION_FAILED'],
  },
  revokeProofLink: {
    method: 'DELETE',
    path: '/api/v1/proofLinks/:linkId',
    tag: 'Proof of delivery',
    summary: 'End a link for a sender',
    scope: 'tasks:write',
    params: Type.Object({ linkId: Id() }),
    reply: reply({}),
    missing: 'PROOF_LINK_NOT_FOUND',
    refuses: [],
  },
  showProofs: {
    ...withLink,
    method: 'GET',
    path: '/p/:secret',
    summary: 'Show the proofs of a link as a page',
    page: true,
    params: Type.Object({ secret }),
    refuses: ['RATE_LIMITED'],
  },
  getLinkedProofs: {
    ...withLink,
    method: 'GET',
    path: '/p/:secret/proof.pdf',
    summary: 'Get the proofs of a link as PDF',
    params: Type.Object({ secret }),
    query: ProofQuery,
    download: ['application/pdf'],
    refuses: ['TASK_NOT_ENDED', 'RATE_LIMITED'],
  },
  getTrackedProof: {
    ...withLink,
    method: 'GET',
    path: '/t/:uuid/proof.pdf',
    summary: 'Get the recipient’s version of a proof: photos, the receiver’s name and the time',
    params: Type.Object({ uuid: Text(100) }),
    query: ProofQuery,
    download: ['application/pdf'],
    missing: 'TASK_NOT_FOUND',
    refuses: ['TASK_NOT_ENDED', 'RATE_LIMITED'],
  },
  getLinkedPicture: {
    ...withLink,
    method: 'GET',
    path: '/p/:secret/files/:fileId',
    summary: 'Get a picture that the page of a link shows',
    params: Type.Object({ secret, fileId: FileId() }),
    query: Type.Object({ size: PictureSize }),
    download: ['image/jpeg', 'image/png'],
    refuses: ['RATE_LIMITED'],
  },
} as const satisfies Record<string, Operation>
