import { createHash, randomBytes } from 'node:crypto'
import { Refusal, unknownInBody } from '../../contract/errors.ts'
import { fileIdIn, isFilePath } from '../../contract/file.ts'
import type { NewProofLink, ProofLink, ProofLinkInput } from '../../contract/proof.ts'
import type { Language } from '../../core/words/languages.ts'
import { tellChanges } from '../audit/changes.ts'
import { recordAudit } from '../audit/record.ts'
import { type Actor, type Context, contextOf, type Service } from '../context.ts'
import { findFile } from '../files/queries.ts'
import type { Organisation } from '../organisations/queries.ts'
import { findLinked, findTaskIdsByAwb, insertLink, insertLinkTasks, type LinkView, markLinkRevoked } from './queries.ts'
import { readProofs } from './read.ts'
import { describeProof } from './sheet.ts'

/* Links by which senders see proofs without an account. */

const usualDays = 30

/** The secret is random, so a plain hash is enough. Only the hash is stored. */
const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

export async function createLink(
  context: Context,
  organisation: Organisation,
  { awbs, days = usualDays }: ProofLinkInput,
  ownUrl: string,
): Promise<NewProofLink> {
  const { db, actor } = context
  const wanted = [...new Set(awbs)]
  const found = new Map((await findTaskIdsByAwb(db, organisation.id, wanted)).map(({ id, awb }) => [awb, id]))
  const unknown = wanted.find((awb) => !found.has(awb))
  if (unknown !== undefined) throw unknownInBody('TASK_NOT_FOUND', 'awbs', `There is no task ${unknown}`)
  const secret = randomBytes(16).toString('base64url')
  const row = await db.transaction(async (db) => {
    const link = await insertLink(db, organisation.id, hashOf(secret), actor.name, days)
    const tasks = wanted.map((awb, place) => ({ link_id: link.id, task_id: found.get(awb) as number, place }))
    await insertLinkTasks(db, organisation.id, tasks)
    const changes = tellChanges(null, { awbs: wanted, expiresAt: link.expires_at })
    await recordAudit(context, db, organisation.id, [{ kind: 'proofLink.created', subjectId: link.id, changes }])
    return { ...link, awbs: wanted }
  })
  return { ...presentLink(row), link: `${ownUrl}/p/${secret}` }
}

export const presentLink = ({ id, awbs, created_by, created_at, expires_at, revoked_at }: LinkView): ProofLink => ({
  id,
  awbs,
  createdBy: created_by,
  createdAt: created_at.toISOString(),
  expiresAt: expires_at.toISOString(),
  revokedAt: revoked_at?.toISOString() ?? null,
})

export const revokeLink = (context: Context, organisation: Organisation, linkId: number) =>
  context.db.transaction(async (db) => {
    if ((await markLinkRevoked(db, organisation.id, linkId)) === 0) throw new Refusal('PROOF_LINK_NOT_FOUND')
    await recordAudit(context, db, organisation.id, [{ kind: 'proofLink.revoked', subjectId: linkId }])
  })

/** Someone with the link; we do not know who. */
const sender: Actor = { type: 'SYSTEM', id: null, name: 'Sender' }

/** What a link leads to. One that was never made, one that has expired and one that was revoked look the same. */
async function openLink(service: Service, secret: string) {
  const found = await findLinked(service.database.everyone, hashOf(secret))
  if (!found) throw new Refusal('PROOF_LINK_NOT_FOUND')
  const { id, organisation, task_ids: taskIds, expires_at: expiresAt } = found
  return { id, organisation, taskIds, expiresAt, context: contextOf(service, organisation.id, sender) }
}

/** What it shows. */
export async function readLink(service: Service, secret: string, language: Language) {
  const link = await openLink(service, secret)
  const { organisation, taskIds, context } = link
  const sources = await readProofs(context.db, organisation, taskIds)
  if (sources.length === 0) throw new Refusal('PROOF_LINK_NOT_FOUND')
  return { ...link, sheets: sources.map((source) => describeProof(source, organisation, language, 'sender')) }
}

/** A picture of its tasks that it shows, or the logo. */
export async function findLinkedFile(service: Service, secret: string, fileId: string) {
  const { organisation, taskIds, context } = await openLink(service, secret)
  const file = await findFile(context.db, organisation.id, fileId)
  if (!file?.store_key) return undefined
  if (isFilePath(organisation.logo) && fileIdIn(organisation.logo) === file.id) return file
  // The path of a file may also stand in an answer to a form, as text: it must be a picture of these tasks.
  if (file.task_id === null || !taskIds.includes(file.task_id)) return undefined
  const [source] = await readProofs(context.db, organisation, [file.task_id])
  const shown = source ? describeProof(source, organisation, 'en', 'sender').pictures : []
  return shown.some(({ fileId }) => fileId === file.id) ? file : undefined
}
